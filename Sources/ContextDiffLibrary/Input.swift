internal import CContextDiff
internal import ContextDiff

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The most that a count or a place may be: far beyond any document, and far from where sums of a
/// few of them would overflow.
let countLimit = Int64(1) << 40

extension contextdiff_text {
  /// The text where it lies; `nil` where it is not shown.
  ///
  /// - Parameter name: What the caller calls it, for the error.
  /// - Returns: Well-formed UTF-8, lent.
  /// - Throws: `Failure` where it is too long, or not UTF-8.
  func bytes(_ name: @autoclosure () -> String) throws(Failure) -> Bytes? {
    // Unsafe: the caller's memory is as long as it says, or ends with a NUL byte.
    guard let data = unsafe data else { return nil }
    let limit = Int(CONTEXTDIFF_TEXT_LIMIT)
    // One beyond the limit is looked at: a text that is longer is never read to its end.
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
    // Unsafe: well-formed, as checked above; lent for the call, as contextdiff.h says.
    return unsafe Bytes(bytes)
  }

  /// The text as a string of its own; `nil` where it is not shown.
  func string(_ name: @autoclosure () -> String) throws(Failure) -> String? {
    try bytes(name())?.string
  }
}

extension contextdiff_answer {
  /// `nil` where it is not told.
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
  /// The number, where it lies in `range`.
  func checked(in range: ClosedRange<Int64>, _ name: @autoclosure () -> String) throws(Failure)
    -> Int
  {
    guard range.contains(self) else {
      throw .invalid("\(name()): not between \(range.lowerBound) and \(range.upperBound)")
    }
    return Int(self)
  }
}

/// A struct of the header's that begins with its size.
protocol Sized {
  var size: Int { get set }
  /// All zero: nothing is told.
  init()
}

extension contextdiff_snapshot: Sized {}
extension contextdiff_observation: Sized {}
extension contextdiff_edit: Sized {}
extension contextdiff_session_options: Sized {}
extension contextdiff_client_options: Sized {}
extension contextdiff_subscription: Sized {}

extension Sized {
  /// A copy of what `pointer` names, as far as it goes by its own size.
  ///
  /// A caller that was compiled with a later header may pass more, so long as that is zero: what
  /// this library doesn't know is not told. (As Linux's openat2 takes its `open_how`.)
  init(_ pointer: UnsafePointer<Self>, _ name: @autoclosure () -> String) throws(Failure) {
    // Unsafe: the caller's struct is as long as it says.
    // As long as there is one version of the header, no struct is smaller than this one.
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

  /// The same; `nil` for NULL.
  static func told(
    _ pointer: UnsafePointer<Self>?, _ name: @autoclosure () -> String
  ) throws(Failure) -> Self? {
    // Unsafe: as above.
    guard let pointer = unsafe pointer else { return nil }
    return unsafe try Self(pointer, name())
  }
}
