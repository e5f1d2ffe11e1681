internal import CContextDiff
internal import ContextDiff
internal import ContextDiffLoopClient
internal import ContextDiffWire

/// The object behind a `contextdiff_client`: the client, and the memory of the transition that a callback gets.
final class ClientObject {
  /// How long a call may take where `options.deadline` is 0, in microseconds: 100 ms.
  private static let defaultDeadline: UInt64 = 100_000
  /// How many calls may wait for an answer where `options.calls` is 0.
  private static let defaultCalls = 1_024

  private let client: LoopClient
  /// Whether callbacks are being called.
  private var isCalling = false
  private var room = TransitionRoom()

  /// A client with a caller's options; NULL is the defaults.
  init(_ options: UnsafePointer<contextdiff_client_options>?) throws(Failure) {
    // Unsafe: copied at once.
    let given =
      unsafe try contextdiff_client_options.told(options, "options")
      ?? contextdiff_client_options()
    guard given.deadline <= UInt64(countLimit) else {
      throw .invalid("options.deadline: more than \(countLimit) microseconds")
    }
    guard given.calls >= 0 else { throw .invalid("options.calls: more than \(Int.max)") }
    let told = try given.socket.string("options.socket")
    let path = told ?? SocketPath.standard
    // A sockaddr_un has room for 107 bytes and a NUL.
    if !(1...107).contains(path.utf8.count) || path.utf8.contains(0) {
      let name = told == nil ? "options.socket: NULL, and the standard one is" : "options.socket:"
      throw .invalid("\(name) not a path of 1 to 107 bytes")
    }
    do {
      client = try LoopClient(
        path: path,
        deadline: given.deadline == 0 ? ClientObject.defaultDeadline : given.deadline,
        pendingLimit: given.calls == 0 ? ClientObject.defaultCalls : given.calls)
    } catch { throw Failure(error) }
  }

  /// The client, for every use but closing it.
  ///
  /// - Throws: `Failure` where the calling process is a child of the one that made the client.
  func used() throws(Failure) -> LoopClient {
    guard client.isInItsProcess else {
      throw .invalid("client: made before fork(2), in another process")
    }
    return client
  }

  var descriptor: CInt { client.descriptor }

  /// Does all that can be done without waiting, and returns how many callbacks were called.
  ///
  /// - Throws: `Failure` as `used` does, and where a callback calls it: what the one before it gets, its transition
  ///   and `contextdiff_last_error`, would be written over.
  func process() throws(Failure) -> Int {
    let client = try used()
    guard !isCalling else { throw .invalid("client: processed from within one of its callbacks") }
    isCalling = true
    defer { isCalling = false }
    return client.process()
  }

  /// Closes the client; a child of the process that made it may do so too.
  func close() {
    isCalling = true
    client.close()
  }

  /// A function that calls `callback` with a call's answer; `nil` where `callback` is NULL.
  func completion(
    _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
  ) -> LoopClient.Completion? {
    // Unsafe: the caller's function, whose arguments are valid until it returns.
    guard let callback = unsafe callback else { return nil }
    // Unowned: a client is closed before this object is released, and calls no completion after that.
    return { [unowned self] result in
      switch result {
      case .success(let answer):
        unsafe callback(
          0, Int64(answer.number), answer.transition.map { unsafe room.keep($0) }, data)
      case .failure(let error): unsafe callback(Failure(error).tell(), 0, nil, data)
      }
    }
  }

  /// Calls `callback` with a subscription's message.
  func tell(
    _ message: LoopClient.Message, _ callback: contextdiff_message_callback,
    _ data: UnsafeMutableRawPointer?
  ) {
    var told = contextdiff_message()
    told.size = MemoryLayout<contextdiff_message>.size
    var session = ""
    var instance = ""
    switch message {
    case .ready(let counted, let sequence):
      told.type = CONTEXTDIFF_MESSAGE_READY
      told.sequence = Int64(sequence)
      instance = counted
    case .event(let event, let counted):
      told.type = CONTEXTDIFF_MESSAGE_EVENT
      told.sequence = Int64(event.sequence)
      told.time = Int64(event.time)
      // Unsafe: the callback returns before the room is used again.
      unsafe told.transition = room.keep(event.transition)
      session = event.session
      instance = counted
    case .lost(let count, let sequence, let counted):
      told.type = CONTEXTDIFF_MESSAGE_LOST
      told.lost = Int64(count)
      told.sequence = Int64(sequence)
      instance = counted
    case .disconnected(let error):
      told.type = CONTEXTDIFF_MESSAGE_DISCONNECTED
      told.status = Failure(error).tell()
    case .ended(let error):
      told.type = CONTEXTDIFF_MESSAGE_ENDED
      told.status = Failure(error).tell()
    }
    session.lendText { session in
      instance.lendText { instance in
        told.session = session
        told.instance = instance
        // Unsafe: the caller's function, whose arguments are valid until it returns.
        unsafe callback(&told, data)
      }
    }
  }
}

extension String {
  /// Lends the text to `body` for C, with a NUL behind it.
  fileprivate func lendText(to body: (contextdiff_text) -> Void) {
    let length = utf8.count
    // Unsafe: what is lent is used in `body` alone.
    unsafe withCString { body(unsafe contextdiff_text(data: $0, length: length)) }
  }
}

extension Failure {
  /// The failure for an error of the client.
  init(_ error: LoopClientError) {
    switch error {
    case .unreachable(let path, let reason):
      self.init(CONTEXTDIFF_NOT_CONNECTED, "nobody answers at \(path): \(reason)")
    case .disconnected:
      self.init(
        CONTEXTDIFF_NOT_CONNECTED,
        "the daemon went away before it answered; it may have done the call")
    case .timedOut: self.init(CONTEXTDIFF_TIMED_OUT, "no answer within options.deadline")
    case .cancelled: self.init(CONTEXTDIFF_CANCELLED, "the client was freed")
    case .refused(let name, let detail):
      self.init(
        name == "io.contextdiff.NoSuchExpectation"
          ? CONTEXTDIFF_NO_SUCH_EXPECTATION : CONTEXTDIFF_REFUSED,
        detail.map { "\(name): \($0)" } ?? name)
    case .unreadable:
      self.init(
        CONTEXTDIFF_NOT_CONNECTED,
        "the daemon's answer cannot be read: it is of another version, or no contextdiffd")
    case .replyTooLarge(let limit):
      self.init(
        CONTEXTDIFF_NOT_CONNECTED,
        "the daemon's answer is longer than \(limit) bytes, the most that is read")
    case .tooManyCalls(let limit):
      self.init(CONTEXTDIFF_TOO_MANY_CALLS, "options.calls: \(limit) calls wait for an answer")
    case .tooMuchUnsent(let limit):
      self.init(
        CONTEXTDIFF_TOO_MANY_CALLS,
        "\(limit) bytes of calls wait to be sent, the most that are kept: for a daemon that does not read, or has not told its limit yet"
      )
    case .noDescriptors: self.init(CONTEXTDIFF_NO_MEMORY, "no file descriptors are left")
    case .tooLarge(let limit):
      self.init(
        CONTEXTDIFF_TOO_LARGE,
        "the call, with all of its texts and names: more than \(limit) bytes, the daemon's limits.frameBytes"
      )
    case .invalidSession:
      self = .invalid("session: not a name of \(SessionParameters.nameRule)")
    }
  }
}
