// Lets libFuzzer look for inputs that make a target trap: `fuzz TARGET [libFuzzer's options and
// folders]`. Built by scripts/fuzz alone, since only a clang with its runtime can link it.

import FuzzTargets

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

nonisolated(unsafe) var target = FuzzTarget.all[0]

guard CommandLine.argc > 1, let name = CommandLine.unsafeArgv[1],
  let found = FuzzTarget.named(String(cString: name))
else {
  print("usage: fuzz \(FuzzTarget.all.map(\.name).joined(separator: "|")) [OPTION]... [FOLDER]...")
  fatalError("no such target")
}
target = found
// libFuzzer takes the program's name, then its own.
var count = CommandLine.argc - 1
var arguments = CommandLine.unsafeArgv + 1
let status = runFuzzer(&count, &arguments) { bytes, count in
  target.run(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
