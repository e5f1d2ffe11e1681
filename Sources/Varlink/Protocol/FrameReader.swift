internal import Glibc

/// Cuts a stream of bytes into Varlink's frames: the bytes before each NUL.
///
/// A frame is returned where it lies in the bytes just read, without a copy. Only bytes that are read before their
/// frame's end are copied and kept. Kept bytes are searched for a NUL once, so that the cost is linear in the bytes
/// read, however small the reads are. A frame longer than the limit fails as soon as more bytes than the limit have
/// come, before its NUL.
package final class FrameReader {
  /// A frame is longer than the limit; nothing more can be read from the stream.
  package struct FrameTooLarge: Error {
    package init() {}
  }

  /// What was read and not returned: the beginning of a frame or, after `keep`, any number of frames.
  private let kept = WipedBytes()
  /// The length, in bytes, of the beginning of `kept` that is known to hold no NUL.
  private var searched = 0
  /// How many bytes at the beginning of `kept` were returned last, with the NUL where it was kept; the next call
  /// removes them.
  private var handedOut = 0

  package init() {}

  /// The size, in bytes, of the memory for kept bytes.
  package var heldBytes: Int { kept.capacity }

  /// Whether bytes are kept that have not been searched, and so may hold a whole frame.
  package var hasUnsearched: Bool { max(searched, handedOut) < kept.count }

  /// Returns the next frame, without its NUL.
  ///
  /// - Parameters:
  ///   - bytes: what was read; empty to go on with the kept bytes. What is returned or kept is removed from its
  ///     beginning.
  ///   - limit: how many bytes a frame may have, its NUL not counted.
  /// - Returns: the frame, valid until the reader's next call, and only while `bytes` is; `nil` where no frame is
  ///   complete, and then all of `bytes` is kept.
  /// - Throws: ``FrameTooLarge``.
  package func next(
    in bytes: inout UnsafeRawBufferPointer, limit: Int
  ) throws(FrameTooLarge) -> UnsafeRawBufferPointer? {
    dropHandedOut()
    // Unsafe: frames are valid as documented above, and all ranges are within the bytes.
    if let end = unsafe kept.bytes.firstZero(from: searched) {
      guard end <= limit else { throw FrameTooLarge() }
      handedOut = end + 1
      return unsafe UnsafeRawBufferPointer(rebasing: kept.bytes[..<end])
    }
    // The kept bytes hold no NUL: the first frame in `bytes` is the rest of the one that begins there.
    let before = kept.count
    guard let end = unsafe bytes.firstZero(from: 0) else {
      guard before + bytes.count <= limit else { throw FrameTooLarge() }
      unsafe kept.append(bytes)
      unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
      searched = kept.count
      return nil
    }
    guard before + end <= limit else { throw FrameTooLarge() }
    defer { unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) }
    guard before > 0 else { return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end]) }
    unsafe kept.append(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    handedOut = kept.count
    return unsafe kept.bytes
  }

  /// Keeps a copy of what was read and not returned, for later calls of `next`.
  package func keep(_ bytes: UnsafeRawBufferPointer) {
    dropHandedOut()
    // Unsafe: copied at once.
    unsafe kept.append(bytes)
  }

  /// Removes the frame that was returned last from the kept bytes.
  private func dropHandedOut() {
    guard handedOut > 0 else { return }
    kept.removeFirst(handedOut)
    searched = 0
    handedOut = 0
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first NUL at or behind `start`; `nil` where there is none.
  fileprivate func firstZero(from start: Int) -> Int? {
    // Unsafe: only the bytes from `start` to the end are searched.
    guard let baseAddress, start < count,
      let zero = unsafe memchr(baseAddress + start, 0, count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(zero) - baseAddress
  }
}
