/// What all connections of a server share.
///
/// Only one connection at a time reads, parses and answers, so that one buffer, one parser and one
/// writer serve them all, and an idle connection holds none.
final class ServerCore {
  let handler: any VarlinkHandler
  let service: ServiceInterface
  /// The handler's interfaces, then `org.varlink.service`.
  let methods: MethodTable
  let servicePlace: Int

  var frameLimit: Int
  var isStopping = false
  /// What was read last.
  let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
  var parser = JSONParser()
  /// How many bytes all connections together have sent of frames that are not complete, or not taken.
  var keptBytes = 0
  /// How many these may be; a connection that adds to more is closed.
  var keptLimit: Int { frameLimit * 16 }
  /// Whose turn was the last.
  var lastServed: ObjectIdentifier?
  /// The replies of the turn at hand, all of one connection.
  var writer = JSONWriter(capacity: 1 << 16)
  /// The connections that end with this turn of the loop.
  var leaving: [VarlinkConnection] = []

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

  deinit { receiveBuffer.deallocate() }
}
