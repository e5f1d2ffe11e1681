/// A part of the daemon that reads what others have made, as a function of bytes: it traps where
/// something is wrong, and else does nothing.
public struct FuzzTarget: Sendable {
  /// The folder of its seeds.
  public let name: String
  /// Reads bytes.
  public let run: @Sendable (UnsafeRawBufferPointer) -> Void

  /// All of them.
  public static let all = [frames, json, pairs, idl, calls, session, archive, ring]

  /// The target of that name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Traps where `condition` does not hold, optimised or not.
func require(_ condition: Bool, _ message: StaticString) {
  if !condition { fatalError("\(message)") }
}
