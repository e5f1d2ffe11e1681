internal import ContextDiff
internal import Glibc
internal import JSON

/// How the parameters of a session's next post most likely begin, in JSON: as those of its last one did, with that one's
/// `new` for `old`.
///
/// Of parameters that begin so, the session's name and the snapshot need not be read again: `old` is the session's
/// latest snapshot.
///
/// Safe: it owns its memory, of which the bytes up to the end of `snapshot` are initialised.
@safe
package struct PostStart: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  /// The snapshot, at the end of what is kept; `nil` where nothing is.
  private var snapshot: SnapshotText?
  /// How many bytes precede the snapshot, and which of them are the session's name.
  private var openingCount = 0
  private var name = 0..<0
  /// How many posts in a row did not begin so.
  private var misses = 0

  /// The longest start that is kept, in bytes; a longer one is read each time.
  private static let longest = 8_192

  /// Nothing is kept.
  package init() {
    // Unsafe: no memory.
    unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit { unsafe memory.deallocate() }

  /// The size of the memory, in bytes.
  package var capacity: Int { unsafe memory.count }

  /// Keeps how the post after `post` most likely begins; nothing where `post` does not tell.
  ///
  /// Clients whose posts do not begin so are to pay little for it: after two in a row, only every eighth is kept.
  package mutating func keep(after post: borrowing PairParameters.View) {
    // Unsafe: the view's texts are valid as long as it is, and are copied; what is kept is within the memory.
    snapshot = nil
    misses = post.goesOn ? 0 : misses &+ 1
    if misses > 1, misses & 7 != 0 { return }
    guard let opening = unsafe post.opening, let session = post.session, let new = post.newText,
      let start = opening.baseAddress, let nameStart = unsafe session.raw.baseAddress,
      let newStart = unsafe new.json.baseAddress
    else { return }
    let offset = unsafe nameStart - start
    let length = unsafe opening.count + new.json.count
    // A name that was written with escapes lies elsewhere.
    guard offset >= 0, offset + session.count <= opening.count, length <= PostStart.longest
    else { return }
    // A far larger room is given back.
    if length > capacity || length < capacity / 4 {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: length + length / 4, alignment: 1)
    }
    guard let place = unsafe memory.baseAddress else { return }
    unsafe memcpy(place, start, opening.count)
    unsafe memcpy(place + opening.count, newStart, new.json.count)
    openingCount = opening.count
    name = offset..<offset + session.count
    snapshot = unsafe new.moved(
      to: UnsafeRawBufferPointer(start: place + opening.count, count: new.json.count))
  }

  /// Keeps nothing any more, and frees the memory.
  ///
  /// To be called instead of assigning a new one: Swift 6.3 does not call the `deinit` of a value of another module that
  /// is assigned to through an `Exclusive`.
  package mutating func forget() {
    // Unsafe: nothing refers to the memory any more.
    snapshot = nil
    unsafe memory.deallocate()
    unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Moves a cursor that stands before a post's parameters over this start, and takes over what it says.
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - view: Receives the session's name, and where the JSON of `old` is.
  ///   - fieldLimit: The longest field that is taken, in bytes of UTF-8.
  /// - Returns: `false` where the parameters begin otherwise, or may exceed the limit; nothing has changed then.
  @inline(__always)
  func take(
    from cursor: inout JSONCursor, into view: inout PairParameters.View, fieldLimit: Int
  ) -> Bool {
    // Unsafe: parts of the cursor's text, as long as this start is, which the view may refer to.
    let text = unsafe cursor.rest
    guard let snapshot, unsafe snapshot.json.count <= fieldLimit else { return false }
    let length = unsafe openingCount + snapshot.json.count
    guard unsafe PostStart.begins(text, with: UnsafeRawBufferPointer(rebasing: memory[..<length]))
    else { return false }
    cursor.skip(length)
    let opening = unsafe UnsafeRawBufferPointer(rebasing: text[..<openingCount])
    unsafe view.opening = opening
    view.session = unsafe Bytes(opening[name].assumingMemoryBound(to: UInt8.self))
    view.oldText = unsafe snapshot.moved(
      to: UnsafeRawBufferPointer(rebasing: text[openingCount..<length]))
    return true
  }

  /// Whether `text` begins with `start`, which has eight bytes at least.
  @unsafe
  private static func begins(
    _ text: UnsafeRawBufferPointer, with start: UnsafeRawBufferPointer
  ) -> Bool {
    guard text.count >= start.count, let place = text.baseAddress,
      let startPlace = start.baseAddress
    else { return false }
    // Another snapshot mostly ends at another place.
    let end = start.count - 8
    return unsafe text.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      == start.loadUnaligned(fromByteOffset: end, as: UInt64.self)
      && memcmp(place, startPlace, end) == 0
  }
}
