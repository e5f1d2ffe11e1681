internal import CLinux
internal import ContextDiffService
internal import Glibc
internal import Varlink

/// The sockets that this process made itself, made anew where something takes their files away:
/// nobody else would.
///
/// Belongs to the daemon's loop. No timer runs while the files are there: inotify(7) tells.
final class OwnSockets {
  private var sockets: [ListeningSocket]
  private var groupID: UInt32?
  private let loop: EpollLoop
  private let listener: VarlinkListener
  private let journal: ServiceJournal
  private let inotify: Int32
  private var check: EpollLoop.Timer?
  private var isToldOfFailure = false

  /// Has `listener` go on with sockets in the place of those whose files go.
  init(
    _ sockets: [ListeningSocket], groupID: UInt32?, loop: EpollLoop, listener: VarlinkListener,
    journal: ServiceJournal
  ) throws {
    self.sockets = sockets
    self.groupID = groupID
    self.loop = loop
    self.listener = listener
    self.journal = journal
    inotify = sockets.isEmpty ? -1 : clinux_inotify()
    // Without one, files that go are gone: nothing else depends on it.
    guard inotify >= 0 else { return }
    for socket in sockets { watch(socket) }
    try loop.watch(inotify, for: .readable) { [unowned self] _ in heed() }
  }

  deinit { if inotify >= 0 { close(inotify) } }

  /// Takes the files away: the daemon ends.
  func removeFiles() {
    check?.cancel()
    for socket in sockets { socket.removeFile() }
  }

  private func watch(_ socket: ListeningSocket) {
    // Unsafe: C reads the path before it returns.
    unsafe clinux_watch_folder(inotify, socket.folder)
  }

  private func heed() {
    // Unsafe: C fills no more than there is room for, and nobody reads it.
    unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while unsafe read(inotify, buffer.baseAddress, buffer.count) > 0 {}
    }
    checkSoon()
  }

  /// Looks in a second: who removes the folder too is not to find a new file in it.
  private func checkSoon() {
    guard check == nil else { return }
    check = loop.schedule(after: .seconds(1)) { [unowned self] in
      check = nil
      for place in sockets.indices where !sockets[place].isInPlace { renew(place) }
    }
  }

  /// Lets another group connect from now on, or none.
  func admit(_ groupID: UInt32?) {
    guard groupID != self.groupID else { return }
    self.groupID = groupID
    for socket in sockets where socket.isInPlace {
      do { try socket.admit(groupID) } catch { journal.socketNotGiven("\(error)") }
    }
  }

  private func renew(_ place: Int) {
    do {
      let socket = try sockets[place].renewed(groupID: groupID)
      do { try listener.listen(on: socket.descriptor) } catch {
        socket.close()
        throw error
      }
      listener.stop(listeningOn: sockets[place].descriptor)
      sockets[place] = socket
      isToldOfFailure = false
      journal.socketRenewed(socket.path)
      watch(socket)
    } catch {
      if !isToldOfFailure { journal.socketLost("\(error)") }
      isToldOfFailure = true
      checkSoon()
    }
  }
}
