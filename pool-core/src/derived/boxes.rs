//! Boxes in a type's own pool: the types and trait objects that have them, [`OwnPool`], and when boxes may be sent.
//!
//! For `dyn Trait`, the vtable leads to the pool of the type that it was made from.

use core::any::TypeId;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::base::ledger::TypeFacts;
use crate::base::sealed::Sealed;
use crate::base::watch::hardened::Fault;
use crate::base::watch::sites;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, Found as _, Storage};
use crate::derived::with_counts::Holds;
use crate::pointer::boxed::PoolBox;
use crate::pointer::{OwnPool, Pool, PoolMarker};

/// A type with a pool of its own, or a trait object of one: the supertrait of a trait whose objects lie in pools.
///
/// Implemented for every type with `#[derive(Pooled)]` that has boxes. As a supertrait it brings the way back to the pool
/// into the vtable. So a [`PoolBox<dyn Shape>`](crate::PoolBox) is two words, and its slot no larger than its element: each
/// type keeps its own pool. [`unsize!`](crate::unsize) makes one.
///
/// If the boxes are to leave their thread, see [`StaticPoolObject`]. For traits that are not yours, closures, futures, and
/// types without a derive, there are the pools by layout.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, PoolObject, Pooled, unsize};
///
/// trait Shape: PoolObject {
///     fn area(&self) -> f64;
/// }
///
/// #[derive(Pooled)]
/// struct Square { side: f64 }
///
/// impl Shape for Square {
///     fn area(&self) -> f64 { self.side * self.side }
/// }
///
/// #[derive(Pooled)]
/// struct Circle { radius: f64 }
///
/// impl Shape for Circle {
///     fn area(&self) -> f64 { std::f64::consts::PI * self.radius * self.radius }
/// }
///
/// let shapes: Vec<PoolBox<dyn Shape>> = vec![
///     unsize!(PoolBox::new(Square { side: 2.0 }) => dyn Shape),
///     unsize!(PoolBox::new(Circle { radius: 1.0 }) => dyn Shape),
/// ];
/// let areas: Vec<_> = shapes.iter().map(|shape| shape.area()).collect();
/// assert_eq!(areas, [4.0, std::f64::consts::PI]);
/// assert_eq!((Square::pool_stats().live, Circle::pool_stats().live), (1, 1));
/// ```
///
/// # Safety
///
/// Implemented for all types that can have it: the pool of the type is where its boxes come from, and the type is the one that it
/// says.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pool of boxes: add `#[derive(Pooled)]`",
    label = "no boxes of its own",
    note = "if its pool has `strategy = roster`, it hands out handles in place of boxes",
    note = "a generic type lists the instances that have one: `#[pool(instances({Self}))]`",
    note = "for an object of a trait of your own, write `PoolObject` as the supertrait: `trait Shape: PoolObject`",
    note = "a type of another crate: take `any::Box`, which is for all types"
)]
pub unsafe trait PoolObject {
    /// Returns the pool of this element's slot: that of its own type, also where it is a trait object.
    #[doc(hidden)]
    fn __owner(&self) -> &'static PoolVTable;

    /// The same, without an element.
    #[doc(hidden)]
    fn __owner_of_type() -> &'static PoolVTable
    where
        Self: Sized;

    #[doc(hidden)]
    #[track_caller]
    fn __acquire() -> Option<NonNull<Self>>
    where
        Self: Sized;
}

// SAFETY: the pool of a type is a constant, to which all functions go.
#[allow(clippy::needless_maybe_sized, reason = "else what has no size is told so as well")]
unsafe impl<T: Pooled<__Storage: Sealed> + ?Sized> PoolObject for T {
    #[inline(always)]
    fn __owner(&self) -> &'static PoolVTable {
        const { &PoolVTable::of::<T>() }
    }

    fn __owner_of_type() -> &'static PoolVTable {
        const { &PoolVTable::of::<T>() }
    }

    #[inline(always)]
    fn __acquire() -> Option<NonNull<T>> {
        T::__POOL.acquire()
    }
}

/// The key of a type's pool, and what is in its slots.
type KeyOf<T> = <<T as Pooled>::__Storage as Storage<T>>::Boxes;
type SlotOf<T> = <KeyOf<T> as BoxStorage<T>>::Slot;

/// The pool of an element that may be a trait object, as its vtable tells. The functions may be called after the element is dropped, and
/// so take no reference to it.
#[doc(hidden)]
#[allow(missing_debug_implementations, unnameable_types, reason = "for this crate alone")]
pub struct PoolVTable {
    /// The number of the elements' type.
    pub(super) id: fn() -> TypeId,
    facts: fn() -> &'static TypeFacts,
    check: fn(NonNull<u8>) -> Result<(), Fault>,
    release: unsafe fn(NonNull<u8>),
}

impl PoolVTable {
    const fn of<T: Pooled>() -> Self {
        let facts = <T as Pooled>::__Storage::facts;
        Self { id: TypeId::of::<T>, facts, check: check::<T>, release: release::<T> }
    }
}

fn check<T: Pooled>(element: NonNull<u8>) -> Result<(), Fault> {
    // SAFETY: it is used until this returns.
    let pool = unsafe { T::__POOL.find() };
    let address = element.addr().get().wrapping_sub(<SlotOf<T> as Holds<T>>::OFFSET);
    pool.check(address, KeyOf::<T>::LAYOUT)
}

/// # Safety
///
/// As for `Found::release`, with the element of a slot.
#[inline(always)]
unsafe fn release<T: Pooled>(element: NonNull<u8>) {
    // SAFETY: a box's element, which came from the pool (caller).
    let freed = unsafe { element.byte_sub(<SlotOf<T> as Holds<T>>::OFFSET) };
    sites::leave(freed);
    // SAFETY: it is used until this returns.
    let pool = unsafe { T::__POOL.find() };
    // SAFETY: the caller gives up a slot that is in use. Neither a box nor a pointer that counts by one thread leaves its thread, so
    // a thread's pool is the one from which the slot came.
    if let Err(fault) = unsafe { pool.release(freed, KeyOf::<T>::LAYOUT) } {
        fault.panic(element.as_ptr().cast::<T>());
    }
}

/// A type with a `static` pool, or a trait object of one: the supertrait of a trait whose objects may leave their thread.
///
/// A [`PoolBox<T>`](crate::PoolBox) is `Send` where `T: StaticPoolObject + Send`, and `Sync` where `T: StaticPoolObject +
/// Sync`. Implemented for every type with `#[pool(static)]` that has boxes.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBox, Pooled, StaticPoolObject, unsize};
///
/// trait Job: StaticPoolObject + Send {
///     fn run(&mut self) -> u64;
/// }
///
/// #[derive(Pooled)]
/// #[pool(static)]
/// struct Sum { numbers: Vec<u64> }
///
/// impl Job for Sum {
///     fn run(&mut self) -> u64 { self.numbers.drain(..).sum() }
/// }
///
/// let mut job = unsize!(PoolBox::new(Sum { numbers: vec![1, 2, 3] }) => dyn Job);
/// assert_eq!(thread::spawn(move || job.run()).join().unwrap(), 6);
/// ```
///
/// # Safety
///
/// Implemented for all types that can have it: any thread may give the slots of the pool back.
#[diagnostic::on_unimplemented(
    message = "a `PoolBox<{Self}>` cannot leave its thread",
    label = "its slot may be of a thread's pool",
    note = "such a slot belongs to the thread that allocated it, and no other thread may touch it",
    note = "move the value out with `PoolBox::into_inner` and send that, or keep it in a `Box`",
    note = "or write `#[pool(static)]` on `{Self}`, for one pool that all threads share",
    note = "for a trait object, write `StaticPoolObject` as the trait's supertrait",
    note = "in generic code, where `{Self}` is a parameter, ask for `PoolBox<{Self}>: Send`"
)]
pub unsafe trait StaticPoolObject: PoolObject {}

// SAFETY: that is what a key that is `Send` says (`BoxStorage`).
#[diagnostic::do_not_recommend]
unsafe impl<T: Pooled<__Storage: Storage<T, Boxes: Send>>> StaticPoolObject for T {}

// SAFETY: `T::__POOL` promises it, and is a constant, so it is always one pool, and the marker is invariant in `T`. A trait object
// knows the pool of the type that it was (`PoolObject`).
unsafe impl<T: PoolObject + ?Sized> Pool<T> for OwnPool<T> {
    type Sent = Self;

    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized,
    {
        T::__acquire()
    }

    #[track_caller]
    unsafe fn verify(&self, slot: NonNull<T>) {
        // SAFETY: as in `release`.
        let owner = unsafe { slot.as_ref() }.__owner();
        if let Err(fault) = (owner.check)(slot.cast()) {
            fault.panic_in(((owner.facts)().type_name)(), slot.cast::<u8>().as_ptr());
        }
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: the slot is the caller's, aligned and large enough, and nothing else writes to it during the call. There need not
        // be an element: `__owner` answers by the type alone.
        let owner = unsafe { slot.as_ref() }.__owner();
        // SAFETY: the caller gives up a slot of the pool to which the owner belongs.
        unsafe { (owner.release)(slot.cast()) };
    }

    unsafe fn release_vacant(&self, slot: NonNull<T>)
    where
        T: Sized,
    {
        // SAFETY: the caller has a slot of the pool of this type.
        unsafe { (T::__owner_of_type().release)(slot.cast()) };
    }

    fn exhausted(&self) -> Exhausted
    where
        T: Sized,
    {
        (T::__owner_of_type().facts)().run(|pool| pool.exhausted())
    }
}

impl<O: PoolObject + ?Sized> PoolBox<O> {
    /// The box of the type, if that is what the object is of: [`unsize!`](crate::unsize) undone. The element stays where it is.
    ///
    /// # Errors
    ///
    /// The box as it was, if it is of another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{PoolBox, PoolObject, Pooled, unsize};
    ///
    /// trait Enemy: PoolObject {}
    ///
    /// #[derive(Pooled)]
    /// struct Orc(u64);
    /// #[derive(Pooled)]
    /// struct Elf(u64);
    ///
    /// impl Enemy for Orc {}
    ///
    /// let enemy: PoolBox<dyn Enemy> = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    /// let enemy = PoolBox::downcast::<Elf>(enemy).map(|_| ()).unwrap_err();
    /// let Ok(orc) = PoolBox::downcast::<Orc>(enemy) else { panic!("an orc") };
    /// assert_eq!(orc.0, 7);
    /// ```
    pub fn downcast<T: PoolObject + 'static>(boxed: Self) -> Result<PoolBox<T>, Self> {
        if (boxed.__owner().id)() != TypeId::of::<T>() {
            return Err(boxed);
        }
        let (element, _) = PoolBox::into_parts(boxed);
        // SAFETY: it is a `T` (`PoolObject`), which the box owned, in the pool of that.
        Ok(unsafe { PoolBox::of_slot(element.cast(), OwnPool::HERE) })
    }
}

// SAFETY: a `U` knows the pool of the type that it was (`PoolObject`).
unsafe impl<T: PoolObject + ?Sized> PoolMarker<T> for OwnPool<T> {
    const HERE: Self = Self(PhantomData);
    type Of<U: ?Sized> = OwnPool<U>;
}

/// For `static` pools. The message for others says why their boxes cannot leave their thread.
// SAFETY: any thread may give its slots back (`StaticPoolObject`).
unsafe impl<T: StaticPoolObject + Send + ?Sized> Send for OwnPool<T> {}
/// As `Send`.
// SAFETY: it has no state.
unsafe impl<T: StaticPoolObject + Sync + ?Sized> Sync for OwnPool<T> {}
