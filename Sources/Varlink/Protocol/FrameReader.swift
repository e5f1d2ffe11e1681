internal import Glibc

/// Cuts a stream of bytes into frames: the bytes before each NUL.
///
/// Frames are handed out where they lie in the bytes just read; only one that is cut in two by the
/// end of a read is kept and put together. How far the kept bytes have been searched is remembered,
/// so that the cost grows in proportion to what arrives, whatever the chunks. A frame longer than
/// the limit is noticed as soon as its bytes are there, ended or not.
package struct FrameReader {
  /// A frame is longer than the limit.
  package struct FrameTooLarge: Error {
    package init() {}
  }

  /// What was read and not handed out: part of a frame or, after a stop, any number of them.
  private var kept: [UInt8] = []
  /// How many of the kept bytes have no NUL among them.
  private var searched = 0

  package init() {}

  /// How many bytes are kept.
  package var keptCount: Int { kept.count }

  /// Takes in what was read and hands out the frames that it completes, in order.
  ///
  /// - Parameters:
  ///   - bytes: what was read; empty to go on with what a stop has left.
  ///   - limit: how many bytes a frame may have, its NUL not counted.
  ///   - take: gets a frame, valid until it returns. Where it answers `false`, the rest is kept for
  ///     the next call.
  /// - Throws: ``FrameTooLarge`` after the frames before the one at fault have been handed out.
  ///   Nothing can be read any more then.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(FrameTooLarge) {
    var rest = bytes[...]
    if !kept.isEmpty {
      guard try readKept(limit: limit, take) else {
        kept.append(contentsOf: rest)
        return
      }
      // What is still kept has no NUL: its frame ends within the new bytes, or later.
      if !kept.isEmpty {
        guard let end = UnsafeRawBufferPointer(rebasing: rest).firstZero else {
          guard kept.count + rest.count <= limit else { throw FrameTooLarge() }
          kept.append(contentsOf: rest)
          searched = kept.count
          return
        }
        guard kept.count + end <= limit else { throw FrameTooLarge() }
        kept.append(contentsOf: rest.prefix(end))
        rest = rest.dropFirst(end + 1)
        let goesOn = kept.withUnsafeBytes(take)
        forgetKept()
        guard goesOn else {
          kept.append(contentsOf: rest)
          return
        }
      }
    }
    let left = try Self.cut(UnsafeRawBufferPointer(rebasing: rest), limit: limit, take)
    guard left.bytes > 0 else { return }
    kept.append(contentsOf: rest.suffix(left.bytes))
    searched = left.searched
  }

  /// Drops what is kept.
  package mutating func forget() {
    kept = []
    searched = 0
  }

  /// Hands out the frames among the kept bytes; keeps what follows them.
  ///
  /// Whether to go on.
  private mutating func readKept(
    limit: Int, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(FrameTooLarge) -> Bool {
    guard searched < kept.count else { return true }
    var goesOn = true
    // Taken out, so that a frame's bytes cannot be changed while it is in use.
    let bytes = kept
    kept = []
    let left = try bytes.withUnsafeBufferPointer { (bytes) throws(FrameTooLarge) in
      try Self.cut(UnsafeRawBufferPointer(bytes), limit: limit) { frame in
        goesOn = take(frame)
        return goesOn
      }
    }
    kept = left.bytes == bytes.count ? bytes : Array(bytes.suffix(left.bytes))
    searched = left.searched
    return goesOn
  }

  private mutating func forgetKept() {
    searched = 0
    // A frame of an unusual size must not hold on to its memory for as long as the connection
    // lives.
    kept.removeAll(keepingCapacity: kept.capacity <= 4096)
  }

  /// Hands out the frames in `bytes`.
  ///
  /// How many bytes are left at its end, and how many of those have no NUL.
  private static func cut(
    _ bytes: UnsafeRawBufferPointer, limit: Int, _ take: (UnsafeRawBufferPointer) -> Bool
  ) throws(FrameTooLarge) -> (bytes: Int, searched: Int) {
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let length = rest.firstZero else {
        guard rest.count <= limit else { throw FrameTooLarge() }
        return (rest.count, rest.count)
      }
      guard length <= limit else { throw FrameTooLarge() }
      start += length + 1
      guard take(UnsafeRawBufferPointer(rebasing: rest[..<length])) else {
        return (bytes.count - start, 0)
      }
    }
    return (0, 0)
  }
}

extension UnsafeRawBufferPointer {
  /// Where the first NUL is.
  fileprivate var firstZero: Int? {
    guard let baseAddress, let zero = memchr(baseAddress, 0, count) else { return nil }
    return UnsafeRawPointer(zero) - baseAddress
  }
}
