internal import Glibc

/// Cuts a stream of bytes into frames: the bytes before each NUL.
///
/// Frames are handed out where they lie in the bytes just read; only one that is cut in two by the
/// end of a read is kept and put together. How far the kept bytes have been searched is remembered,
/// so that the cost grows in proportion to what arrives, whatever the chunks. A frame longer than
/// the limit is noticed as soon as its bytes are there, ended or not.
package final class FrameReader {
  /// A frame is longer than the limit.
  package struct FrameTooLarge: Error {
    package init() {}
  }

  /// What was read and not handed out: part of a frame or, after a stop, any number of them.
  private let kept = WipedBytes()
  /// How many of the kept bytes have no NUL among them.
  private var searched = 0
  /// How many of the kept bytes were handed out last.
  private var handedOut = 0

  package init() {}

  /// How much memory they take, in bytes.
  package var heldBytes: Int { kept.capacity }

  /// Whether bytes are kept that may hold a whole frame.
  package var hasUnsearched: Bool { max(searched, handedOut) < kept.count }

  /// The next frame; `nil` where it is not complete: then all of `bytes` is kept.
  ///
  /// - Parameters:
  ///   - bytes: what was read; loses what is handed out or kept. Empty to go on with what is kept.
  ///   - limit: how many bytes a frame may have, its NUL not counted.
  /// - Returns: the frame, valid until the next call of anything here, and only while `bytes` is.
  /// - Throws: ``FrameTooLarge``. Nothing can be read any more then.
  package func next(
    in bytes: inout UnsafeRawBufferPointer, limit: Int
  ) throws(FrameTooLarge) -> UnsafeRawBufferPointer? {
    dropHandedOut()
    // Unsafe: what is kept is handed out as the caller is told; what is lent, at places below its
    // count.
    if let end = unsafe kept.bytes.firstZero(from: searched) {
      guard end <= limit else { throw FrameTooLarge() }
      handedOut = end + 1
      return unsafe UnsafeRawBufferPointer(rebasing: kept.bytes[..<end])
    }
    // A frame that has begun among the kept bytes ends within the new ones, or later.
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

  /// Keeps what was read and not handed out, for later.
  package func keep(_ bytes: UnsafeRawBufferPointer) {
    dropHandedOut()
    // Unsafe: copied at once.
    unsafe kept.append(bytes)
  }

  private func dropHandedOut() {
    guard handedOut > 0 else { return }
    kept.removeFirst(handedOut)
    searched = 0
    handedOut = 0
  }
}

extension UnsafeRawBufferPointer {
  /// Where the first NUL is, from `start` on.
  fileprivate func firstZero(from start: Int) -> Int? {
    // Unsafe: looked for among the bytes from `start` on.
    guard let baseAddress, start < count,
      let zero = unsafe memchr(baseAddress + start, 0, count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(zero) - baseAddress
  }
}
