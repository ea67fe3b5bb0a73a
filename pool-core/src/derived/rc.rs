//! Shared elements: [`PoolArc`] and [`PoolRc`] are to `Arc` and `Rc` what [`PoolBox`] is to `Box`.
//!
//! They are for types with `#[pool(rc)]`, whose slots have room for the counts. Both are [`RefCounted`], with counts that are
//! [`Atomic`] or [`Plain`].

use core::marker::PhantomData;
use core::pin::Pin;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, Storage};
use crate::derived::with_counts::{Holds, WithCounts, counts_before};
use crate::init::{Init, TryInitError};
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::ref_counts::Counts;
pub use crate::pointer::ref_counts::{Atomic, Count, Plain};
use crate::pointer::{OwnPool, PoolMarker};

pub use weak::{PoolArcWeak, PoolRcWeak, RefCountedWeak};

mod access;
mod traits;
mod weak;

/// One of many owners of an element in a static pool: what `Arc` is for the heap.
///
/// For types with `#[pool(static, rc)]`; others have [`PoolRc`]. One word, and so is an `Option` of it. See
/// [`RefCounted`] for what it can do.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolArc, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(static, rc)]
/// struct Texture { texels: [u32; 256] }
///
/// let grass = PoolArc::new(Texture { texels: [7; 256] });
/// let there = PoolArc::clone(&grass);
/// let sum = thread::spawn(move || there.texels.iter().sum::<u32>()).join().unwrap();
/// assert_eq!((sum, PoolArc::strong_count(&grass)), (7 * 256, 1));
/// ```
pub type PoolArc<T> = RefCounted<T, Atomic>;

/// One of many owners of an element in a pool, all in one thread: what `Rc` is for the heap.
///
/// For types with `#[pool(rc)]`. One word, and so is an `Option` of it. See [`RefCounted`] for what it can do.
///
/// # Examples
///
/// ```
/// use std::cell::Cell;
/// use typed_pool::{PoolRc, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(rc)]
/// struct Squad { alive: Cell<u32>, name: String }
///
/// let squad = PoolRc::new(Squad { alive: Cell::new(3), name: "wolves".into() });
/// let members: Vec<_> = (0..3).map(|_| PoolRc::clone(&squad)).collect();
/// members[1].alive.set(2);
/// assert_eq!((squad.alive.get(), PoolRc::strong_count(&squad)), (2, 4));
/// ```
pub type PoolRc<T> = RefCounted<T, Plain>;

/// A type with a pool whose elements can be counted by a `C`: with [`Plain`] where the pool is declared with `rc`, with
/// [`Atomic`] where it is also `static`.
///
/// # Examples
///
/// ```
/// use typed_pool::rc::{Atomic, RefCountedBy};
/// use typed_pool::{PoolArc, Pooled};
///
/// fn twice<T: RefCountedBy<Atomic> + Default>() -> [PoolArc<T>; 2] {
///     let first = PoolArc::default();
///     [PoolArc::clone(&first), first]
/// }
///
/// #[derive(Pooled, Default)]
/// #[pool(static, rc)]
/// struct Scene { objects: Vec<u32> }
///
/// let [scene, same] = twice::<Scene>();
/// assert!(PoolArc::ptr_eq(&scene, &same));
/// ```
///
/// # Safety
///
/// Implemented for all types that can have it: the slots of the pool have room for counts. With [`Atomic`], any thread
/// may free them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not declared for this: write `#[pool(rc)]` on it, for a `PoolRc`, or `#[pool(static, rc)]`, for a `PoolArc`",
    label = "no counts of `{C}`",
    note = "with `rc`, each slot of the pool has room for two counts: two words more, or the element's alignment",
    note = "with `static`, there is one pool for all threads, and the counts are atomic; else they stay on their thread",
    note = "or keep a `PoolBox<{Self}>`, if it has one owner",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: RefCountedBy<{C}>`, from the module `rc`"
)]
pub unsafe trait RefCountedBy<C>: Pooled {}

// SAFETY: a slot that holds a `WithCounts<T>` is one, since it holds a `T` as well.
#[diagnostic::do_not_recommend]
unsafe impl<T> RefCountedBy<Plain> for T where
    T: Pooled<__Storage: Storage<T, Boxes: BoxStorage<T, Slot: Holds<WithCounts<T>>>>>
{
}

// SAFETY: the same; and any thread may free it, as a key that is `Send` says.
#[diagnostic::do_not_recommend]
unsafe impl<T> RefCountedBy<Atomic> for T where
    T: Pooled<__Storage: Storage<T, Boxes: BoxStorage<T, Slot: Holds<WithCounts<T>>> + Send>>
{
}

/// One of many owners of an element in the pool of its type: a [`PoolArc`] if `C` is [`Atomic`], a [`PoolRc`] if it is
/// [`Plain`].
///
/// The last owner drops the element. Its slot goes back then, or with the last [`RefCountedWeak`] if there is one. Behaviour and
/// functions are those of `Arc` and `Rc`. All but trait methods are associated functions, so none hides a method of `T`.
///
/// # Differences from `Arc` and `Rc`
///
/// - It needs a derived pool, or a pool by layout (`any::Rc`, `any::Arc`): owned pools have no shared elements.
/// - `==` calls `T::eq` even if both pointers are to the same element; `Rc` and `Arc` look at the addresses first
///   where `T: Eq`. [`RefCounted::ptr_eq`] looks at nothing else.
/// - [`unsize!`](crate::unsize) turns it into a pointer to a trait object, where `Arc` coerces by itself; the trait needs
///   [`PoolObject`](crate::PoolObject) as its supertrait.
/// - The pointer is invariant in `T`, since `T` names the pool. Inside the definition of a generic type, a field
///   `PoolRc<Node<T>>` asks for `where Node<T>: Pooled` on the type.
/// - It has no `increment_strong_count` and `decrement_strong_count`: [`RefCounted::from_raw`] shows what to write instead.
/// - It has no `unwrap_or_clone`: write `try_unwrap(rc).unwrap_or_else(|rc| T::clone(&rc))`. A weak pointer has no `into_raw` and `from_raw`.
/// - It has no `new_uninit`: reserve the slot of a box ([`Pooled::pool_vacant`]), fill it, and share that box.
/// - As on the heap, a cycle of owners is never dropped: its slots stay occupied, as `pool_stats` shows.
///
/// # Memory
///
/// The pointer is one word, the element's address. The two counts lie before the element: `#[pool(rc)]` makes each slot of the type
/// larger by two words (by its alignment, if that is more), whether its element is shared or in a [`PoolBox`]. Boxes and shared
/// elements take their slots from the same pool, with one limit and one set of statistics ([`Pooled::pool_stats`]). A box becomes a
/// shared pointer in place: `PoolRc::from(boxed)` does not move the element.
///
/// A slot that is kept by a weak pointer alone counts towards the limit, too.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolRc, PoolRcWeak, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(rc)]
/// struct Monster { health: i32, leader: Option<PoolRcWeak<Monster>> }
///
/// let leader = PoolRc::new(Monster { health: 90, leader: None });
/// let weak = PoolRc::downgrade(&leader);
/// let follower = PoolRc::new(Monster { health: 20, leader: Some(weak) });
///
/// let found = follower.leader.as_ref().and_then(PoolRcWeak::upgrade);
/// assert_eq!(found.map(|leader| leader.health), Some(90));
/// drop(leader);
/// assert!(follower.leader.as_ref().unwrap().upgrade().is_none());
/// ```
pub struct RefCounted<T: ?Sized, C: Count, P: PoolMarker<T> = OwnPool<T>> {
    /// From the pool: good for the counts before it, too.
    element: NonNull<T>,
    marker: PhantomData<Refers<T, C, P>>,
}

/// The types that a pointer owns or names, for the compiler.
type Refers<T, C, P> = (PhantomData<T>, fn() -> (C, P));

/// A pool whose slots have room for counts of the kind `C`: [`OwnPool`] where `T: RefCountedBy<C>` (types declared with `rc`), and
/// the pools by layout.
///
/// Sealed; for reading signatures.
///
/// # Safety
///
/// Each element of the pool has its counts right before it, within reach of its pointer. If `C` is [`Atomic`], any thread may
/// release the element.
pub unsafe trait CountedPool<T: ?Sized, C>: PoolMarker<T> {}

// SAFETY: `RefCountedBy` says so.
unsafe impl<T: RefCountedBy<C>, C> CountedPool<T, C> for OwnPool<T> {}

impl<T: ?Sized, C: Count, P: CountedPool<T, C>> From<PoolBox<T, P>> for RefCounted<T, C, P> {
    /// Shares the element of a box. It stays where it is.
    #[inline(always)]
    fn from(element: PoolBox<T, P>) -> Self {
        let (element, _) = PoolBox::into_parts(element);
        // SAFETY: the element was the box's, in a pool with room for counts.
        unsafe { write_counts::<T, C>(element, 1) };
        Self::of_element(element)
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// The pointer to an element that was counted as one already.
    #[inline(always)]
    const fn of_element(element: NonNull<T>) -> Self {
        Self { element, marker: PhantomData }
    }

    #[inline(always)]
    fn counts(&self) -> &Counts<C> {
        // SAFETY: the element came from a pool with room for counts, and this pointer keeps its slot. The counts were written when
        // the element was first shared, by a box or `new_cyclic`. They consist of cells or atomics, so all pointers may share them.
        unsafe { &*counts_before(self.element).cast() }
    }
}

/// Constructors of shared elements.
impl<T, C: Count, P: PoolMarker<T>> RefCounted<T, C, P> {
    /// Moves `value` into a slot. O(1), unless the pool grows.
    ///
    /// # Panics
    ///
    /// If the pool has a limit and every slot is occupied ([`RefCounted::try_new`] does not).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Material { roughness: f64 }
    ///
    /// let gold = PoolRc::new(Material { roughness: 0.2 });
    /// assert_eq!(PoolRc::clone(&gold).roughness, 0.2);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn new(value: T) -> Self
    where
        P: CountedPool<T, C>,
    {
        Self::from(PoolBox::new_in(value, P::HERE))
    }

    /// Moves `value` into a slot, or gives it back if there is none.
    ///
    /// # Errors
    ///
    /// [`Exhausted`], with the value, if the pool has a limit and every slot is occupied, or the heap has no room.
    #[inline]
    #[track_caller]
    pub fn try_new(value: T) -> Result<Self, Exhausted<T>>
    where
        P: CountedPool<T, C>,
    {
        PoolBox::try_new_in(value, P::HERE).map(Self::from)
    }

    /// Builds the element in its slot, as the initialiser says: see [`Pooled::pool_init`](crate::Pooled::pool_init).
    ///
    /// # Errors
    ///
    /// The initialiser's error. The fields built so far are dropped, and the slot goes back.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`], and if the initialiser panics; then the slot goes back.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolRc, Pooled, init};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Map { level: u32, cells: [u8; 65_536] }
    ///
    /// let Ok(map) = PoolRc::init(init!(Map { level: 1, cells <- init::zeroed() }));
    /// assert_eq!((map.level, map.cells[65_535]), (1, 0));
    /// ```
    #[inline]
    #[track_caller]
    pub fn init<E>(init: impl Init<T, E>) -> Result<Self, E>
    where
        P: CountedPool<T, C>,
    {
        Vacant::new_in(P::HERE).init(init).map(Self::from)
    }

    /// Like [`RefCounted::init`], but returns an error if there is no slot; the initialiser does not run then.
    ///
    /// # Errors
    ///
    /// [`TryInitError::Exhausted`] if the pool has a limit and every slot is occupied, or the heap has no room;
    /// [`TryInitError::Init`] if the initialiser fails, and the slot goes back.
    ///
    /// # Panics
    ///
    /// If the initialiser panics; the slot goes back.
    #[inline]
    #[track_caller]
    pub fn try_init<E>(init: impl Init<T, E>) -> Result<Self, TryInitError<E>>
    where
        P: CountedPool<T, C>,
    {
        PoolBox::try_init_in(init, P::HERE).map(Self::from)
    }

    /// Moves `value` into a slot and pins it there.
    ///
    /// # Panics
    ///
    /// As [`RefCounted::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::marker::PhantomPinned;
    /// use typed_pool::{PoolRc, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(rc)]
    /// struct Waiter { id: u64, _pinned: PhantomPinned }
    ///
    /// let waiter = PoolRc::pin(Waiter { id: 1, _pinned: PhantomPinned });
    /// assert_eq!(waiter.clone().id, 1);
    /// ```
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn pin(value: T) -> Pin<Self>
    where
        P: CountedPool<T, C>,
    {
        // SAFETY: a holder of the `Pin` or of a clone gets no `&mut T` and cannot move the element, which
        // is dropped before its slot is used again: a type's own pool outlives all pointers into it, and keeps an
        // occupied slot even if all of them are leaked.
        unsafe { Pin::new_unchecked(Self::new(value)) }
    }
}

/// Writes the counts of an element that nothing else points to.
///
/// # Safety
///
/// The slot, from a pool with room for counts, is the caller's.
#[inline(always)]
unsafe fn write_counts<T: ?Sized, C: Count>(element: NonNull<T>, strong: usize) {
    // SAFETY: there is room for either kind of counts, and it belongs to the slot (caller).
    unsafe { counts_before(element).cast::<Counts<C>>().write(Counts::new(strong)) };
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Clone for RefCounted<T, C, P> {
    /// Adds an owner of the same element.
    ///
    /// Ends the program if there are more than `isize::MAX` owners, as `Arc` does.
    #[inline]
    fn clone(&self) -> Self {
        self.counts().inc_strong();
        Self::of_element(self.element)
    }
}

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Drop for RefCounted<T, C, P> {
    #[inline]
    fn drop(&mut self) {
        if self.counts().dec_strong() {
            // SAFETY: `dec_strong` said so, and a pointer is not used after its destructor.
            unsafe { self.drop_element() };
        }
    }
}

/// A counter that many threads may use.
///
/// # Safety
///
/// Its changes are atomic.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolRc<{T}>` cannot leave its thread",
    label = "its counts belong to one thread",
    note = "use `PoolArc<{T}>`, whose counts are atomic, and write `#[pool(static, rc)]` on `{T}`",
    note = "in place of an `any::Rc`, use an `any::Arc`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub unsafe trait ByManyThreads<T: ?Sized>: Count {}

// SAFETY: it is atomic.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized> ByManyThreads<T> for Atomic {}

// SAFETY: another thread may look at the element, and drop it (as for `Arc`), may change the counts, which
// are atomic, and may give the slot back: elements begin to be counted atomically where that is so (`CountedPool`).
unsafe impl<T: Send + Sync + ?Sized, C: ByManyThreads<T>, P: PoolMarker<T>> Send
    for RefCounted<T, C, P>
{
}
// SAFETY: as `Send`: a reference is enough to clone the pointer.
unsafe impl<T: Send + Sync + ?Sized, C: ByManyThreads<T>, P: PoolMarker<T>> Sync
    for RefCounted<T, C, P>
{
}
