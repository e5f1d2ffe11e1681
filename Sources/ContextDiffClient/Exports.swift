// The client's functions take and return types of the engine and of ContextDiffWire. Programs that import
// ContextDiffClient can name them without importing those modules.
@_exported public import ContextDiff
@_exported public import struct ContextDiffWire.Event
@_exported public import struct ContextDiffWire.SessionInfo
@_exported public import enum ContextDiffWire.SocketPath
@_exported public import struct ContextDiffWire.Statistics
