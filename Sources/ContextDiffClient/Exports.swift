// A client's signatures are made of the engine's and the wire's types. Whoever imports
// ContextDiffClient can name them without knowing which room they live in.
@_exported public import ContextDiff
@_exported public import struct ContextDiffWire.Event
@_exported public import struct ContextDiffWire.SessionInfo
@_exported public import enum ContextDiffWire.SocketPath
@_exported public import struct ContextDiffWire.Statistics
