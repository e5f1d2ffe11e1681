internal import JSON
internal import Glibc

/// Finds a method by its full name in a frame's bytes, without building a string or touching a
/// reference count.
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
    /// Where the name is among `names`.
    let offset: Int
    let length: Int
    let interface: Int
    let method: Int
  }

  private let names: UnsafeMutableRawBufferPointer
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let interfaces: Set<String>

  init(_ interfaces: [VarlinkInterface]) {
    self.interfaces = Set(interfaces.map(\.name))
    var names: [UInt8] = []
    var entries: [Entry] = []
    for (place, interface) in interfaces.enumerated() {
      for (method, methodName) in interface.methods.enumerated() {
        let name = Array("\(interface.name).\(methodName)".utf8)
        entries.append(
          Entry(
            tail: name.withUnsafeBytes(Self.tail), offset: names.count, length: name.count,
            interface: place, method: method))
        names += name
      }
    }
    self.names = .allocate(byteCount: names.count, alignment: 1)
    self.names.copyBytes(from: names)
    self.entries = .allocate(capacity: entries.count)
    _ = self.entries.initialize(from: entries)
  }

  deinit {
    names.deallocate()
    entries.deallocate()
  }

  func find(_ name: JSONText) -> Result {
    let name = UnsafeRawBufferPointer(name.bytes)
    let tail = Self.tail(name)
    for entry in entries where entry.tail == tail && entry.length == name.count {
      // Not empty, and so not without an address, as no entry's name is.
      guard let left = names.baseAddress, let right = name.baseAddress,
        memcmp(left + entry.offset, right, name.count) == 0
      else { continue }
      return .method(interface: entry.interface, method: entry.method)
    }
    let interface = Self.interfaceName(of: name)
    return interfaces.contains(interface) ? .unknownMethod : .unknownInterface(interface)
  }

  /// What stands before the last dot of a method's full name; empty where there is no dot.
  private static func interfaceName(of name: UnsafeRawBufferPointer) -> String {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  private static func tail(_ name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 {
      return name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
    }
    return name.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
