public import ArgumentParser
public import ContextDiff
import ContextDiffWire

extension Window: ExpressibleByArgument {}
extension Kind: ExpressibleByArgument {}
extension Cause: ExpressibleByArgument {}

/// A session's name, checked where it is given.
///
/// Not completed by the daemon's list: bash expands what it is offered, and a name may hold `$(…)`.
struct SessionName: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard 1...SessionParameters.nameLimit ~= argument.utf8.count,
      argument.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    name = argument
  }
}
