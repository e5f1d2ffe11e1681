// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CContextDiff
internal import ContextDiff

// Fields, which read what hosts hand over: contextdiff.h documents each function.
//
// Unsafe, in all functions: objects, structs and places that the caller passes are valid until the call returns, as
// contextdiff.h requires.

@c @implementation
public func contextdiff_key_class(_ keysym: UInt32, _ modifiers: UInt32) -> contextdiff_key {
  Key(keysym: keysym, modifiers: modifiers)?.number ?? CONTEXTDIFF_KEY_NOT_TOLD
}

@c @implementation
public func contextdiff_toolkit_of(
  _ client: contextdiff_text, _ program: contextdiff_text
) -> contextdiff_toolkit {
  do {
    return Toolkit(client: try client.string("client"), program: try program.string("program"))
      .number
  } catch { return CONTEXTDIFF_TOOLKIT_UNKNOWN }
}

@c @implementation
public func contextdiff_field_new(
  _ frontEnd: contextdiff_front_end, _ toolkit: contextdiff_toolkit
) -> OpaquePointer? {
  unsafe retained { () throws(Failure) in try FieldObject(frontEnd, toolkit) }
}

@c @implementation
public func contextdiff_field_free(_ field: OpaquePointer?) {
  let _: FieldObject? = unsafe taken(field)
}

@c @implementation
public func contextdiff_field_focus_in(_ field: OpaquePointer?) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    object.focusIn()
    return 0
  }
}

@c @implementation
public func contextdiff_field_set_toolkit(
  _ field: OpaquePointer?, _ toolkit: contextdiff_toolkit
) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    object.field.toolkit = try Toolkit.told(toolkit)
    return 0
  }
}

@c @implementation
public func contextdiff_field_reset(_ field: OpaquePointer?) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    object.reset()
    return 0
  }
}

@c @implementation
public func contextdiff_field_commit(_ field: OpaquePointer?, _ text: contextdiff_text) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    try object.commit(text)
    return 0
  }
}

@c @implementation
public func contextdiff_field_key(
  _ field: OpaquePointer?, _ keysym: UInt32, _ modifiers: UInt32
) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    object.field.key(keysym: keysym, modifiers: modifiers)
    return 0
  }
}

@c @implementation
public func contextdiff_field_surrounding_text(
  _ field: OpaquePointer?, _ text: contextdiff_text, _ cursor: Int64, _ anchor: Int64,
  _ observation: UnsafeMutablePointer<contextdiff_observation>?
) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    unsafe try object.see(text, cursor: cursor, anchor: anchor, into: observation) ? 1 : 0
  }
}

@c @implementation
public func contextdiff_field_surrounding_utf16(
  _ field: OpaquePointer?, _ text: UnsafePointer<UInt16>?, _ length: Int, _ cursor: Int64,
  _ anchor: Int64, _ observation: UnsafeMutablePointer<contextdiff_observation>?
) -> Int32 {
  unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    unsafe try object.see(
      text, length: length, cursor: cursor, anchor: anchor, into: observation) ? 1 : 0
  }
}

@c @implementation
public func contextdiff_field_post(
  _ field: OpaquePointer?, _ session: OpaquePointer?, _ text: contextdiff_text, _ cursor: Int64,
  _ anchor: Int64, _ transition: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
) -> Int32 {
  unsafe transition?.pointee = nil
  return unsafe status(field, "field") { (object: FieldObject) throws(Failure) in
    let reader: SessionObject = unsafe try ContextDiffLibrary.object(session, "session")
    guard let news = try object.news(text, cursor: cursor, anchor: anchor) else { return 0 }
    let done = reader.session.post(news, with: reader.classifier)
    unsafe reader.give(done, to: transition)
    return done == nil ? 0 : 1
  }
}
