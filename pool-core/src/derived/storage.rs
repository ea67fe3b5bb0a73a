//! The key in `Pooled::__POOL`, which leads to a type's pool, and what it offers: [`BoxStorage`] or [`RosterStorage`], by the kind of the
//! pool.
//!
//! A constant has one value, so a type has one pool, whatever its `impl` says; and a key of one type leads
//! to no pool of another's. Keys are made by the macros of this crate alone, each for statics that it declares itself.
//! So `Pooled` is safe to implement: other code can only ask for a pool, by the macros or by the derive, and leave it
//! unused.
//!
//! A key is its own view: a key to a pool of boxes implements [`BoxStorage`], a key to a roster [`RosterStorage`].

use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::copied;
use crate::base::ledger::TypeFacts;
use crate::base::sealed::Sealed;
use crate::base::watch::hardened::Fault;
use crate::base::watch::sites;
use crate::derived::with_counts::Holds;
#[cfg(feature = "rosters")]
use {
    crate::base::ledger::{OpError, PoolOps, Visit},
    crate::roster::Roster,
    core::any::type_name,
    core::ops::{Deref, DerefMut},
};

/// Leads to a pool of the whole process.
pub struct InStatic<P: 'static> {
    /// Before Rust 1.90 a constant cannot hold a reference to a static with interior mutability.
    place: *const P,
    marker: PhantomData<fn(P) -> P>,
}

copied!([P] InStatic[P]);

// SAFETY: it leads to a static, and so to the same in each thread.
unsafe impl<P: Sync> Send for InStatic<P> {}

impl<P> InStatic<P> {
    /// The key of a static.
    ///
    /// # Safety
    ///
    /// It was declared for this key.
    pub const unsafe fn new(place: *const P) -> Self {
        Self { place, marker: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn get(self) -> &'static P {
        // SAFETY: it points to a static, which was initialised and is never written to but through cells
        // (`InStatic::new`).
        unsafe { &*self.place }
    }
}

impl<P> Sealed for InStatic<P> {}

/// The kind of a pool's elements: [`Boxes`] or [`RosterHandles`], and nothing else.
///
/// For code that is generic over both: it can ask for figures and manage memory.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolKind, Pooled};
///
/// fn live<K: PoolKind, T: Pooled<K>>() -> usize {
///     T::pool_stats().live
/// }
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// assert_eq!(live::<_, Bullet>(), 0);
/// ```
pub trait PoolKind: Sealed + 'static {
    /// The pool's key, for code that knows the kind alone.
    #[doc(hidden)]
    type View<T, S: Storage<T>>: Copy;
}

/// The kind of pool that hands out boxes: `T: Pooled` is short for `T: Pooled<Boxes>`.
///
/// A marker, never constructed. The strategy decides the kind: `free_list` and `pointer_stack`
/// have boxes.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// fn spawn<T: Pooled + Default>(count: usize) -> Vec<PoolBox<T>> {
///     (0..count).map(|_| T::pool_alloc()).collect()
/// }
///
/// #[derive(Pooled, Default)]
/// struct Bullet([f32; 4]);
///
/// assert_eq!(spawn::<Bullet>(3).len(), 3);
/// ```
#[derive(Debug)]
pub enum Boxes {}

impl Sealed for Boxes {}

impl PoolKind for Boxes {
    type View<T, S: Storage<T>> = S::Boxes;
}

/// The kind of pool that hands out handles: of types with `strategy = roster`.
///
/// A marker, never constructed.
///
/// # Examples
///
/// ```
/// use typed_pool::{Handle, Pooled, RosterHandles};
///
/// fn spawn<T: Pooled<RosterHandles> + Default>(count: usize) -> Vec<Handle<T>> {
///     (0..count).map(|_| T::pool_insert(T::default())).collect()
/// }
///
/// #[derive(Pooled, Default)]
/// #[pool(strategy = roster)]
/// struct Monster { health: i32 }
///
/// assert_eq!(spawn::<Monster>(3).len(), 3);
/// ```
#[derive(Debug)]
pub enum RosterHandles {}

impl Sealed for RosterHandles {}

impl PoolKind for RosterHandles {
    type View<T, S: Storage<T>> = S::Roster;
}

/// The key of a derived pool of `T`s, with its two views: one is the key itself, the other [`Never`].
#[doc(hidden)]
pub trait Storage<T>: Sealed + 'static {
    /// The storage of boxes.
    type Boxes: BoxStorage<T>;

    /// The storage of handles.
    #[cfg(feature = "rosters")]
    type Roster: RosterStorage<T>;
    #[cfg(not(feature = "rosters"))]
    type Roster: Copy;

    /// Returns the facts of the pools of `T`s, and the rare operations on them.
    fn facts() -> &'static TypeFacts;
}

/// The view of a pool of boxes.
///
/// # Safety
///
/// The pool that is found is always the same, or the thread's own. Its slots have this layout, have room for a `Slot`, and stay where
/// they are for ever; a slot that was acquired belongs to the caller alone until it is released, and its pointer reaches all of it. If
/// the key is `Send`, then the pool takes a slot back in any thread, whichever thread it was handed out in.
#[doc(hidden)]
pub unsafe trait BoxStorage<T>: Copy + Sealed {
    /// The contents of a slot.
    type Slot: Holds<T>;

    /// The layout of a slot.
    const LAYOUT: Layout;

    /// The pool, or what this thread has of it.
    type Found: Found;

    /// Finds the pool.
    ///
    /// # Safety
    ///
    /// It is used only until the end of the operation that asks for it. This operation runs no user's code but the heap, so
    /// no thread-local is destroyed before it ends.
    unsafe fn find(self) -> Self::Found;

    /// Takes a slot for a `T`; `None` if there is none.
    #[inline(always)]
    #[track_caller]
    fn acquire(self) -> Option<NonNull<T>> {
        // SAFETY: it is used until this returns.
        let pool = unsafe { self.find() };
        let offset = <Self::Slot as Holds<T>>::OFFSET;
        match pool.acquire(Self::LAYOUT) {
            Ok(Some(taken)) => {
                sites::enter(taken);
                // SAFETY: the pool has just handed the slot out, whose pointer is good for all of it, and the element lies inside
                // (`Holds`).
                Some(unsafe { taken.byte_add(offset) }.cast())
            }
            Ok(None) => None,
            Err((taken, fault)) => {
                let element = taken.as_ptr().wrapping_byte_add(offset);
                fault.seen_from_element(offset).panic(element.cast::<T>())
            }
        }
    }
}

/// A slot, if there is one; or one that was written to while it was free.
pub(crate) type Acquired = Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)>;

/// A pool that was found for one operation. Its slots all have one layout, which is passed in. The traits that find it, [`BoxStorage`]
/// and `AnyPool`, say what it promises.
pub(crate) trait Found {
    /// Takes a slot; `None` if there is none, or an error with a slot that was written to while it was free.
    fn acquire(self, slot: Layout) -> Acquired;

    /// Checks that a slot which begins at the address can be given back, as far as this build looks.
    fn check(self, address: usize, slot: Layout) -> Result<(), Fault>;

    /// Takes a slot back; an error if this build finds that it cannot be.
    ///
    /// # Safety
    ///
    /// The slot came from [`Found::acquire`] of this pool (if that is a thread's, in this thread), and has not been released
    /// since. The pointer is good for writing to all of it, and nothing uses the slot any more.
    unsafe fn release(self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault>;
}

/// The view of a pool of handles.
#[doc(hidden)]
#[cfg(feature = "rosters")]
pub trait RosterStorage<T>: Copy + Sealed {
    /// The roster until it is dropped, shared.
    type Ref: Deref<Target = Roster<T>>;

    /// The roster until it is dropped, exclusively.
    type RefMut: DerefMut<Target = Roster<T>>;

    /// See [`Pooled::pool_try_borrow`](crate::Pooled::pool_try_borrow).
    fn try_borrow(self) -> Result<Self::Ref, OpError>;

    /// See [`Pooled::pool_try_borrow_mut`](crate::Pooled::pool_try_borrow_mut).
    fn try_borrow_mut(self) -> Result<Self::RefMut, OpError>;

    /// Lends the roster exclusively, if this thread does not have it.
    #[inline]
    fn try_lend_mut<R>(self, f: impl FnOnce(&mut Roster<T>) -> R) -> Result<R, OpError> {
        Ok(f(&mut *self.try_borrow_mut()?))
    }

    /// Lends the roster, shared, if this thread does not have it exclusively.
    #[inline(always)]
    fn try_lend<R>(self, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, OpError> {
        Ok(f(&*self.try_borrow()?))
    }

    /// [`RosterStorage::try_lend`] for callers that look at all pools. Unless it `may_wait`, it is also refused while another thread
    /// has the roster exclusively.
    fn inspect<R>(self, may_wait: bool, f: impl FnOnce(&Roster<T>) -> R) -> Result<R, OpError> {
        let _ = may_wait;
        self.try_lend(f)
    }

    /// [`PoolOps::is_used_here`](crate::base::ledger::PoolOps::is_used_here).
    fn is_used_here(self) -> bool {
        true
    }

    /// Calls `rosters::take` with the number: at once, or as soon as this thread does not use the roster, and no destructor that
    /// this has called is running.
    fn remove_later(self, number: u64);

    /// [`PoolOps::visit`](crate::base::ledger::PoolOps::visit) where the roster is this thread's.
    fn visit(self, _visit: Visit) -> Option<&'static dyn PoolOps> {
        None
    }

    /// See [`Pooled::pool_clear`](crate::Pooled::pool_clear). The roster is not lent while destructors run.
    #[track_caller]
    fn clear(self) {
        while !done::<T, _>(self.try_lend_mut(|roster| roster.is_empty())) {
            let mut first = 0;
            loop {
                let popped = self.try_lend_mut(|roster| roster.pop_first_from(&mut first));
                if done::<T, _>(popped).is_none() {
                    break;
                }
            }
        }
    }
}

/// The result of an operation on the pool of `T`s, or a panic that says why there is none.
#[cfg(feature = "rosters")]
#[inline]
#[track_caller]
pub(crate) fn done<T, R>(done: Result<R, OpError>) -> R {
    match done {
        Ok(result) => result,
        Err(refusal) => refusal.raise(type_name::<T>),
    }
}

/// Does not compile if a slot is of no size.
pub(crate) const fn assert_size(slot: Layout) {
    assert!(slot.size() > 0, "a type without a size has no such pool");
}

/// The view that a storage does not have. There is no value of it, so nothing here is ever called.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Never {}

impl Sealed for Never {}

#[cfg(feature = "rosters")]
impl<T: 'static> RosterStorage<T> for Never {
    type Ref = &'static Roster<T>;

    type RefMut = &'static mut Roster<T>;

    fn try_borrow(self) -> Result<Self::Ref, OpError> {
        match self {}
    }

    fn try_borrow_mut(self) -> Result<Self::RefMut, OpError> {
        match self {}
    }

    fn remove_later(self, _: u64) {
        match self {}
    }
}
