// The objects that C holds a pointer to: made by `retained`, used by `object` and `status`, and let
// go of by `taken`.

/// A pointer for C to hold, until it is `taken`; `nil` where there is no object, and why is told.
func retained(_ make: () throws(Failure) -> some AnyObject) -> OpaquePointer? {
  do { return OpaquePointer(Unmanaged.passRetained(try make()).toOpaque()) } catch {
    _ = error.tell()
    return nil
  }
}

/// The object that C gives back.
func taken<Object: AnyObject>(_ pointer: OpaquePointer?) -> Object? {
  guard let pointer else { return nil }
  return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue()
}

/// The object behind a pointer that C holds.
@inline(__always)
func object<Object: AnyObject>(
  _ pointer: OpaquePointer?, _ name: String
) throws(Failure) -> Object {
  guard let pointer else { throw .invalid("\(name): NULL") }
  return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// What a function of the header returns: what `body` does with its object, or the code of what it
/// throws.
@inline(__always)
func status<Object: AnyObject, Number: FixedWidthInteger>(
  _ pointer: OpaquePointer?, _ name: String, _ body: (Object) throws(Failure) -> Number
) -> Number {
  do { return try body(try object(pointer, name)) } catch { return Number(error.tell()) }
}
