// The objects that C holds a pointer to: made by `retained`, used by `object` and `status`, and let
// go of by `taken`.

/// A pointer for C to hold, until it is `taken`; `nil` where there is no object, and why is told.
func retained(_ make: () throws(Failure) -> some AnyObject) -> OpaquePointer? {
  // Unsafe: retained, so that it stays until it is `taken`.
  do { return OpaquePointer(unsafe Unmanaged.passRetained(try make()).toOpaque()) } catch {
    _ = error.tell()
    return nil
  }
}

/// The object that C gives back.
func taken<Object: AnyObject>(_ pointer: OpaquePointer?) -> Object? {
  // Unsafe: the caller has it from `retained`, as an `Object`, and gives it back once, as
  // contextdiff.h says.
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue()
}

/// The object behind a pointer that C holds.
@inline(__always)
func object<Object: AnyObject>(
  _ pointer: OpaquePointer?, _ name: String
) throws(Failure) -> Object {
  // Unsafe: as above.
  guard let pointer = unsafe pointer else { throw .invalid("\(name): NULL") }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// What a function of the header returns: what `body` does with its object, or the code of what it
/// throws.
@inline(__always)
func status<Object: AnyObject, Number: FixedWidthInteger>(
  _ pointer: OpaquePointer?, _ name: String, _ body: (Object) throws(Failure) -> Number
) -> Number {
  // Unsafe: as above.
  do { return try body(unsafe try object(pointer, name)) } catch { return Number(error.tell()) }
}
