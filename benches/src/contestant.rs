//! How a workload sees an allocator.

use core::ops::DerefMut;
use core::ptr::NonNull;

/// An allocator of `T`s in a race.
///
/// A contestant is a word or nothing at all: a marker for thread-local pools, a
/// reference to a pool that lives as long as the process otherwise. It is passed by value
/// so that the compiler may keep it in a register, as it would keep a local pool's address.
pub trait Contestant<T>: Copy + 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// Whether `free` makes room for another object.
    const FREES: bool = true;

    /// Whether `reserve` does anything.
    const RESERVES: bool = false;

    /// The result of one allocation: a box, or a key.
    type Object: 'static;

    /// Makes a contestant with memory of its own, which is never given back.
    fn enter() -> Self;

    /// Allocates, and builds the value in its place as far as the interface allows.
    fn alloc(self, make: impl FnOnce() -> T) -> Self::Object;

    /// Makes room for this many objects, where that can be asked for.
    fn reserve(self, _count: usize) {}

    /// Brings in the memory of what was reserved, where that can be asked for.
    fn prefault(self) {}

    /// Gives back what is not in use, where that can be asked for.
    fn trim(self) {}

    /// Returns the address of the object's value, good until the next allocation.
    fn address(self, object: &Self::Object) -> *const T;

    /// Drops the value and frees its slot.
    fn free(self, object: Self::Object);

    /// Takes back everything at once, in arenas that cannot free one object.
    ///
    /// # Safety
    ///
    /// No object of this contestant is used afterwards.
    #[inline(always)]
    unsafe fn reset(self) {}
}

/// A contestant's object that owns its value and frees itself when dropped, as `Box` does.
pub trait Owning: DerefMut<Target: Sized> {
    /// Gives up ownership, and returns the value's address.
    fn into_raw(self) -> NonNull<Self::Target>;

    /// Takes ownership again.
    ///
    /// # Safety
    ///
    /// `value` came from [`into_raw`](Owning::into_raw) of the same type, and was not taken since.
    unsafe fn from_raw(value: NonNull<Self::Target>) -> Self;
}
