internal import NIOCore

/// Joins a channel to its connection.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: VarlinkServer
  private let receiveBuffer: SharedReceiveBuffer
  private var connection: VarlinkConnection?

  init(server: VarlinkServer, receiveBuffer: SharedReceiveBuffer) {
    self.server = server
    self.receiveBuffer = receiveBuffer
  }

  func channelActive(context: ChannelHandlerContext) {
    connection = server.open(context)
    if connection == nil { context.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    if let connection {
      buffer.withUnsafeReadableBytes { connection.received($0) }
    }
    receiveBuffer.giveBack(buffer)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { connection?.inputEnded() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    connection?.writabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    guard let connection else { return }
    self.connection = nil
    connection.closed()
    server.forget(connection)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset, or a write to one who has gone: either way the connection is over.
    context.close(promise: nil)
  }
}
