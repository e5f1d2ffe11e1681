internal import CContextDiff
internal import ContextDiff

/// What a `contextdiff_session` is: the session, how it is read, and the answer last given.
final class SessionObject {
  let classifier: Classifier
  let memoryLimit: Int
  var session: Session
  private var room = TransitionRoom()

  init(_ options: UnsafePointer<contextdiff_session_options>?) throws(Failure) {
    // Unsafe: copied at once.
    let given =
      unsafe try contextdiff_session_options.told(options, "options")
      ?? contextdiff_session_options()
    guard given.memory >= 0, given.memory <= Int(countLimit) else {
      throw .invalid("options.memory: more than \(countLimit) bytes")
    }
    memoryLimit = given.memory == 0 ? 65_536 : given.memory
    let terminators = try given.terminators.string("options.terminators")
    classifier = Classifier(terminators: terminators.map(Terminators.init) ?? .standard)
    session = Session(memoryLimit: memoryLimit)
  }

  /// Gives a transition to a caller who asks for it; NULL where there is none.
  func give(
    _ transition: Transition?,
    to place: UnsafeMutablePointer<UnsafePointer<contextdiff_transition>?>?
  ) {
    // Unsafe: the caller's place, if any; what is put there stays as long as contextdiff.h says.
    unsafe place?.pointee = transition.map { unsafe room.keep($0) }
  }
}
