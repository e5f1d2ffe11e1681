import AsyncVarlink
import Glibc
import Varlink

// Certifies the Varlink target: `varlink-certification server PATH` serves
// org.varlink.certification until it is ended, `varlink-certification client PATH` passes through
// it.

let arguments = CommandLine.arguments
guard arguments.count == 3, ["server", "client"].contains(arguments[1]) else {
  fatalError("usage: varlink-certification server|client PATH")
}
let path = arguments[2]
if arguments[1] == "client" {
  let client = try await VarlinkClient.connect(to: path)
  try await CertificationClient(client: client).run()
  await client.close()
  print("Certification passed")
} else {
  let loop = try EpollLoop()
  let server = VarlinkServer(
    info: VarlinkServiceInfo(
      vendor: "contextdiff", product: "varlink-certification", version: "1",
      url: "https://varlink.org"),
    interfaces: [try VarlinkInterface(description: CertificationInterface.description)],
    frameLimit: 1 << 20, connectionLimit: 64, handler: try CertificationService(), on: loop)
  try server.listen(at: path, mode: 0o600)
  print("Listening on \(path)")
  // Whoever started it waits for this line.
  fflush(nil)
  loop.run()
}
