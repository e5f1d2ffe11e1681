internal import CContextDiff
internal import ContextDiff

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The greatest value of a count, an offset or a time that a caller may pass: far above any that makes sense, and so
/// low that sums of a few cannot overflow.
let countLimit = Int64(CONTEXTDIFF_COUNT_LIMIT)

/// The longest text that is read in the caller's own process, in bytes of UTF-8.
let textLimit = Int(CONTEXTDIFF_TEXT_LIMIT)

extension contextdiff_text {
  /// The text, checked and not copied.
  ///
  /// - Parameters:
  ///   - name: the argument's or member's name, for the error.
  ///   - limit: the most bytes that the text may have.
  /// - Returns: the text, valid until the call of the header's function returns; `nil` for a NULL text.
  /// - Throws: `Failure` where the text is longer than `limit`, or not UTF-8.
  func bytes(
    _ name: @autoclosure () -> String, limit: Int = textLimit
  ) throws(Failure) -> Bytes? {
    // Unsafe: the caller's memory has `length` bytes or, where that is -1, ends with a NUL.
    guard let data = unsafe data else { return nil }
    // The search for the NUL stops one byte beyond the limit.
    let length = length == -1 ? Int(unsafe strnlen(data, limit + 1)) : length
    guard length >= 0, length <= limit else {
      throw Failure(CONTEXTDIFF_TOO_LARGE, "\(name()): more than \(limit) bytes")
    }
    let start = unsafe UnsafeRawPointer(data).assumingMemoryBound(to: UInt8.self)
    let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
    do { _ = unsafe try UTF8Span(validating: bytes.span) } catch {
      let place = error.byteOffsets.lowerBound
      throw Failure(CONTEXTDIFF_INVALID_TEXT, "\(name()): not UTF-8 at byte \(place)")
    }
    // Unsafe: well-formed, as checked above, and valid until the call returns, as contextdiff.h requires.
    return unsafe Bytes(bytes)
  }

  /// A copy of the text as a string; `nil` for a NULL text, and the errors of `bytes`.
  func string(
    _ name: @autoclosure () -> String, limit: Int = textLimit
  ) throws(Failure) -> String? {
    try bytes(name(), limit: limit)?.string
  }
}

extension contextdiff_answer {
  /// The answer; `nil` for `CONTEXTDIFF_NOT_TOLD`.
  func bool(_ name: @autoclosure () -> String) throws(Failure) -> Bool? {
    switch self {
    case CONTEXTDIFF_NOT_TOLD: nil
    case CONTEXTDIFF_YES: true
    case CONTEXTDIFF_NO: false
    default: throw .invalid("\(name()): no answer \(rawValue)")
    }
  }
}

extension Int64 {
  /// The number; throws where it is not in `range`.
  func checked(in range: ClosedRange<Int64>, _ name: @autoclosure () -> String) throws(Failure)
    -> Int
  {
    guard range.contains(self) else {
      throw .invalid("\(name()): not between \(range.lowerBound) and \(range.upperBound)")
    }
    return Int(self)
  }
}

/// A struct of the header whose first member is its size, in bytes.
protocol Sized {
  var size: Int { get set }
  /// All members zero, which stands for nothing told.
  init()
}

extension contextdiff_snapshot: Sized {}
extension contextdiff_observation: Sized {}
extension contextdiff_edit: Sized {}
extension contextdiff_session_options: Sized {}
extension contextdiff_client_options: Sized {}
extension contextdiff_subscription: Sized {}

extension Sized {
  /// A copy of the caller's struct.
  ///
  /// The struct may be longer than this library's, if the caller was compiled with a later header: the members that
  /// this library does not know must be zero, as for the `open_how` of openat2(2).
  ///
  /// - Parameters:
  ///   - pointer: the caller's struct.
  ///   - name: the argument's name, for the error.
  /// - Throws: `Failure` where the size is not valid, or an unknown member is not zero.
  init(_ pointer: UnsafePointer<Self>, _ name: @autoclosure () -> String) throws(Failure) {
    // Unsafe: the caller's struct has as many bytes as its `size` says.
    // A shorter struct is not valid, for there is no earlier version of the header.
    let size = unsafe UnsafeRawPointer(pointer).loadUnaligned(as: Int.self)
    let known = MemoryLayout<Self>.size
    guard size >= known, size <= 4_096 else {
      throw .invalid("\(name()).size: \(size); set by the struct's _INIT macro it is \(known)")
    }
    let rest = unsafe UnsafeRawBufferPointer(start: pointer, count: size).dropFirst(known)
    guard unsafe rest.allSatisfy({ $0 == 0 }) else {
      throw .invalid("\(name()): members that this version of the library does not know")
    }
    self = unsafe pointer.pointee
  }

  /// A copy of the caller's struct, as `init` makes it; `nil` for NULL.
  static func told(
    _ pointer: UnsafePointer<Self>?, _ name: @autoclosure () -> String
  ) throws(Failure) -> Self? {
    // Unsafe: as `init` says.
    guard let pointer = unsafe pointer else { return nil }
    return unsafe try Self(pointer, name())
  }
}
