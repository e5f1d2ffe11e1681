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

  @Test func whereItFailsItLeavesNoFolder() throws {
    #expect(throws: SocketError.self) {
      try ListeningSocket(path: "\(folder)/\(String(repeating: "x", count: 108))")
    }
    #expect(mode(folder) == -1)
  }

  @Test func aSocketHasOnePlaceByWhateverPath() throws {
    // Its folder is not there yet.
    let place = ListeningSocket.place(of: "\(folder)/io")
    let socket = try ListeningSocket(path: "\(folder)/io")
    defer { socket.close() }
    #expect(ListeningSocket.place(of: "\(folder)/io") == place)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: folder)
    for same in ["/tmp/..\(folder)/./io", "\(folder)//io", "\(folder)/link/io"] {
      #expect(ListeningSocket.place(of: same) == place)
    }
    #expect(ListeningSocket.place(of: "\(folder)/other") != place)
    #expect(ListeningSocket.place(of: "io") == ListeningSocket.place(of: "./io"))
    #expect(ListeningSocket.place(of: "/io") == ListeningSocket.place(of: "/../io"))
  }

  @Test func aGroupMayConnectWhereOneIsSet() throws {
    let socket = try ListeningSocket(path: "\(folder)/io", groupID: getegid())
    defer { close(socket.descriptor) }
    #expect(mode(folder) == 0o710)
    #expect(mode("\(folder)/io") == 0o660)
  }

  @Test func aLockOnTheFolderKeepsNobodyWaiting() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // As anybody may who may read the folder.
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX) == 0)
    let socket = try ListeningSocket(path: "\(folder)/io")
    close(socket.descriptor)
  }

  @Test func onlyOneProcessAtATimeMakesASocket() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let lock = open("\(folder)/io.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(flock(lock, LOCK_EX) == 0)
    let error = #expect(throws: SocketError.self) { try ListeningSocket(path: "\(folder)/io") }
    #expect(error?.description.contains("by another process") == true)
    close(lock)
    let socket = try ListeningSocket(path: "\(folder)/io")
    close(socket.descriptor)
    #expect(mode("\(folder)/io.lock") == -1)
  }

  @Test func anotherGroupOrNoneCanBeLetInLater() throws {
    let socket = try ListeningSocket(path: "\(folder)/io")
    defer { socket.close() }
    try socket.admit(getegid())
    #expect(mode(folder) == 0o710)
    #expect(mode("\(folder)/io") == 0o660)
    try socket.admit(nil)
    #expect(mode(folder) == 0o700)
    #expect(mode("\(folder)/io") == 0o600)
  }

  @Test func aFolderThatWasThereIsLeftAsItIs() throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o750])
    let socket = try ListeningSocket(path: "\(folder)/io", groupID: getegid())
    defer { socket.close() }
    #expect(mode(folder) == 0o750)
    #expect(mode("\(folder)/io") == 0o660)
  }

  private func listenInOwnFolder() throws {
    for socket in try ListeningSocket.listen(at: ["\(folder)/io"], needsOwnFolder: true) {
      socket.close()
    }
  }

  /// Expects that a socket in `folder` is refused because of `problem`, and removes the folder.
  private func expectRefused(_ problem: String) throws {
    let error = #expect(throws: SocketError.self) { try listenInOwnFolder() }
    #expect(error?.description.hasPrefix("\(folder) \(problem): ") == true)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aFolderThatIsNotTheUsersOwnIsRefusedWhereItMustBe() throws {
    let files = FileManager.default
    try listenInOwnFolder()
    for mode in [0o700, 0o710, 0o755, 0o720, 0o702] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
      #expect(chmod(folder, mode_t(mode)) == 0)
      if mode & 0o022 != 0 {
        try expectRefused("may be written to by others")
      } else {
        try listenInOwnFolder()
        try files.removeItem(atPath: folder)
      }
    }
    try files.createSymbolicLink(atPath: folder, withDestinationPath: "/tmp")
    try expectRefused("is a symbolic link")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func aFolderOfAnotherUserIsRefused() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(chown(folder, 65_534, 65_534) == 0)
    try expectRefused("belongs to another user")
  }

  @Test func aFolderThatWasMadeForTheSocketGoesWithIt() throws {
    try ListeningSocket(path: "\(folder)/io").close()
    #expect(mode(folder) == -1)
    // So that the next one's is its own again.
    let socket = try ListeningSocket(path: "\(folder)/io", groupID: getegid())
    #expect(mode(folder) == 0o710)
    try Data().write(to: URL(fileURLWithPath: "\(folder)/somebody's"))
    socket.close()
    #expect(mode(folder) == 0o710)
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

  @Test func aListenerWithoutRoomForOneMoreAnswers() throws {
    let socket = try ListeningSocket(path: "\(folder)/io")
    defer { close(socket.descriptor) }
    listen(socket.descriptor, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder)/io".utf8)) }
    var waiting: [Int32] = []
    defer { for client in waiting { close(client) } }
    var isFull = false
    while !isFull {
      let client = Glibc.socket(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      waiting.append(client)
      let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(result == 0 || errno == EAGAIN)
      isFull = result != 0
    }
    #expect(throws: SocketError.self) { try ListeningSocket(path: "\(folder)/io") }
  }

  @Test func onlyItsOwnFileIsTakenAway() throws {
    let first = try ListeningSocket(path: "\(folder)/io")
    close(first.descriptor)
    // Kept by another name, so that the next file cannot have its number.
    #expect(link("\(folder)/io", "\(folder)/kept") == 0)
    let second = try ListeningSocket(path: "\(folder)/io")
    defer { close(second.descriptor) }
    first.removeFile()
    #expect(mode("\(folder)/io") == 0o600)
    second.removeFile()
    #expect(mode("\(folder)/io") == -1)
  }

  @Test func whereOneOfSeveralCannotBeMadeNoneIsLeft() throws {
    #expect(throws: SocketError.self) {
      try ListeningSocket.listen(at: ["\(folder)/a", "/proc/none/io"])
    }
    #expect(mode("\(folder)/a") == -1)
  }

  @Test func anEmptyPathIsCalledEmpty() {
    let error = #expect(throws: SocketError.self) { try ListeningSocket(path: "") }
    #expect(error?.description.contains("is empty") == true)
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
