internal import CContextDiff
internal import ContextDiff

/// What a `contextdiff_session` is: the session, how it is read, and the answer last given.
final class SessionObject {
  let classifier: Classifier
  let memoryLimit: Int
  var session: Session
  private var room = TransitionRoom()

  init(_ options: UnsafePointer<contextdiff_session_options>?) throws(Failure) {
    let given =
      if let options { try contextdiff_session_options(options, "options") } else {
        contextdiff_session_options()
      }
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
    place?.pointee = transition.map { room.keep($0) }
  }
}

/// The object behind a pointer that C holds.
@inline(__always)
func object<Object: AnyObject>(
  _ pointer: OpaquePointer?, _ name: String
) throws(Failure) -> Object {
  guard let pointer else { throw .invalid("\(name): NULL") }
  return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// A pointer for C to hold, until `release`.
func retained(_ object: some AnyObject) -> OpaquePointer {
  OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}
