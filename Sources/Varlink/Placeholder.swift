public import NIOCore
internal import NIOPosix

/// A member of a call's parameters that is missing or of the wrong type
/// (`org.varlink.service.InvalidParameter`).
public struct InvalidParameter: Error, Equatable {
  /// dotted where nested: `old.before`
  public var parameter: String
  public init(_ parameter: String) { self.parameter = parameter }
  /// The same error, seen from the object that holds the value as `member`.
  public func within(_ member: String) -> InvalidParameter { fatalError() }
}

/// Who is at the other end (SO_PEERCRED).
public struct PeerCredentials: Sendable, Hashable { public var processID: Int32; public var userID: UInt32; public var groupID: UInt32 }

/// An interface that a server offers.
public struct VarlinkInterface: Sendable {
  /// `description`: its IDL, served verbatim by GetInterfaceDescription. Name and method names are read from it.
  public init(description: String) throws {}
  public var name: String { fatalError() }
  public var methods: [String] { fatalError() }
}

/// A call while it is being handled; it and its parameters are valid only until `handle` returns.
public struct VarlinkCall {
  /// the method's place in its interface's `methods`
  public var method: Int { fatalError() }
  public var interface: Int { fatalError() }  // place in server's interfaces
  public var parameters: JSONValue { fatalError() }
  public var wantsMore: Bool { fatalError() }
  public var isOneway: Bool { fatalError() }
}

/// One client's connection. Belongs to its event loop, as its handler does.
public final class VarlinkConnection {
  public var peerGroups: [UInt32] { fatalError() }
  public var peer: PeerCredentials { fatalError() }
  /// for the handler's own per-connection state
  public var userInfo: AnyObject?
  /// The last or only reply (`continues: false`) or one of a `more` stream. Dropped where the call was oneway.
  public func reply(continues: Bool = false, _ parameters: (inout JSONWriter) -> Void) { fatalError() }
  public func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) { fatalError() }
  public func reply(_ error: InvalidParameter) { fatalError() }
  /// turns connection into a stream: the current call stays unanswered-for-good; later frames are not answered; frames are
  /// put with `send(frame:)`
  public func beginStream() { fatalError() }
  /// whether the outbound buffer is below its high-water mark
  public var isWritable: Bool { fatalError() }
  /// queues an encoded frame (NUL included); `flush()` sends
  public func send(frame: ByteBuffer) { fatalError() }
  public func flush() { fatalError() }
  public func close() { fatalError() }
}

/// What a server serves. Every call comes on the server's one event loop.
public protocol VarlinkHandler: AnyObject {
  /// May this peer connect? Called before anything is read. A false closes the connection.
  func connectionOpened(_ connection: VarlinkConnection) -> Bool
  /// Answers a call whose method is one of the interfaces', before returning.
  func handle(_ call: VarlinkCall, on connection: VarlinkConnection)
  /// All complete frames of one read have been handled; replies of that connection are about to be flushed.
  func readEnded(on connection: VarlinkConnection)
  func writabilityChanged(of connection: VarlinkConnection)
  /// A frame that is no Varlink call ended the connection
  func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection)
  func connectionClosed(_ connection: VarlinkConnection)
}

/// Why a frame ended its connection.
public enum FrameRejection: Error { case notJSON, tooLarge, notACall }
