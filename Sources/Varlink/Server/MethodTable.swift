internal import JSON
internal import Glibc

/// Finds a method by its full name in a frame's bytes, without building a string or touching a
/// reference count.
///
/// Safe: it owns its two tables, which never change; each entry says where in `openings` its name is.
@safe
struct MethodTable: ~Copyable {
  enum Result {
    case method(interface: Int, method: Int)
    case unknownMethod
    case unknownInterface(String)
  }

  private struct Entry {
    /// The name's last eight bytes (all of a shorter one): tells nearly all names apart in one
    /// comparison.
    let tail: UInt64
    /// Where the name is in `openings`.
    let offset: Int
    let length: Int
    let interface: Int
    let method: Int
  }

  /// What stands in a usual call around the method's name: the beginning of the call, its parameters
  /// next.
  private static let opening = Array(#"{"method":""#.utf8)
  private static let closing = Array(#"","parameters":"#.utf8)

  /// The beginning of a usual call for each method.
  private let openings: UnsafeMutableRawBufferPointer
  /// How many bytes stand in it before the name, and how many besides it.
  private let nameStart: Int
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
        // Unsafe: the name's own bytes, read while they are lent.
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

  func find(_ name: JSONText) -> Result {
    // Unsafe: the name's bytes, read at once; an entry's name is as long where it is compared.
    let name = unsafe UnsafeRawBufferPointer(name.bytes)
    let tail = unsafe Self.tail(name)
    for index in unsafe 0..<entries.count {
      let entry = unsafe entries[index]
      guard entry.tail == tail, entry.length == name.count else { continue }
      // Not empty, and so not without an address, as no entry's name is.
      guard let left = unsafe openings.baseAddress, let right = name.baseAddress,
        unsafe memcmp(left + entry.offset, right, name.count) == 0
      else { continue }
      return .method(interface: entry.interface, method: entry.method)
    }
    let interface = unsafe Self.interfaceName(of: name)
    return interfaces.contains(interface) ? .unknownMethod : .unknownInterface(interface)
  }

  /// The method of a call that is written as most are, `{"method":"…","parameters":…`, and where in the
  /// frame its parameters begin; `nil` where it is another method's, or written in another way.
  func findUsual(
    _ frame: UnsafeRawBufferPointer
  ) -> (interface: Int, method: Int, parameters: Int)? {
    guard let frameStart = frame.baseAddress, let openings = unsafe openings.baseAddress else {
      return nil
    }
    // Unsafe: the frame is longer than the opening that is compared.
    for index in unsafe 0..<entries.count {
      let entry = unsafe entries[index]
      guard entry.length >= 8 else { continue }
      let (end, length) = (nameStart + entry.length, entry.length + openingExtra)
      guard frame.count > length,
        unsafe frameStart.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == entry.tail,
        unsafe memcmp(openings + entry.offset - nameStart, frameStart, length) == 0
      else { continue }
      return (entry.interface, entry.method, length)
    }
    return nil
  }

  /// What stands before the last dot of a method's full name; empty where there is no dot.
  private static func interfaceName(of name: UnsafeRawBufferPointer) -> String {
    // Unsafe: read at once, at a place found below its count.
    guard let dot = unsafe name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return unsafe String(decoding: name[..<dot], as: UTF8.self)
  }

  private static func tail(_ name: UnsafeRawBufferPointer) -> UInt64 {
    // Unsafe: the last eight bytes, or all.
    if name.count >= 8 {
      return unsafe name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
    }
    return unsafe name.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
