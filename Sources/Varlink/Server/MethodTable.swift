internal import JSON
internal import Glibc

/// Finds the method of a call by its full name in the frame's bytes, without building a string or changing a reference
/// count.
///
/// Safe: it owns its two tables, which never change; each entry's offset and length are within `openings`.
@safe
struct MethodTable: ~Copyable {
  enum Result {
    /// The interface's place among the interfaces, and the method's among its methods.
    case method(interface: Int, method: Int)
    /// The interface is known, but has no such method.
    case unknownMethod
    /// The name before the last dot, empty where there is no dot, is no known interface.
    case unknownInterface(String)
  }

  private struct Entry {
    /// The last eight bytes of the name (all of a shorter one), by which one comparison tells nearly all names apart.
    let tail: UInt64
    /// Where the method's full name begins in `openings`.
    let offset: Int
    let length: Int
    let interface: Int
    let method: Int
  }

  /// What stands in a usual call before the method's name, and between the name and the parameters.
  private static let opening = Array(#"{"method":""#.utf8)
  private static let closing = Array(#"","parameters":"#.utf8)

  /// For each method the beginning of a usual call, up to its parameters.
  private let openings: UnsafeMutableRawBufferPointer
  /// How many bytes such a beginning has before the name.
  private let nameStart: Int
  /// How many bytes such a beginning has besides the name.
  private let openingExtra: Int
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let interfaces: Set<String>

  init(_ interfaces: [VarlinkInterface]) {
    self.interfaces = Set(interfaces.map(\.name))
    var openings: [UInt8] = []
    var entries: [Entry] = []
    for (place, interface) in interfaces.enumerated() {
      for (method, methodName) in interface.methods.enumerated() {
        let name = Array("\(interface.name).\(methodName)".utf8)
        // Unsafe: the bytes are read while they are lent.
        unsafe entries.append(
          Entry(
            tail: name.withUnsafeBytes(Self.tail), offset: openings.count + Self.opening.count,
            length: name.count, interface: place, method: method))
        openings += Self.opening + name + Self.closing
      }
    }
    // Unsafe: each table is allocated for what is copied into it.
    unsafe self.openings = .allocate(byteCount: openings.count, alignment: 1)
    unsafe self.openings.copyBytes(from: openings)
    (nameStart, openingExtra) = (Self.opening.count, Self.opening.count + Self.closing.count)
    unsafe self.entries = .allocate(capacity: entries.count)
    _ = unsafe self.entries.initialize(from: entries)
  }

  deinit {
    unsafe openings.deallocate()
    unsafe entries.deallocate()
  }

  /// Finds the method with the full name `name`.
  func find(_ name: JSONText) -> Result {
    // Unsafe: the bytes are read at once, and compared with an entry's name of the same length only.
    let name = unsafe UnsafeRawBufferPointer(name.bytes)
    let tail = unsafe Self.tail(name)
    for index in unsafe 0..<entries.count {
      let entry = unsafe entries[index]
      guard entry.tail == tail, entry.length == name.count else { continue }
      // Both have an address, for no entry's name is empty.
      guard let left = unsafe openings.baseAddress, let right = name.baseAddress,
        unsafe memcmp(left + entry.offset, right, name.count) == 0
      else { continue }
      return .method(interface: entry.interface, method: entry.method)
    }
    let interface = unsafe Self.interfaceName(of: name)
    return interfaces.contains(interface) ? .unknownMethod : .unknownInterface(interface)
  }

  /// Finds the method of a call that is written as most are: `{"method":"…","parameters":…`.
  ///
  /// Returns the places as `find` does, and the offset in the frame at which the parameters begin; `nil` where the call
  /// is written otherwise, or its method is unknown or its full name shorter than eight bytes.
  func findUsual(
    _ frame: UnsafeRawBufferPointer
  ) -> (interface: Int, method: Int, parameters: Int)? {
    guard let frameStart = frame.baseAddress, let openings = unsafe openings.baseAddress else {
      return nil
    }
    // Unsafe: only beginnings that are shorter than the frame are compared with it.
    for index in unsafe 0..<entries.count {
      let entry = unsafe entries[index]
      let (end, length) = (nameStart + entry.length, entry.length + openingExtra)
      guard frame.count > length,
        unsafe frameStart.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == entry.tail,
        unsafe memcmp(openings + entry.offset - nameStart, frameStart, length) == 0
      else { continue }
      return (entry.interface, entry.method, length)
    }
    return nil
  }

  /// The bytes before the last dot of a method's full name; empty where there is no dot.
  private static func interfaceName(of name: UnsafeRawBufferPointer) -> String {
    // Unsafe: copied at once, up to a dot within the name.
    guard let dot = unsafe name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return unsafe String(decoding: name[..<dot], as: UTF8.self)
  }

  private static func tail(_ name: UnsafeRawBufferPointer) -> UInt64 {
    // Unsafe: the last eight bytes where there are as many, or all.
    if name.count >= 8 {
      return unsafe name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
    }
    return unsafe name.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
