internal import ContextDiffService
internal import Glibc
internal import Logging
internal import Varlink

extension FuzzTarget {
  /// What a client sends, through a socket to a user's service and its engine, until all is
  /// answered.
  static let calls = FuzzTarget(name: "calls") { input in
    do { try Calls.serve(input) } catch { fatalError("no service can be had: \(error)") }
  }
}

private enum Calls {
  static func serve(_ bytes: UnsafeRawBufferPointer) throws {
    let loop = try EpollLoop()
    var settings = Settings()
    // Small, so that limits are reached.
    settings.limits.frameBytes = 4_096
    settings.limits.fieldBytes = 1_024
    settings.limits.sessions = 4
    settings.limits.keptEvents = 8
    settings.limits.keptEventsBytes = 8_192
    let account = Quota(Quota.Limits(settings)).account(of: 1, isAdministrator: false)
    guard let account else { fatalError("the first user has an account") }
    let service = Service(
      ring: try EventRing(
        userID: 1, instance: String(repeating: "0", count: 32), capacity: 8_192),
      account: account,
      shared: try Shared(
        info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://u"),
        main: try loop.makeSubmitter(),
        logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() },
        clock: Clock(time: { 1 }, monotonic: { 1 }), onStatusDue: {}),
      settings: settings, access: Access(ownUserID: 0), loop: loop)
    service.begin(on: loop)

    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { fatalError("a pair of sockets") }
    let (client, server) = (ends[0], ends[1])
    defer { close(client) }
    // What does not fit a socket's buffer is no part of it: inputs are shorter.
    _ = send(client, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
    shutdown(client, Int32(SHUT_WR))
    let peer = PeerCredentials(processID: 1, userID: 1, groupID: 1)
    service.serve(AcceptedSocket(descriptor: server, peer: peer))
    // A stream ends by its client's end, which comes when nothing else does.
    var isQuiet = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { buffer.deallocate() }
    try loop.watch(client, for: .readable) { [unowned loop] _ in
      isQuiet = false
      while true {
        let count = recv(client, buffer.baseAddress, buffer.count, 0)
        if count > 0 { continue }
        if count == 0 || errno != EAGAIN { loop.stop() }
        return
      }
    }
    // What the loop keeps must not keep the loop: each input has one of its own.
    loop.atEndOfTurns { [unowned loop] in
      if isQuiet { loop.stop() }
      isQuiet = true
      loop.turnAgain()
    }
    loop.turnAgain()
    loop.run()
    loop.unwatch(client)
    service.leaveLoop()
  }
}
