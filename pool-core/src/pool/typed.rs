//! The typed pool: a pool that is a value, whose slots hold elements of one type.

use alloc::rc::Rc;
#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::map::PoolMap;
use crate::base::sealed::Sealed;
use crate::base::stats::PoolStats;
use crate::base::watch::sites;
use crate::init::{Init, TryInitError};
use crate::memory::slot::Slot;
use crate::pointer::Pool;
use crate::pointer::boxed::{PoolBoxIn, Vacant};
use crate::strategy::{InFreeList, InPointerStack, Slots, Strategy};

#[cfg(all(test, feature = "std"))]
mod tests;

/// A pool of `T`s that is a value, with a free list through its vacant slots.
///
/// Its methods are those of [`TypedPool`]; that page also says how the pool grows, and in which order it hands
/// slots out.
///
/// A slot has the size of an element, rounded up to the size and alignment of a pointer, since a vacant
/// slot holds the link to the next.
///
/// The technique, a list kept inside the free slots, is as old as Kernighan and Ritchie's
/// `malloc`; for pools of equal slots see B. Kenwright, *Fast Efficient Fixed-Size Memory Pool*
/// (2012), from which comes the rule to link no slot ahead of its first use.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// struct Particle { position: [f32; 3], age: f32 }
///
/// let particles = FreeList::new();
/// let mut spark = particles.alloc(Particle { position: [0.0; 3], age: 0.0 });
/// spark.age += 0.016;
/// assert_eq!(particles.stats().live, 1);
/// drop(spark);
/// assert_eq!(particles.stats().live, 0);
/// ```
#[doc(alias = "ObjectPool")]
pub type FreeList<T> = TypedPool<T, InFreeList>;

/// A pool of `T`s that is a value, with the addresses of its vacant slots beside them, as a stack.
///
/// Its methods are those of [`TypedPool`]; that page also says how the pool grows, and in which order it hands
/// slots out.
///
/// It does what a [`FreeList`] does, but freed memory is never read or written. That has three consequences:
///
/// - A slot is exactly as large as an element, of whatever size and alignment: a million `u8`s or
///   `[u8; 3]`s need no padding. (A size of 0 is a compile error.)
/// - Freeing an element does not fetch it into the cache, beyond the parts that its destructor reads; nor does the pool read a slot
///   to hand it out. The gain shows where many elements are made, and then many are freed.
/// - The stack costs a pointer for each slot, in a block of its own. It grows with the chunks, so
///   freeing never allocates.
///
/// A program that makes and destroys one object at a time is better served by the free list. The guide's page *choosing* has
/// measurements.
///
/// The technique, a stack of pointers as a cache in front of blocks of items, comes from seideun's
/// fixed-size memory pool (2020), which fills the stack ahead of use. Here never-used slots are counted
/// off instead, as in the free list.
///
/// # Examples
///
/// ```
/// use typed_pool::PointerStack;
///
/// let colours = PointerStack::new();
/// let mut red = colours.alloc([255_u8, 0, 0]);
/// red[1] = 128;
/// assert_eq!((colours.stats().live, colours.stats().slot_bytes), (1, 3));
/// drop(red);
/// assert_eq!(colours.stats().live, 0);
/// ```
///
/// ```compile_fail
/// // error[E0080]: the elements of a `PointerStack` must not be zero-sized
/// let nothings = typed_pool::PointerStack::<()>::new();
/// ```
pub type PointerStack<T> = TypedPool<T, InPointerStack>;

/// A pool of `T`s that is a value: chunks of equal slots. The strategy `S` remembers the vacant ones.
///
/// [`FreeList`] and [`PointerStack`] are its two forms. Choose and write one of these names: `S` follows from it.
///
/// Boxes borrow the pool, so it outlives them. For boxes that borrow nothing, derive [`Pooled`](crate::Pooled);
/// `#[pool(strategy = ..)]` makes the same choice. Because of the borrow, a struct cannot hold both a pool and its boxes, unless
/// the boxes keep the pool alive: `PoolBoxIn<T, Rc<FreeList<T>>>`, from [`PoolBoxIn::new_in`]. A cycle of elements that hold such
/// boxes of their own pool keeps the pool alive for ever, as a cycle of `Rc`s does. (There is no such box with an `Arc`: none of
/// these pools can be shared between threads.)
///
/// Allocating and freeing are O(1), except for the allocation that adds a chunk. The first chunk has as many slots as fit into 512
/// bytes, but at least 4. Up to 8 KiB, or 16 slots, each further chunk quadruples the pool, and from there on doubles it, so a pool
/// of n slots has O(log n) chunks. Elements never move. If the heap has no memory left, the program ends as it does for `Box`; a
/// `try_*` method returns an error. A slot that was freed last is reused first; when the pool has emptied, slots are handed out as
/// they were at first: chunk by chunk, the oldest first, and in address order within each.
///
/// A pool keeps slots, not values: an element is dropped with its box, where an object pool keeps it for the next user. (The page
/// `guide::migrating` of `typed-pool` says what to take instead.)
///
/// The pool can be sent to another thread (if `T` can) while no box borrows it, but not shared.
/// Dropping it gives its memory back; elements whose box was leaked are not dropped.
///
/// # Examples
///
/// The same code with either:
///
/// ```
/// use typed_pool::strategy::Strategy;
/// use typed_pool::{FreeList, PointerStack, TypedPool};
///
/// fn longest<S: Strategy>(pool: &TypedPool<String, S>, words: [&str; 3]) -> usize {
///     let words = words.map(|word| pool.alloc(String::from(word)));
///     words.iter().map(|word| word.len()).max().unwrap_or(0)
/// }
///
/// assert_eq!(longest(&FreeList::new(), ["a", "pool", "box"]), 4);
/// assert_eq!(longest(&PointerStack::new(), ["a", "pool", "box"]), 4);
/// ```
#[doc(alias("object_pool", "opool"))]
#[repr(transparent)]
pub struct TypedPool<T, S> {
    pub(crate) slots: Slots<S>,
    /// A pool owns no `T`: boxes do. So `T` may borrow from something that dies before the pool.
    marker: PhantomData<*const T>,
}

// SAFETY: without a box there is no `T` in the pool, and with one the pool is borrowed and cannot
// be sent. What remains are counters and chunks that nothing else refers to. The exception is a
// leaked box, whose `T` can stay behind on either thread; hence `T: Send`.
unsafe impl<T: Send, S: Strategy> Send for TypedPool<T, S> {}

/// The message of a constructor for a type without size, for which only a link makes room.
const NOT_ZERO_SIZED: &str = "the elements of a `PointerStack` must not be zero-sized: use the value \
                              itself, or a `FreeList`, where each has an address of its own";

impl<T, S: Strategy> TypedPool<T, S> {
    /// The layout of a slot.
    pub(crate) const SLOT: Layout = match S::IS_INTRUSIVE {
        true => Slot::<T>::LAYOUT,
        false => Layout::new::<T>(),
    };

    pub(crate) const fn with_config(config: Config) -> Self {
        Self { slots: Slots::new(config), marker: PhantomData }
    }

    /// An empty pool, which allocates its first chunk for the first element.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// assert_eq!(pool.stats().bytes, 0);
    /// assert_eq!(*pool.alloc(7_u64), 7);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(Self::SLOT.size() > 0, "{}", NOT_ZERO_SIZED) };
        Self { slots: Slots::EMPTY, marker: PhantomData }
    }

    /// Returns the same pool, called `name` in [`stats`](Self::stats) and messages: `FreeList::bounded(8).with_name("sparks")`.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let sparks = FreeList::<[f32; 4]>::bounded(8).with_name("sparks");
    /// assert_eq!(sparks.stats().name, "sparks");
    /// ```
    #[must_use]
    pub const fn with_name(mut self, name: &'static str) -> Self {
        self.slots.cursor.config.name = Some(name);
        self
    }

    /// A pool with room for `capacity` elements before it grows. The room is one chunk.
    ///
    /// # Panics
    ///
    /// If `capacity` slots, or in a pointer stack as many pointers, exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[f32; 4]>::with_capacity(1000);
    /// assert_eq!(pool.stats().capacity, 1000);
    /// assert_eq!(pool.stats().chunks, 1);
    /// ```
    #[track_caller]
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let pool = Self::new();
        pool.reserve(capacity);
        pool
    }

    /// A pool of `capacity` slots in one chunk, which never grows.
    ///
    /// # Panics
    ///
    /// If `capacity` slots, or in a pointer stack as many pointers, exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::bounded(2);
    /// let (a, b) = (pool.alloc(1_u64), pool.alloc(2));
    /// assert!(pool.try_alloc(3).is_err());
    /// drop(a);
    /// assert!(pool.try_alloc(3).is_ok());
    /// # drop(b);
    /// ```
    #[track_caller]
    #[must_use]
    pub fn bounded(capacity: usize) -> Self {
        const { assert!(Self::SLOT.size() > 0, "{}", NOT_ZERO_SIZED) };
        let pool = Self::with_config(Config::bounded(capacity));
        pool.reserve(capacity);
        pool
    }

    /// Puts `value` into a slot. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool is bounded and every slot is occupied ([`TypedPool::try_alloc`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let greeting = pool.alloc(String::from("hello"));
    /// assert_eq!(greeting.len(), 5);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn alloc(&self, value: T) -> PoolBoxIn<T, &Self> {
        PoolBoxIn::new_in(value, self)
    }

    /// Puts `value` into a slot, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool is bounded and every slot is occupied, or the heap has no room.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::bounded(0);
    /// assert_eq!(pool.try_alloc("lost?").unwrap_err().into_inner(), "lost?");
    /// ```
    #[inline]
    #[track_caller]
    pub fn try_alloc(&self, value: T) -> Result<PoolBoxIn<T, &Self>, Exhausted<T>> {
        PoolBoxIn::try_new_in(value, self)
    }

    /// Reserves a slot, then puts the result of `f` into it. `f` may use the pool; if `f` panics, the slot goes back.
    ///
    /// An optimised build usually builds the value in the slot; [`TypedPool::init`] guarantees it.
    ///
    /// # Panics
    ///
    /// As [`TypedPool::alloc`], and if `f` panics.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let table = pool.alloc_with(|| [0_u8; 4096]);
    /// assert_eq!(table.len(), 4096);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn alloc_with(&self, f: impl FnOnce() -> T) -> PoolBoxIn<T, &Self> {
        Vacant::new_in(self).fill_with(f)
    }

    /// Like [`TypedPool::alloc_with`], but returns an error if there is no slot; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool is bounded and every slot is occupied, or the heap has no room.
    #[inline]
    #[track_caller]
    pub fn try_alloc_with(&self, f: impl FnOnce() -> T) -> Result<PoolBoxIn<T, &Self>, Exhausted> {
        Ok(Vacant::try_new_in(self)?.fill_with(f))
    }

    /// Builds an element in its slot, as the initialiser says: field by field, at every
    /// optimisation level, and never on the stack. The initialiser may use the pool.
    ///
    /// # Errors
    ///
    /// The initialiser's error. The fields built so far are dropped, and the slot goes back.
    ///
    /// # Panics
    ///
    /// As [`TypedPool::alloc`], and if the initialiser panics; then the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{FreeList, init};
    ///
    /// struct Table { width: u32, cells: [u16; 30_000] }
    ///
    /// let pool = FreeList::new();
    /// let Ok(table) = pool.init(init!(Table { width: 100, cells <- init::from_fn(|i| i as u16) }));
    /// assert_eq!((table.width, table.cells[29_999]), (100, 29_999));
    /// ```
    #[inline]
    #[track_caller]
    pub fn init<E>(&self, init: impl Init<T, E>) -> Result<PoolBoxIn<T, &Self>, E> {
        Vacant::new_in(self).init(init)
    }

    /// Like [`TypedPool::init`], but returns an error if there is no slot; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool is bounded and every slot is occupied, or the heap has no room;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    #[inline]
    #[track_caller]
    pub fn try_init<E>(
        &self,
        init: impl Init<T, E>,
    ) -> Result<PoolBoxIn<T, &Self>, TryInitError<E>> {
        PoolBoxIn::try_init_in(init, self)
    }

    /// Reserves a slot, to be filled later; a slot that is not filled goes back.
    ///
    /// # Panics
    ///
    /// As [`TypedPool::alloc`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<String>::new();
    /// drop(pool.vacant());
    /// assert_eq!(pool.stats().live, 0);
    /// assert_eq!(*pool.vacant().fill("late".into()), "late");
    /// ```
    #[inline]
    #[track_caller]
    pub fn vacant(&self) -> Vacant<T, &Self> {
        Vacant::new_in(self)
    }

    /// Like [`TypedPool::vacant`], but returns an error if there is no slot.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool is bounded and every slot is occupied, or the heap has no room.
    #[inline]
    #[track_caller]
    pub fn try_vacant(&self) -> Result<Vacant<T, &Self>, Exhausted> {
        Vacant::try_new_in(self)
    }

    /// Makes room for `additional` more elements, so that this many allocations will not grow the pool. A pool that
    /// has chunks already at least doubles, as far as its limit allows.
    ///
    /// # Panics
    ///
    /// If the limit of the pool does not allow that many more, or if the slots, or in a pointer stack as many
    /// pointers, exceed `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 2]>::new();
    /// pool.reserve(100);
    /// let bytes = pool.stats().bytes;
    /// let boxes: Vec<_> = (0..100).map(|i| pool.alloc([i, i])).collect();
    /// assert_eq!(pool.stats().bytes, bytes);
    /// # drop(boxes);
    /// ```
    #[track_caller]
    pub fn reserve(&self, additional: usize) {
        if let Err(error) = self.try_reserve(additional) {
            error.raise();
        }
    }

    /// Like [`TypedPool::reserve`], but returns an error.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool's limit does not allow that many more, or the heap has no room for them. The pool has not changed
    /// then.
    pub fn try_reserve(&self, additional: usize) -> Result<(), Exhausted> {
        self.slots.try_reserve(additional, type_name::<T>(), Self::SLOT)
    }

    /// Faults in the memory of all slots that were never used, by writing to each of its pages, so that the first use of a slot
    /// does not wait for the system. For use after [`TypedPool::reserve`], at a level's start.
    ///
    /// O(bytes), at about a microsecond for 4 KiB; less on huge pages (the feature `huge-pages`).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u64; 8]>::new();
    /// pool.reserve(10_000);
    /// pool.prefault();
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    pub fn prefault(&self) {
        self.slots.cursor.prefault(Self::SLOT);
    }

    /// Gives every chunk without an occupied slot back to the heap, and the part of the pointer stack for its slots; returns the
    /// bytes given back.
    ///
    /// O(vacant slots x chunks): for a level's end, not for a frame's.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// drop(pool.alloc([0_u64; 8]));
    /// assert!(pool.trim() > 0);
    /// assert_eq!(pool.stats().bytes, 0);
    /// ```
    pub fn trim(&self) -> usize {
        self.slots.trim(Self::SLOT)
    }

    /// Returns the source lines that took the pool's live slots, with their counts, the biggest first. See
    /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). O(slots x chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let kept = [pool.alloc(1_u64), pool.alloc(2)];
    /// assert_eq!(pool.sites()[0].location.file(), file!());
    /// # drop(kept);
    /// ```
    #[cfg(feature = "sites")]
    #[must_use]
    pub fn sites(&self) -> Vec<sites::list::Site> {
        sites::list::Site::list([self.map()])
    }

    /// Returns the number of occupied slots: of elements that are alive, or leaked, and of slots that a [`Vacant`] holds. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::with_capacity(100);
    /// assert!(pool.is_empty() && pool.capacity() >= 100);
    /// let number = pool.alloc(7);
    /// assert_eq!(pool.len(), 1);
    /// drop(number);
    /// assert_eq!(pool.len(), 0);
    /// ```
    #[doc(alias = "live")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.live(Self::SLOT)
    }

    /// Whether no slot is occupied. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of slots that the pool has without growing, occupied or not; the limit of one that is
    /// [bounded](Self::bounded). O(chunks).
    #[doc(alias = "is_full")]
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.stats().capacity
    }

    /// Returns the pool's statistics. O(chunks).
    ///
    /// # Examples
    ///
    /// See [`PoolStats`].
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        self.slots.stats(type_name::<T>(), Self::SLOT)
    }

    /// Whether `element` points at a slot of this pool, occupied or not. O(chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::new();
    /// let ours = pool.alloc(1_u64);
    /// assert!(pool.owns(&*ours));
    /// assert!(!pool.owns(&1));
    /// ```
    #[must_use]
    pub fn owns(&self, element: *const T) -> bool {
        self.slots.owns(element.addr(), Self::SLOT)
    }

    /// Returns a map of the pool's memory: its chunks, and the state of each slot. O(slots x chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(16);
    /// let mut kept: Vec<_> = (0..8).map(|n| pool.alloc(n)).collect();
    /// kept.swap_remove(2);
    /// let map = pool.map();
    /// assert_eq!((map.live(), map.chunks().len()), (7, 1));
    /// assert!(map.to_string().contains("|██·█████        |"));
    /// ```
    #[cfg(feature = "view")]
    #[must_use]
    pub fn map(&self) -> PoolMap {
        self.slots.map(type_name::<T>(), Self::SLOT)
    }
}

impl<T, S: Strategy> Default for TypedPool<T, S> {
    fn default() -> Self {
        Self::new()
    }
}

// No user code runs while the pool's state is in motion, so no panic leaves it in disorder.
impl<T, S> UnwindSafe for TypedPool<T, S> {}
impl<T, S> RefUnwindSafe for TypedPool<T, S> {}

/// One line of statistics. O(chunks). The pool's `map()` shows the state of each slot.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 2]>::bounded(4);
/// let [a, b] = [1, 2].map(|n| pool.alloc([n, n]));
/// drop(a);
/// let shown = pool.to_string();
/// assert!(shown.contains("1 of 4 slots live"));
/// # drop(b);
/// ```
impl<T, S: Strategy> fmt::Display for TypedPool<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", S::TYPED_POOL, self.stats())
    }
}

/// As its `Display`.
impl<T, S: Strategy> fmt::Debug for TypedPool<T, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Pools by what leads to one.
macro_rules! pools {
    ($($(#[$said:meta])* $Leads:ty: $Sent:ty;)*) => {$(
        impl<T, S> Sealed for $Leads {}

        $(#[$said])*
        // SAFETY: slots come from the chunks of the pool. It is neither moved nor dropped while it is borrowed; or while an `Rc`
        // to it is there, or was forgotten: `Rc::get_mut` and the like, which could replace the pool, ask for there being no other.
        unsafe impl<T, S: Strategy> Pool<T> for $Leads {
            type Sent = $Sent;

            #[inline(always)]
            fn acquire(&self) -> Option<NonNull<T>> {
                let slot = TypedPool::<T, S>::SLOT;
                match self.slots.acquire(slot, || self.slots.refill(slot)) {
                    Ok(Some(taken)) => {
                        sites::enter(taken);
                        Some(taken.cast())
                    }
                    Ok(None) => None,
                    Err((taken, fault)) => fault.panic(taken.cast::<T>().as_ptr()),
                }
            }

            unsafe fn verify(&self, slot: NonNull<T>) {
                if let Err(fault) = self.slots.check(slot.addr().get(), TypedPool::<T, S>::SLOT) {
                    fault.panic(slot.as_ptr());
                }
            }

            #[inline(always)]
            unsafe fn release(&self, slot: NonNull<T>) {
                sites::leave(slot.cast());
                // SAFETY: the caller gives up a slot of this pool.
                if let Err(fault) = unsafe { self.slots.release(slot.cast(), TypedPool::<T, S>::SLOT) } {
                    fault.panic(slot.as_ptr());
                }
            }

            fn exhausted(&self) -> Exhausted {
                let slot = TypedPool::<T, S>::SLOT;
                self.slots.exhausted(type_name::<T>(), self.slots.is_at_limit(), slot)
            }
        }
    )*};
}

pools! {
    &TypedPool<T, S>: Self;
    /// A box that keeps its pool alive: see [`PoolBoxIn::new_in`](crate::PoolBoxIn::new_in).
    Rc<TypedPool<T, S>>: RcPool<T>;
}

/// A bound that no type meets, and that says why an owned pool is not `Sync`.
///
/// # Safety
///
/// It must not be implemented.
#[diagnostic::on_unimplemented(
    message = "a `FreeList` or `PointerStack` of `{T}` cannot be shared between threads",
    label = "used by more than one thread",
    note = "give every thread a pool of its own, or put one into a `Mutex`",
    note = "its boxes stay on their thread as well: send the value, `PoolBoxIn::into_inner`"
)]
pub unsafe trait SharedPool<T> {}

/// Never `Sync`: the bound holds for no type, and says why.
// SAFETY: the bound holds for no type. Without this `impl` the compiler would explain itself with
// every private field.
unsafe impl<T, S> Sync for TypedPool<T, S> where (): SharedPool<T> {}

/// Says the same of the boxes that keep their pool alive.
#[doc(hidden)]
#[allow(missing_debug_implementations, unnameable_types, reason = "it is there for its message")]
pub struct RcPool<T>(PhantomData<T>);

// SAFETY: the bound holds for no type.
unsafe impl<T> Send for RcPool<T> where (): SharedPool<T> {}
// SAFETY: the bound holds for no type.
unsafe impl<T> Sync for RcPool<T> where (): SharedPool<T> {}

#[cfg(feature = "serde")]
mod with_serde {
    use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error};

    use crate::pointer::boxed::{PoolBoxIn, Vacant};
    use crate::pool::typed::TypedPool;
    use crate::strategy::Strategy;

    /// Reads an element into a slot of the pool, as a `PoolBoxIn<T>` does for a derived type. (If the pool is in an `Rc`,
    /// fill a [`Vacant`] of it with what was read.)
    ///
    /// # Examples
    ///
    /// ```
    /// use serde::de::DeserializeSeed;
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<[u32; 3]>::bounded(1);
    /// let mut json = serde_json::Deserializer::from_str("[1, 2, 3] [4, 5, 6]");
    /// let first = pool.deserialize(&mut json).unwrap();
    /// assert_eq!(*first, [1, 2, 3]);
    ///
    /// let error = pool.deserialize(&mut json).unwrap_err().to_string();
    /// assert!(error.starts_with("the pool of `[u32; 3]` is exhausted: its only slot is occupied"));
    /// ```
    impl<'de, T: Deserialize<'de>, S: Strategy> DeserializeSeed<'de> for &TypedPool<T, S> {
        type Value = PoolBoxIn<T, Self>;

        #[track_caller]
        fn deserialize<D: Deserializer<'de>>(
            self,
            deserializer: D,
        ) -> Result<Self::Value, D::Error> {
            let slot = Vacant::try_new_in(self).map_err(Error::custom)?;
            T::deserialize(deserializer).map(|value| slot.fill(value))
        }
    }
}
