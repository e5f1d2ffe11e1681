extension CommandLine {
  /// The number, from 1, of the first argument that is not UTF-8; `nil` where all are.
  ///
  /// Swift would replace the bytes that are not, so that the argument stood for another text, or named another socket or
  /// file.
  package static var numberOfArgumentNotUTF8: Int? {
    (1..<max(1, Int(CommandLine.argc))).first { number in
      // Unsafe: the process's own arguments, each ended by a zero.
      guard let argument = unsafe CommandLine.unsafeArgv[number] else { return false }
      return unsafe String(validatingCString: argument) == nil
    }
  }
}
