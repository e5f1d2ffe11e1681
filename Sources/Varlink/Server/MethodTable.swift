internal import Glibc

/// Finds a method by its full name in a frame's bytes, without building a string.
struct MethodTable {
  enum Result {
    case method(interface: Int, method: Int)
    case unknownMethod
    case unknownInterface(String)
  }

  private struct Entry {
    /// The name's last eight bytes (all of a shorter one): tells nearly all names apart in one
    /// comparison.
    let tail: UInt64
    let name: [UInt8]
    let interface: Int
    let method: Int
  }

  private let entries: [Entry]
  private let interfaces: Set<String>

  init(_ interfaces: [VarlinkInterface]) {
    self.interfaces = Set(interfaces.map(\.name))
    entries = interfaces.enumerated().flatMap { place, interface in
      interface.methods.enumerated().map { method, methodName in
        let name = Array("\(interface.name).\(methodName)".utf8)
        return Entry(
          tail: name.withUnsafeBytes(Self.tail), name: name, interface: place, method: method)
      }
    }
  }

  func find(_ name: JSONText) -> Result {
    name.isEscaped ? Array(name.string.utf8).withUnsafeBytes(find) : find(name.rawBytes)
  }

  private func find(_ name: UnsafeRawBufferPointer) -> Result {
    let tail = Self.tail(name)
    for entry in entries where entry.tail == tail && entry.name.count == name.count {
      let isSame = entry.name.withUnsafeBytes { bytes in
        guard let left = bytes.baseAddress, let right = name.baseAddress else { return false }
        return memcmp(left, right, bytes.count) == 0
      }
      if isSame { return .method(interface: entry.interface, method: entry.method) }
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
