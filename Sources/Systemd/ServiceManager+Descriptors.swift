internal import CSystemd
internal import Glibc

extension ServiceManager {
  /// The descriptors that the manager handed to this process, in its order, each with its name;
  /// close-on-exec, owned by the caller.
  ///
  /// Listening sockets have the name of `FileDescriptorName=`, or of their socket unit; descriptors
  /// kept by ``store(descriptor:name:)`` come back here too, under the name they were stored by, so
  /// that the caller must tell them apart by it. Empty where there is none, where the variables are
  /// for another process, and at every call but the first: it takes `$LISTEN_FDS`, `$LISTEN_PID`
  /// and `$LISTEN_FDNAMES` out of the environment, so call it before there is a second thread. C:
  /// `sd_listen_fds_with_names`.
  public static func listenDescriptors() -> [(descriptor: Int32, name: String)] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count > 0, let names else { return [] }
    defer { free(names) }
    return (0..<count).map { index in
      let name = names[Int(index)]
      defer { free(name) }
      return (SD_LISTEN_FDS_START + index, name.map { String(cString: $0) } ?? "")
    }
  }

  /// Asks the manager to keep a copy of `descriptor` over a restart or a crash (`FDSTORE=1`,
  /// `FDNAME=`).
  ///
  /// It comes back from ``listenDescriptors()`` of the next process. The manager keeps as many as
  /// the unit's `FileDescriptorStoreMax=` allows, and tells nobody where it doesn't. Names aren't
  /// unique: the caller takes the old one out first. `FDPOLL=0` keeps the manager from watching it
  /// for a hang-up, which a file never has.
  ///
  /// `name`: up to 255 ASCII characters without controls and colons. C: `sd_pid_notify_with_fds`.
  public static func store(descriptor: Int32, name: String) {
    guard let message = datagram(of: ["FDSTORE=1", "FDNAME=" + name, "FDPOLL=0"]) else { return }
    withUnsafePointer(to: descriptor) { descriptors in
      _ = sd_pid_notify_with_fds(0, 0, message, descriptors, 1)
    }
  }

  /// Asks the manager to give up all that it keeps under `name` (`FDSTOREREMOVE=1`, `FDNAME=`).
  public static func removeStored(name: String) {
    notify(["FDSTOREREMOVE=1", "FDNAME=" + name])
  }
}
