// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CContextDiff
internal import ContextDiff
internal import ContextDiffLoopClient
internal import ContextDiffWire

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// contextdiff.h's client of the daemon. What each function does is said there.

@c @implementation
public func contextdiff_client_new(
  _ options: UnsafePointer<contextdiff_client_options>?
) -> OpaquePointer? {
  do { return retained(try ClientObject(options)) } catch {
    _ = error.tell()
    return nil
  }
}

@c @implementation
public func contextdiff_client_free(_ client: OpaquePointer?) {
  guard let client else { return }
  let object = Unmanaged<ClientObject>.fromOpaque(UnsafeRawPointer(client)).takeRetainedValue()
  withExtendedLifetime(object) { object.client.close() }
}

@c @implementation
public func contextdiff_client_fd(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    let object: ClientObject = try object(client, "client")
    return object.client.descriptor
  }
}

@c @implementation
public func contextdiff_client_events(_ client: OpaquePointer?) -> Int32 { Int32(POLLIN) }

@c @implementation
public func contextdiff_client_process(_ client: OpaquePointer?) -> Int32 {
  status { () throws(Failure) in
    // Held while callbacks run: one of them may free the client.
    let object: ClientObject = try object(client, "client")
    return withExtendedLifetime(object) { Int32(clamping: object.client.process()) }
  }
}

@c @implementation
public func contextdiff_client_post(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ observation: UnsafePointer<contextdiff_observation>?, _ flags: UInt32,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  call(client, session) { object, session throws(Failure) in
    let known = UInt32(CONTEXTDIFF_SECURE)
    guard flags & ~known == 0 else { throw .invalid("flags: no flag \(flags & ~known)") }
    let pair = try Pair(observation)
    let parameters = PairParameters(
      session: session, old: pair.old, new: pair.new, pasteboard: pair.pasteboard,
      evidence: pair.evidence, secure: flags & known != 0)
    return { () throws(LoopClientError) in
      try object.client.post(parameters, then: object.completion(callback, data))
    }
  }
}

@c @implementation
public func contextdiff_client_expect(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ from: UnsafePointer<contextdiff_snapshot>?, _ edit: UnsafePointer<contextdiff_edit>?,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  call(client, session) { object, session throws(Failure) in
    let edit = try Edit(edit)
    let from: Snapshot? = if let from { try Snapshot(from, "from") } else { nil }
    return { () throws(LoopClientError) in
      try object.client.expect(
        ExpectParameters(session: session, old: from, announcement: .edit(edit)),
        then: object.completion(callback, data))
    }
  }
}

@c @implementation
public func contextdiff_client_withdraw(
  _ client: OpaquePointer?, _ session: contextdiff_text, _ expected: Int64,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  call(client, session) { object, session in
    { () throws(LoopClientError) in
      try object.client.withdraw(
        WithdrawParameters(session: session, expected: Int(expected)),
        then: object.completion(callback, data))
    }
  }
}

@c @implementation
public func contextdiff_client_forget(
  _ client: OpaquePointer?, _ session: contextdiff_text, _ callback: contextdiff_reply_callback?,
  _ data: UnsafeMutableRawPointer?
) -> Int32 {
  call(client, session) { object, session in
    { () throws(LoopClientError) in
      try object.client.forget(
        SessionParameters(session: session), then: object.completion(callback, data))
    }
  }
}

/// Makes the call that `body` reads from its arguments.
private func call(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ body: (ClientObject, String) throws(Failure) -> () throws(LoopClientError) -> Void
) -> Int32 {
  status { () throws(Failure) in
    let object: ClientObject = try object(client, "client")
    guard let session = try session.string("session") else { throw .invalid("session: NULL") }
    let send = try body(object, session)
    do throws(LoopClientError) { try send() } catch { throw Failure(error) }
    return 0
  }
}

@c @implementation
public func contextdiff_client_subscribe(
  _ client: OpaquePointer?, _ subscription: UnsafePointer<contextdiff_subscription>?,
  _ callback: contextdiff_message_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  status { () throws(Failure) in
    let object: ClientObject = try object(client, "client")
    guard let callback else {
      object.client.subscribe(nil, tell: nil)
      return 0
    }
    let parameters = try SubscribeParameters(subscription)
    object.client.subscribe(parameters) { [unowned object] message in
      object.tell(message, callback, data)
    }
    return 0
  }
}

extension SubscribeParameters {
  fileprivate init(_ pointer: UnsafePointer<contextdiff_subscription>?) throws(Failure) {
    self.init()
    guard let pointer else { return }
    let given = try contextdiff_subscription(pointer, "subscription")
    if let names = given.sessions {
      guard (0...SubscribeParameters.sessionLimit).contains(given.session_count) else {
        throw .invalid(
          "subscription.session_count: more than \(SubscribeParameters.sessionLimit)")
      }
      var sessions: [String] = []
      for name in UnsafeBufferPointer(start: names, count: given.session_count) {
        guard let session = try name.string("subscription.sessions") else {
          throw .invalid("subscription.sessions: NULL")
        }
        guard SessionParameters.isName(session.utf8) else {
          throw .invalid(
            "subscription.sessions: not a name of 1 to 255 bytes without control characters")
        }
        sessions.append(session)
      }
      self.sessions = sessions
    }
    if given.since >= 0 { since = Int(given.since) }
    instance = try given.instance.string("subscription.instance")
  }
}
