/// A value of an object that is either read, by any number of accesses, or changed by one; others end the program.
///
/// Where the compiler cannot prove that accesses to an object's variable do not overlap, it has each checked at run
/// time, which takes a hundred instructions. This does the same check in a few. It is for values that every call uses,
/// and for one thread at a time.
///
/// Safe: it owns the value's place, and every access goes through `value`, which counts them.
@safe
@usableFromInline
package struct Exclusive<Value: ~Copyable>: ~Copyable {
  @usableFromInline let place: UnsafeMutablePointer<Value>
  /// How many accesses read the value; -1 while one changes it.
  @usableFromInline let users: UnsafeMutablePointer<Int>

  @inlinable
  package init(_ value: consuming Value) {
    // Unsafe: one place each, which `deinit` frees.
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: value)
    unsafe users = .allocate(capacity: 1)
    unsafe users.initialize(to: 0)
  }

  @inlinable
  deinit {
    // Unsafe: no access is under way, for an access keeps this alive.
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
    unsafe users.deallocate()
  }

  @inlinable
  package var value: Value {
    @inline(__always) _read {
      // Unsafe: both places are initialised until `deinit`, and no access changes the value.
      precondition(unsafe users.pointee >= 0, "looked at while it is changed")
      unsafe users.pointee &+= 1
      defer { unsafe users.pointee &-= 1 }
      yield unsafe place.pointee
    }
    @inline(__always) nonmutating _modify {
      // Unsafe: both places are initialised until `deinit`, and there is no other access.
      precondition(unsafe users.pointee == 0, "changed while somebody else has it")
      unsafe users.pointee = -1
      defer { unsafe users.pointee = 0 }
      yield unsafe &place.pointee
    }
  }
}
