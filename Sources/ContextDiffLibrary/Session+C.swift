// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CContextDiff
internal import ContextDiff

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Sessions: contextdiff.h documents each function. The compiler checks that each has the type that is declared there.
//
// Unsafe, in all functions: objects, structs and places that the caller passes are valid until the call returns, as
// contextdiff.h requires.

@c @implementation
public func contextdiff_version() -> UInt32 {
  UInt32(
    CONTEXTDIFF_VERSION_MAJOR << 16 | CONTEXTDIFF_VERSION_MINOR << 8 | CONTEXTDIFF_VERSION_PATCH)
}

/// The kinds' names, by their numbers; C keeps them for as long as the process runs.
///
/// Unsafe: made once, and neither changed nor freed.
nonisolated(unsafe) private let kindNames: [contextdiff_kind: UnsafePointer<CChar>] = {
  var names: [contextdiff_kind: UnsafePointer<CChar>] = unsafe [:]
  for kind in Kind.allCases {
    if let name = unsafe strdup(kind.rawValue) { unsafe names[kind.number] = UnsafePointer(name) }
  }
  return unsafe names
}()

@c @implementation
public func contextdiff_kind_name(_ kind: contextdiff_kind) -> UnsafePointer<CChar>? {
  unsafe kindNames[kind]
}

@c @implementation
public func contextdiff_kind_is_move(_ kind: contextdiff_kind) -> Int32 {
  (Kind(number: kind) ?? .outOfRangeTap).isMove ? 1 : 0
}

@c @implementation
public func contextdiff_session_new(
  _ options: UnsafePointer<contextdiff_session_options>?
) -> OpaquePointer? {
  unsafe retained { () throws(Failure) in unsafe try SessionObject(options) }
}

@c @implementation
public func contextdiff_session_free(_ session: OpaquePointer?) {
  let _: SessionObject? = unsafe taken(session)
}

@c @implementation
public func contextdiff_session_post(
  _ session: OpaquePointer?, _ observation: UnsafePointer<contextdiff_observation>?,
  _ transition: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
) -> Int32 {
  unsafe answer(session, observation, transition) { object, pair in
    if pair.namesShortcuts { object.session.namesShortcuts = true }
    return object.session.post(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: object.classifier)
  }
}

@c @implementation
public func contextdiff_session_preview(
  _ session: OpaquePointer?, _ observation: UnsafePointer<contextdiff_observation>?,
  _ transition: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
) -> Int32 {
  unsafe answer(session, observation, transition) { object, pair in
    // A copy, since nothing is kept of a preview.
    var session = object.session
    if pair.namesShortcuts { session.namesShortcuts = true }
    return session.preview(
      old: pair.old, new: pair.new, pasteboard: pair.pasteboard, evidence: pair.evidence,
      with: object.classifier)
  }
}

@c @implementation
public func contextdiff_session_classify(
  _ session: OpaquePointer?, _ observation: UnsafePointer<contextdiff_observation>?,
  _ transition: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
) -> Int32 {
  unsafe answer(session, observation, transition) { object, pair throws(Failure) in
    guard let observation = pair.observation else { throw .invalid("observation.from: NULL") }
    return object.classifier.classify(observation, namesShortcuts: pair.namesShortcuts)
  }
}

@c @implementation
public func contextdiff_session_expect(
  _ session: OpaquePointer?, _ from: UnsafePointer<contextdiff_snapshot>?,
  _ edit: UnsafePointer<contextdiff_edit>?
) -> Int64 {
  unsafe announced(session) { object throws(Failure) in
    let edit = unsafe try Edit(edit)
    let from = unsafe try Snapshot.told(from, "from")
    return { () throws(Session.ExpectError) in
      try object.session.expect(old: from, edit: edit, with: object.classifier)
    }
  }
}

@c @implementation
public func contextdiff_session_expect_snapshot(
  _ session: OpaquePointer?, _ from: UnsafePointer<contextdiff_snapshot>?,
  _ to: UnsafePointer<contextdiff_snapshot>?
) -> Int64 {
  unsafe announced(session) { object throws(Failure) in
    guard let new = unsafe try Snapshot.told(to, "to") else { throw .invalid("to: NULL") }
    let from = unsafe try Snapshot.told(from, "from")
    return { () throws(Session.ExpectError) in
      try object.session.expect(old: from, new: new, with: object.classifier)
    }
  }
}

/// Announces an edit, which `body` reads from its arguments and returns as a function that announces it.
///
/// Returns the edit's number, or the status of the error that `body` or announcing throws.
private func announced(
  _ session: OpaquePointer?,
  _ body: (SessionObject) throws(Failure) -> () throws(Session.ExpectError) -> Int
) -> Int64 {
  unsafe status(session, "session") { (object: SessionObject) throws(Failure) in
    let announce = try body(object)
    do throws(Session.ExpectError) { return Int64(try announce()) } catch {
      switch error {
      case .noBaseline:
        throw Failure(CONTEXTDIFF_NO_BASELINE, "nothing says where the edit begins")
      case .invalidEdit: throw .nothing
      }
    }
  }
}

@c @implementation
public func contextdiff_session_withdraw(_ session: OpaquePointer?, _ expected: Int64) -> Int32 {
  unsafe status(session, "session") { (object: SessionObject) throws(Failure) in
    do { try object.session.withdraw(Int(expected)) } catch {
      throw Failure(
        CONTEXTDIFF_NO_SUCH_EXPECTATION, "expected: no announced edit \(expected) waits")
    }
    return 0
  }
}

@c @implementation
public func contextdiff_session_forget(_ session: OpaquePointer?) -> Int32 {
  unsafe status(session, "session") { (object: SessionObject) throws(Failure) in
    object.session = Session(memoryLimit: object.memoryLimit)
    return 0
  }
}

/// Has `read` read the caller's pair, gives the caller the transition, if there is one, and returns the call's status.
private func answer(
  _ session: OpaquePointer?, _ observation: UnsafePointer<contextdiff_observation>?,
  _ transition: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?,
  by read: (SessionObject, Pair) throws(Failure) -> Transition?
) -> Int32 {
  unsafe transition?.pointee = nil
  return unsafe status(session, "session") { (object: SessionObject) throws(Failure) in
    let pair = unsafe try Pair(observation)
    unsafe object.give(try read(object, pair), to: transition)
    return 0
  }
}
