internal import NIOCore

/// What all connections of a server share.
///
/// Belongs to the server's event loop.
///
/// Only one connection at a time reads, parses and answers, so that one parser, one writer and one
/// outbound buffer serve them all, and an idle connection holds none.
final class ServerCore {
  let handler: any VarlinkHandler
  let service: ServiceInterface
  /// The handler's interfaces, then `org.varlink.service`.
  let methods: MethodTable
  let servicePlace: Int

  var frameLimit: Int
  var isStopping = false
  var parser = JSONParser()
  /// The replies of the turn at hand, all of one connection.
  var writer = JSONWriter(capacity: 1 << 16)
  private var outbound = ByteBuffer()

  init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    handler: any VarlinkHandler
  ) {
    self.handler = handler
    self.frameLimit = frameLimit
    service = ServiceInterface(info: info, interfaces: interfaces)
    servicePlace = interfaces.count
    methods = MethodTable(
      interfaces + [ServiceInterface.interface])
  }

  /// What has been written, as a buffer to be sent; the writer is empty then.
  ///
  /// The buffer's memory is used again once whoever sends it has let go of it, which is at once
  /// where the socket takes it.
  func takeWritten() -> ByteBuffer {
    // One long reply must not hold on to its memory for as long as the server lives.
    if outbound.capacity > 1 << 18 { outbound = ByteBuffer() }
    outbound.clear(minimumCapacity: writer.bytes.count)
    outbound.writeBytes(writer.bytes)
    writer.removeAll()
    return outbound
  }
}
