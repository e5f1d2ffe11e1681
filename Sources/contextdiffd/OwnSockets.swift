internal import CLinux
internal import ContextDiffService
internal import Glibc
internal import Varlink

/// The sockets that this process made itself; it makes a socket anew where the socket's file is removed.
///
/// Belongs to the daemon's loop. inotify(7) tells of removed files, so that no timer runs while they are there.
final class OwnSockets {
  private var sockets: [ListeningSocket]
  private var groupID: UInt32?
  private let loop: EpollLoop
  private let listener: VarlinkListener
  private let journal: ServiceJournal
  private let inotify: Int32
  /// Runs while a check of the files is due.
  private var check: EpollLoop.Timer?
  /// Whether that check is due in a second.
  private var isCheckSoon = false
  /// Whether the last attempt to make a socket anew failed, which is logged once.
  private var isFailureLogged = false

  /// Watches `sockets`, on which `listener` listens already; it is told of each socket that replaces one.
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
    // Without inotify, removed files are not made anew; everything else works.
    guard inotify >= 0 else { return }
    for socket in sockets { watch(socket) }
    try loop.watch(inotify, for: .readable) { [unowned self] _ in readEvents() }
  }

  deinit { if inotify >= 0 { close(inotify) } }

  /// Removes the files, since the daemon ends.
  func removeFiles() {
    check?.cancel()
    sockets.removeFiles()
  }

  /// Watches the folder of `socket`, which may be watched already.
  ///
  /// - Returns: Whether it is watched; `false` where there is none.
  @discardableResult
  private func watch(_ socket: ListeningSocket) -> Bool {
    // Unsafe: C reads the path before it returns.
    unsafe clinux_watch_folder(inotify, socket.folder) == 0
  }

  /// Reads the events that have come, whatever they are, and has the files checked.
  private func readEvents() {
    // Unsafe: C fills no more than there is room for, and nobody looks at the bytes.
    unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while unsafe read(inotify, buffer.baseAddress, buffer.count) > 0 {}
    }
    checkFiles(isSoon: true)
  }

  /// Checks the files in a second or, where an event will tell of what changes, in a minute, and makes sockets anew whose
  /// files are gone.
  ///
  /// Not at once: somebody who removes the file and then its folder must not find a new file in it. After a minute all
  /// the same, for there is no event when another process that took the place is killed: its file stays.
  private func checkFiles(isSoon: Bool) {
    guard check == nil || isSoon && !isCheckSoon else { return }
    check?.cancel()
    isCheckSoon = isSoon
    check = loop.schedule(after: isSoon ? .seconds(1) : .seconds(60)) { [unowned self] in
      check = nil
      for place in sockets.indices where !sockets[place].isInPlace { renew(place) }
    }
  }

  /// Lets the members of that group connect from now on, and no others; `nil` for no group.
  ///
  /// Also where the group is the same: the last time it may have failed, or a file not have been in its place.
  func admit(_ groupID: UInt32?) {
    var isGiven = true
    for socket in sockets where socket.isInPlace {
      do { try socket.admit(groupID) } catch {
        journal.socketNotGiven("\(error)")
        isGiven = false
      }
    }
    // Else a socket made anew gets the group that could be given last.
    if isGiven { self.groupID = groupID }
  }

  /// Makes the socket at that index anew; where this fails, it is tried again when something changes in its folder, and
  /// in a minute, or in a second where it has no folder.
  private func renew(_ place: Int) {
    // Before it is tried, so that no change is missed; the folder may be another one by now.
    let isWatched = watch(sockets[place])
    do {
      let socket = try sockets[place].renewed(groupID: groupID)
      do { try listener.listen(on: socket.descriptor) } catch {
        socket.close()
        throw error
      }
      listener.stop(listeningOn: sockets[place].descriptor)
      sockets[place] = socket
      isFailureLogged = false
      journal.socketRenewed(socket.path)
      watch(socket)
    } catch {
      if !isFailureLogged { journal.socketLost("\(error)") }
      isFailureLogged = true
      checkFiles(isSoon: !isWatched)
    }
  }
}
