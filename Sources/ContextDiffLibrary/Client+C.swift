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

// The client of the daemon: contextdiff.h documents each function.
//
// Unsafe, in all functions: objects, structs and places that the caller passes are valid until the call returns, as
// contextdiff.h requires. A callback is kept with its data until its last call.

@c @implementation
public func contextdiff_client_new(
  _ options: UnsafePointer<contextdiff_client_options>?
) -> OpaquePointer? {
  unsafe retained { () throws(Failure) in unsafe try ClientObject(options) }
}

@c @implementation
public func contextdiff_client_free(_ client: OpaquePointer?) {
  guard let object: ClientObject = unsafe taken(client) else { return }
  // Callbacks hear why their calls fail; what failed before is what the caller may still ask for.
  var error = cd_error()
  unsafe cd_keep_last_error(&error)
  withExtendedLifetime(object) { object.close() }
  unsafe cd_restore_last_error(&error)
}

@c @implementation
public func contextdiff_client_fd(_ client: OpaquePointer?) -> Int32 {
  unsafe status(client, "client") { (object: ClientObject) throws(Failure) in
    object.descriptor
  }
}

@c @implementation
public func contextdiff_client_events(_ client: OpaquePointer?) -> Int32 { Int32(POLLIN) }

@c @implementation
public func contextdiff_client_process(_ client: OpaquePointer?) -> Int32 {
  unsafe status(client, "client") { (object: ClientObject) throws(Failure) in
    // The object is kept while callbacks run: one that frees the client, which none may do, is to do no harm.
    return Int32(
      clamping: try withExtendedLifetime(object) { () throws(Failure) in try object.process() })
  }
}

@c @implementation
public func contextdiff_client_post(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ observation: UnsafePointer<contextdiff_observation>?, _ flags: UInt32,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe call(client, session, callback, data) { client, session, complete throws(Failure) in
    let known = UInt32(CONTEXTDIFF_SECURE)
    guard flags & ~known == 0 else { throw .invalid("flags: no flag \(flags & ~known)") }
    let pair = unsafe try Pair(observation, limit: Interface.mostCallLimit)
    let parameters = PairParameters(
      session: session, old: pair.old, new: pair.new, pasteboard: pair.pasteboard,
      evidence: pair.evidence, secure: flags & known != 0)
    return { () throws(LoopClientError) in
      try client.post(parameters, then: complete)
    }
  }
}

@c @implementation
public func contextdiff_client_expect(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ from: UnsafePointer<contextdiff_snapshot>?, _ edit: UnsafePointer<contextdiff_edit>?,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe expect(client, session, from, callback, data) { () throws(Failure) in
    let edit = unsafe try Edit(edit, limit: Interface.mostCallLimit)
    guard edit.isValid else { throw .nothing }
    return .edit(edit)
  }
}

@c @implementation
public func contextdiff_client_expect_snapshot(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ from: UnsafePointer<contextdiff_snapshot>?, _ to: UnsafePointer<contextdiff_snapshot>?,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe expect(client, session, from, callback, data) { () throws(Failure) in
    let new = unsafe try Snapshot.told(to, "to", limit: Interface.mostCallLimit)
    guard let new else { throw .invalid("to: NULL") }
    return .snapshot(new)
  }
}

/// Announces the edit that `edit` reads from the caller's arguments.
private func expect(
  _ client: OpaquePointer?, _ session: contextdiff_text,
  _ from: UnsafePointer<contextdiff_snapshot>?, _ callback: contextdiff_reply_callback?,
  _ data: UnsafeMutableRawPointer?, _ edit: () throws(Failure) -> AnnouncedEdit
) -> Int32 {
  unsafe call(client, session, callback, data) { client, session, complete throws(Failure) in
    let edit = try edit()
    let from = unsafe try Snapshot.told(from, "from", limit: Interface.mostCallLimit)
    return { () throws(LoopClientError) in
      try client.expect(
        ExpectParameters(session: session, old: from, edit: edit), then: complete)
    }
  }
}

@c @implementation
public func contextdiff_client_withdraw(
  _ client: OpaquePointer?, _ session: contextdiff_text, _ expected: Int64,
  _ callback: contextdiff_reply_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe call(client, session, callback, data) { client, session, complete in
    { () throws(LoopClientError) in
      try client.withdraw(
        WithdrawParameters(session: session, expected: Int(expected)), then: complete)
    }
  }
}

@c @implementation
public func contextdiff_client_forget(
  _ client: OpaquePointer?, _ session: contextdiff_text, _ callback: contextdiff_reply_callback?,
  _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe call(client, session, callback, data) { client, session, complete in
    { () throws(LoopClientError) in
      try client.forget(SessionParameters(session: session), then: complete)
    }
  }
}

private typealias Send = () throws(LoopClientError) -> Void

/// Makes a call, which `body` reads from its arguments and returns as a function that sends it.
///
/// Returns 0, or the status of the error that `body` or sending throws.
private func call(
  _ client: OpaquePointer?, _ session: contextdiff_text, _ callback: contextdiff_reply_callback?,
  _ data: UnsafeMutableRawPointer?,
  _ body: (LoopClient, String, LoopClient.Completion?) throws(Failure) -> Send
) -> Int32 {
  unsafe status(client, "client") { (object: ClientObject) throws(Failure) in
    guard let session = try session.string("session") else { throw .invalid("session: NULL") }
    let send = try body(try object.used(), session, unsafe object.completion(callback, data))
    do throws(LoopClientError) { try send() } catch { throw Failure(error) }
    return 0
  }
}

@c @implementation
public func contextdiff_client_subscribe(
  _ client: OpaquePointer?, _ subscription: UnsafePointer<contextdiff_subscription>?,
  _ callback: contextdiff_message_callback?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe status(client, "client") { (object: ClientObject) throws(Failure) in
    let client = try object.used()
    guard let callback = unsafe callback else {
      client.subscribe(nil, tell: nil)
      return 0
    }
    let parameters = unsafe try SubscribeParameters(subscription)
    client.subscribe(parameters) { [unowned object] message in
      unsafe object.tell(message, callback, data)
    }
    return 0
  }
}

extension SubscribeParameters {
  /// A copy of a caller's subscription; NULL is one to all events from now on.
  fileprivate init(_ pointer: UnsafePointer<contextdiff_subscription>?) throws(Failure) {
    self.init()
    guard let given = unsafe try contextdiff_subscription.told(pointer, "subscription") else {
      return
    }
    if unsafe given.sessions == nil, given.session_count != 0 {
      throw .invalid("subscription.sessions: NULL, with a session_count of \(given.session_count)")
    }
    if let names = unsafe given.sessions {
      guard (0...SubscribeParameters.sessionLimit).contains(given.session_count) else {
        throw .invalid(
          "subscription.session_count: more than \(SubscribeParameters.sessionLimit)")
      }
      var sessions: [String] = []
      for index in 0..<given.session_count {
        guard let session = unsafe try names[index].string("subscription.sessions[\(index)]")
        else { throw .invalid("subscription.sessions[\(index)]: NULL") }
        guard SessionParameters.isName(session.utf8) else {
          throw .invalid(
            "subscription.sessions[\(index)]: not a name of \(SessionParameters.nameRule)")
        }
        sessions.append(session)
      }
      self.sessions = sessions
    }
    guard given.since >= -1 else { throw .invalid("subscription.since: less than -1") }
    if given.since >= 0 { since = Int(given.since) }
    instance = try given.instance.string("subscription.instance")
  }
}
