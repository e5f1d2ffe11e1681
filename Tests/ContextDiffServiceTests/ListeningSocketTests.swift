import ContextDiffService
import Foundation
import Testing

@Suite final class ListeningSocketTests {
  /// Short: a socket's path may have 107 bytes.
  private let folder = "/tmp/cd-\(UInt32.random(in: 0 ... .max))"

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func mode(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_mode & 0o777) : -1
  }

  @Test func theFolderAndTheSocketAreTheUsersAlone() throws {
    let socket = try ListeningSocket(path: "\(folder)/io")
    defer { close(socket.descriptor) }
    #expect(mode(folder) == 0o700)
    #expect(mode("\(folder)/io") == 0o600)
    socket.removeFile()
    #expect(mode("\(folder)/io") == -1)
  }

  @Test func aGroupMayConnectWhereOneIsSet() throws {
    let socket = try ListeningSocket(path: "\(folder)/io", groupID: getegid())
    defer { close(socket.descriptor) }
    #expect(mode(folder) == 0o710)
    #expect(mode("\(folder)/io") == 0o660)
  }

  @Test func aSocketThatNobodyAnswersOnIsReplaced() throws {
    let dead = try ListeningSocket(path: "\(folder)/io")
    close(dead.descriptor)
    let socket = try ListeningSocket(path: "\(folder)/io")
    close(socket.descriptor)
  }

  @Test func aSocketThatSomebodyAnswersOnIsLeftAlone() throws {
    let socket = try ListeningSocket(path: "\(folder)/io")
    defer { close(socket.descriptor) }
    #expect(throws: SocketError.self) { try ListeningSocket(path: "\(folder)/io") }
    #expect(mode("\(folder)/io") == 0o600)
  }

  @Test func whatIsNoSocketIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/io"))
    #expect(throws: SocketError.self) { try ListeningSocket(path: "\(folder)/io") }
    #expect(FileManager.default.contents(atPath: "\(folder)/io") == Data("x".utf8))
  }

  @Test func aPathThatIsTooLongOrCannotBeMadeIsAnError() {
    let long = "\(folder)/" + String(repeating: "x", count: 120)
    #expect(throws: SocketError.self) { try ListeningSocket(path: long) }
    #expect(throws: SocketError.self) { try ListeningSocket(path: "/proc/none/io") }
  }

  @Test func theDefaultPlaceIsInTheRuntimeFolder() {
    #expect(
      ListeningSocket.defaultPath(environment: ["XDG_RUNTIME_DIR": "/run/user/7"])
        == "/run/user/7/contextdiff/io.contextdiff")
    #expect(ListeningSocket.defaultPath(environment: [:]) == nil)
    #expect(ListeningSocket.defaultPath(environment: ["XDG_RUNTIME_DIR": ""]) == nil)
  }
}
