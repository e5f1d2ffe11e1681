internal import Glibc

/// Which file a path leads to at some time.
struct FileIdentity: Equatable {
  let device: dev_t
  let inode: ino_t

  /// That of the file itself, be it a link; `nil` where there is none.
  init?(path: String) {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of an open file.
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
