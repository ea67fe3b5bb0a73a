//! How a workload sees an allocator, and a container.

use core::ops::DerefMut;
use core::ptr::NonNull;

use crate::workloads::shapes::{Kind, Shape};

/// An allocator of `T`s in a race.
///
/// A contestant is a word or nothing at all: a marker for thread-local pools, a reference to a pool that lives as long as the
/// process otherwise. It is passed by value so that the compiler may keep it in a register, as it would keep a local pool's
/// address.
pub trait Contestant<T>: Copy + 'static {
    const NAME: &'static str;

    /// The result of one allocation: a box, or a key.
    type Object: 'static;

    /// Makes a contestant with memory of its own, which is never given back.
    fn enter() -> Self;

    /// Allocates, and builds the value in its place as far as the interface allows.
    fn alloc(self, make: impl FnOnce() -> T) -> Self::Object;

    /// Makes room for this many objects.
    fn reserve(self, _count: usize) {
        unimplemented!("{} reserves nothing", Self::NAME);
    }

    /// Brings in the memory of what was reserved.
    fn prefault(self) {
        unimplemented!("{} prefaults nothing", Self::NAME);
    }

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

/// An allocator of trait objects.
pub trait Dynamic: Copy + 'static {
    const NAME: &'static str;

    /// Frees itself when dropped.
    type Object: DerefMut<Target = dyn Shape> + 'static;

    /// Makes a contestant with memory of its own, which is never given back.
    fn enter() -> Self;

    /// Allocates, and builds the value in its place as far as the interface allows.
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> Self::Object;
}

/// A container of `T`s that can be iterated over.
pub trait Store<T>: Sized + 'static {
    fn name() -> &'static str;

    /// Returns an empty one, which has reserved nothing.
    fn new() -> Self;

    fn add(&mut self, value: T);

    /// Shows every value once, in the container's own order, and drops those that are not to be kept: in the way that the
    /// container's documentation suggests.
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);

    /// Shows every value once.
    fn visit(&self, see: impl FnMut(&T));

    /// Is called before the values are read many times: a limit sorts them.
    fn settle(&mut self) {}
}

/// A container that names its values by keys.
pub trait Keyed<T>: Store<T> {
    /// The result of `insert`.
    type Key: Copy + 'static;

    fn insert(&mut self, value: T) -> Self::Key;

    /// Takes the value out. `None` where the key is stale.
    fn remove(&mut self, key: Self::Key) -> Option<T>;

    /// Returns the value. `None` where the key is stale.
    fn get(&self, key: Self::Key) -> Option<&T>;
}
