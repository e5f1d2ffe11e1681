internal import Glibc

/// A file, told from all others by its device and inode.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t

  /// The file at a path, a symbolic link itself and not what it leads to; `nil` where there is none.
  init?(path: String) {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file; `nil` where the descriptor is closed.
  init?(descriptor: Int32) {
    var status = stat()
    // Unsafe: C fills the status before it returns.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }
}
