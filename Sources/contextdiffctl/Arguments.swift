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
    guard SessionParameters.isName(argument.utf8) else { return nil }
    name = argument
  }
}
