internal import CContextDiff
internal import ContextDiff

/// The object behind a `contextdiff_session`: the session, its options, and the memory of the caller's transition.
final class SessionObject {
  let classifier: Classifier
  /// How many bytes of text the session remembers at most.
  let memoryLimit: Int
  var session: Session
  private var room = TransitionRoom()

  /// A session with a caller's options; NULL is the defaults.
  init(_ options: UnsafePointer<contextdiff_session_options>?) throws(Failure) {
    // Unsafe: copied at once.
    let given =
      unsafe try contextdiff_session_options.told(options, "options")
      ?? contextdiff_session_options()
    guard given.memory >= 0, given.memory <= Int(countLimit) else {
      throw .invalid("options.memory: more than \(countLimit) bytes")
    }
    memoryLimit = given.memory == 0 ? Session.standardMemoryLimit : given.memory
    let terminators = try given.terminators.string("options.terminators")
    classifier = Classifier(terminators: terminators.map(Terminators.init) ?? .standard)
    session = Session(memoryLimit: memoryLimit)
  }

  /// Writes a pointer to a copy of `transition`, or NULL where that is `nil`, to the caller's `place`, if there is one.
  func give(
    _ transition: Transition?,
    to place: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
  ) {
    // Unsafe: the caller's place; the copy is valid until the object's next call, as contextdiff.h says.
    unsafe place?.pointee = transition.map { unsafe room.keep($0) }
  }
}
