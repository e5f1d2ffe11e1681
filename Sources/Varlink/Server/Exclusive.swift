/// What an object holds, for one at a time to change, or for several to look at.
///
/// That no two accesses to an object's variable overlap, the compiler has checked at run time where it cannot
/// prove it: a hundred instructions for each. This checks the same with a few, and ends the program where they
/// do. It is for what every call uses, and for one thread at a time.
///
/// Safe: it owns the place, where the value lies from beginning to end; nobody gets at it but by `value`,
/// which counts who does.
@safe
package struct Exclusive<Value: ~Copyable>: ~Copyable {
  @usableFromInline let place: UnsafeMutablePointer<Value>
  /// How many look at it; -1 while it is changed.
  @usableFromInline let users: UnsafeMutablePointer<Int>

  @inlinable
  package init(_ value: consuming Value) {
    // Unsafe: one place each, which `deinit` gives back.
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: value)
    unsafe users = .allocate(capacity: 1)
    unsafe users.initialize(to: 0)
  }

  @inlinable
  deinit {
    // Unsafe: who uses it has this, too.
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
    unsafe users.deallocate()
  }

  @inlinable
  package var value: Value {
    @inline(__always) _read {
      // Unsafe: initialised as long as this is, here and below; and nobody changes it.
      precondition(unsafe users.pointee >= 0, "looked at while it is changed")
      unsafe users.pointee &+= 1
      defer { unsafe users.pointee &-= 1 }
      yield unsafe place.pointee
    }
    @inline(__always) nonmutating _modify {
      // Unsafe: nobody else has it.
      precondition(unsafe users.pointee == 0, "changed while somebody else has it")
      unsafe users.pointee = -1
      defer { unsafe users.pointee = 0 }
      yield unsafe &place.pointee
    }
  }
}
