import Foundation

/// The process's environment.
enum Environment {
  static subscript(name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
