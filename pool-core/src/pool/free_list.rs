//! An owned pool with an intrusive free list.

use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::init::{Init, TryInitError};
use crate::memory::slot::Slot;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::{Pool, sealed};
use crate::pointer::vacant::Vacant;
use crate::pool::dump;
use crate::pool::owned::{Owned, OwnedPool};
use crate::strategy::free_list::List;

/// A pool of `T`s that is a value: chunks of equal slots, and a free list through the vacant ones.
///
/// Boxes borrow the pool, so it outlives them; for boxes that borrow nothing, derive
/// [`Pooled`](crate::Pooled). (For the same reason a struct cannot hold both a pool and its boxes.) A
/// slot has the size of an element, rounded up to the size and alignment of a pointer, since a vacant
/// slot holds the link to the next.
///
/// Allocating and freeing are O(1), but for the allocation that adds a chunk. The first chunk has as
/// many slots as fit into 8 KiB, but at least 8; then chunks double the pool, so that a pool of n slots
/// has O(log n) of them, and elements never move. If the heap has no memory left, the program ends as
/// it does for `Box`; no `try_*` returns from that. A slot that was
/// freed last is reused first; when the pool has emptied, slots are handed out as they were at first: chunk
/// by chunk, the oldest first, and in address order within each.
///
/// The pool can be sent to another thread (if `T` can) while no box borrows it, but not shared.
/// Dropping it gives its memory back; elements whose box was leaked are not dropped.
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
pub struct FreeList<T> {
    list: Owned<List>,
    /// A pool owns no `T`: boxes do. So `T` may borrow from something that dies before the pool.
    marker: PhantomData<*const T>,
}

// SAFETY: without a box there is no `T` in the pool, and with one the pool is borrowed and cannot
// be sent. What remains are counters and chunks that nothing else refers to. The exception is a
// leaked box, whose `T` can stay behind on either thread; hence `T: Send`.
unsafe impl<T: Send> Send for FreeList<T> {}

/// Implemented for nothing: a bound that says why a `FreeList` is not `Sync`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `FreeList<{T}>` cannot be shared between threads",
    label = "used by more than one thread",
    note = "give every thread a pool of its own, or put one into a `Mutex`",
    note = "its boxes stay on their thread as well: send the value, `PoolBox::into_inner`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait SharedFreeList<T> {}

/// Never: the bound holds for no type, and says so.
// SAFETY: the bound holds for no type. Without this `impl` the compiler would explain itself with
// every private field.
unsafe impl<T> Sync for FreeList<T> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for PoolBox<T, &FreeList<T>> where (): SharedFreeList<T> {}
/// Never: the pool cannot be used by another thread, and says so.
// SAFETY: the bound holds for no type.
unsafe impl<T> Send for Vacant<T, &FreeList<T>> where (): SharedFreeList<T> {}

impl<T> FreeList<T> {
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
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// For the derive, which pays for every function that a constant calls.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self { list: Owned::new(List::EMPTY), marker: PhantomData };

    pub(crate) const fn with_config(config: Config) -> Self {
        Self { list: Owned::new(List::new(config)), marker: PhantomData }
    }

    /// A pool with room for `capacity` elements before it grows. The room is one chunk.
    ///
    /// # Panics
    ///
    /// If `capacity` slots exceed `isize::MAX` bytes.
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
    pub fn with_capacity(capacity: usize) -> Self {
        let pool = Self::new();
        pool.reserve(capacity);
        pool
    }

    /// A pool of `capacity` slots in one chunk, which never grows.
    ///
    /// # Panics
    ///
    /// If `capacity` slots exceed `isize::MAX` bytes.
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
    pub fn bounded(capacity: usize) -> Self {
        let pool = Self::with_config(Config::bounded(capacity));
        pool.reserve(capacity);
        pool
    }

    /// Puts `value` into a slot. O(1), but for growth.
    ///
    /// # Panics
    ///
    /// If the pool is bounded and every slot is occupied ([`FreeList::try_alloc`] does not).
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
    pub fn alloc(&self, value: T) -> PoolBox<T, &Self> {
        PoolBox::new_in(value, self)
    }

    /// Puts `value` into a slot, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool is bounded and every slot is occupied.
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
    pub fn try_alloc(&self, value: T) -> Result<PoolBox<T, &Self>, Exhausted<T>> {
        PoolBox::try_new_in(value, self)
    }

    /// Puts what `f` returns into a slot that is reserved before `f` runs. `f` may use the pool; if
    /// it panics, the slot goes back.
    ///
    /// An optimised build writes the value where it belongs most of the time; that is not
    /// guaranteed ([`FreeList::init`] does).
    ///
    /// # Panics
    ///
    /// As [`FreeList::alloc`], and if `f` panics.
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
    pub fn alloc_with(&self, f: impl FnOnce() -> T) -> PoolBox<T, &Self> {
        PoolBox::new_with_in(f, self)
    }

    /// [`FreeList::alloc_with`] that does not panic where there is no slot; `f` is not called then.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool is bounded and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(0);
    /// assert!(pool.try_alloc_with(|| unreachable!()).is_err());
    /// ```
    #[inline]
    pub fn try_alloc_with(&self, f: impl FnOnce() -> T) -> Result<PoolBox<T, &Self>, Exhausted> {
        PoolBox::try_new_with_in(f, self)
    }

    /// Builds an element in its slot, as the initialiser says: field by field, at every
    /// optimisation level, and never on the stack. The initialiser may use the pool.
    ///
    /// # Errors
    ///
    /// Those of the initialiser. What it had built is dropped, and the slot goes back.
    ///
    /// # Panics
    ///
    /// As [`FreeList::alloc`], and if the initialiser panics; then the slot goes back.
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
    pub fn init<E>(&self, init: impl Init<T, E>) -> Result<PoolBox<T, &Self>, E> {
        PoolBox::init_in(init, self)
    }

    /// [`FreeList::init`] that does not panic where there is no slot; the initialiser does not run
    /// then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool is bounded and every slot is occupied;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    ///
    /// # Examples
    ///
    /// See [`TryInitError`].
    #[inline]
    pub fn try_init<E>(&self, init: impl Init<T, E>) -> Result<PoolBox<T, &Self>, TryInitError<E>> {
        PoolBox::try_init_in(init, self)
    }

    /// Reserves a slot, to be filled later; it goes back if it is not.
    ///
    /// # Panics
    ///
    /// As [`FreeList::alloc`].
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

    /// [`FreeList::vacant`] that does not panic.
    ///
    /// # Errors
    ///
    /// [`Exhausted`] if the pool is bounded and every slot is occupied.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FreeList;
    ///
    /// let pool = FreeList::<u64>::bounded(1);
    /// let slot = pool.try_vacant().unwrap();
    /// assert!(pool.try_vacant().is_err());
    /// # drop(slot);
    /// ```
    #[inline]
    pub fn try_vacant(&self) -> Result<Vacant<T, &Self>, Exhausted> {
        Vacant::try_new_in(self)
    }

    /// Makes room for `additional` more elements, so that as many allocations will not grow. A pool that
    /// has chunks already is doubled at least, as far as its limit allows.
    ///
    /// # Panics
    ///
    /// If the limit of the pool does not allow so many, or the slots exceed `isize::MAX` bytes.
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
        if let Err(refused) = self.try_reserve(additional) {
            refused.panic::<Self>(additional);
        }
    }

    /// Brings in the memory of all slots that were never used, by writing to each page of it: their first
    /// use will not wait for the system. After [`FreeList::reserve`], for a level's start.
    ///
    /// O(bytes), at about a microsecond for 4 KiB; less with the feature `huge-pages`.
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
        self.touch();
    }

    /// Gives every chunk without an occupied slot back to the heap; returns their bytes.
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
        self.give_back()
    }

    /// The pool's figures. O(chunks).
    ///
    /// # Examples
    ///
    /// See [`PoolStats`].
    pub fn stats(&self) -> PoolStats {
        self.figures()
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
    pub fn owns(&self, element: *const T) -> bool {
        self.holds(element)
    }
}

impl<T> OwnedPool for FreeList<T> {
    type Element = T;
    type Strategy = List;
    const SLOT: Layout = Slot::<T>::LAYOUT;

    #[inline(always)]
    fn owned(&self) -> &Owned<List> {
        &self.list
    }
}

impl<T> Default for FreeList<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// One line of figures, the order of the free list, and a map of every chunk.
///
/// In the map `#` is an occupied slot, `.` a vacant one and `-` one that was never used. Slots are
/// named `chunk:slot`. The plain form shows the first 64 entries of the list and the first 64 slots
/// of a chunk, the alternate form (`{:#}`) all of them. O(slots x chunks) time, O(slots) memory.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 2]>::bounded(4);
/// let [a, b, c] = [1, 2, 3].map(|n| pool.alloc([n, n]));
/// drop(a);
/// drop(c);
/// let shown = pool.to_string();
/// assert!(shown.contains("1 of 4 slots live"));
/// assert!(shown.contains("free list: 0:2 -> 0:0"));
/// assert!(shown.contains(".#.-"));
/// # drop(b);
/// ```
impl<T> fmt::Display for FreeList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        dump::typed(self, "FreeList", f)
    }
}

/// As its `Display`.
impl<T> fmt::Debug for FreeList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// No user code runs while the pool's state is in motion, so no panic leaves it in disorder.
impl<T> UnwindSafe for FreeList<T> {}
impl<T> RefUnwindSafe for FreeList<T> {}

impl<T> sealed::Sealed for &FreeList<T> {}

impl<T> Pool<T> for &FreeList<T> {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        self.intact(self.take().or_else(|| self.refill()))
    }

    fn verify(&self, slot: NonNull<T>) {
        OwnedPool::verify(*self, slot);
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { self.put(slot) };
    }

    fn refusal(&self) -> Exhausted {
        self.refused()
    }
}
