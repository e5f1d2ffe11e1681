// The objects that C holds by pointers: `retained` makes them, `object` and `status` use them, and `taken` releases
// them.

/// Makes an object, and returns a pointer by which C holds it until it is `taken`.
///
/// Returns `nil` where `make` throws, and keeps the error's text for `contextdiff_last_error`.
func retained(_ make: () throws(Failure) -> some AnyObject) -> OpaquePointer? {
  // Unsafe: the object is retained until it is `taken`.
  do { return OpaquePointer(unsafe Unmanaged.passRetained(try make()).toOpaque()) } catch {
    _ = error.tell()
    return nil
  }
}

/// The object that C releases; `nil` for NULL.
func taken<Object: AnyObject>(_ pointer: OpaquePointer?) -> Object? {
  // Unsafe: the pointer is one that `retained` returned for an `Object`, and C releases it once, as contextdiff.h
  // requires.
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeRetainedValue()
}

/// The object behind a pointer that C holds.
///
/// - Parameters:
///   - pointer: the pointer.
///   - name: the argument's name, for the error.
/// - Returns: the object.
/// - Throws: `Failure` for NULL.
@inline(__always)
func object<Object: AnyObject>(
  _ pointer: OpaquePointer?, _ name: String
) throws(Failure) -> Object {
  // Unsafe: the pointer is one that `retained` returned for an `Object`, not released yet, as contextdiff.h requires.
  guard let pointer = unsafe pointer else { throw .invalid("\(name): NULL") }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// Calls `body` with the object behind `pointer`, the argument `name`, and returns what a function of the header
/// returns.
///
/// That is what `body` returns or, where it throws, the failure's status, whose text is kept for
/// `contextdiff_last_error`.
@inline(__always)
func status<Object: AnyObject, Number: FixedWidthInteger>(
  _ pointer: OpaquePointer?, _ name: String, _ body: (Object) throws(Failure) -> Number
) -> Number {
  // Unsafe: as `object` says.
  do { return try body(unsafe try object(pointer, name)) } catch { return Number(error.tell()) }
}
