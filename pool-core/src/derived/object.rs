//! Elements that know their own way back: what has no size has nothing else that does.

use core::any::type_name;
use core::fmt;
use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::base::guard::hardened::Fault;
use crate::base::guard::tracy;
use crate::derived::pooled::Pooled;
use crate::derived::storage::{BoxStorage, SharedStorage};

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
/// Implemented for all types that can have it: the pool of the type is where its boxes come from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no pool of boxes: add `#[derive(Pooled)]`",
    label = "no boxes of its own",
    note = "if its pool has `strategy = roster`, it hands out handles in place of boxes",
    note = "a generic type lists the instances that have one: `#[pool(instances({Self}))]`",
    note = "for an object of a trait of your own, write `PoolObject` as the supertrait: `trait Shape: PoolObject`",
    note = "a type of another crate: take `any::Box`, which is for all types"
)]
pub unsafe trait PoolObject {
    /// The way by which the slot of this element goes back, whatever was made of its type meanwhile.
    #[doc(hidden)]
    fn __way_home(&self) -> WayHome;

    #[doc(hidden)]
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    fn __acquire() -> Option<NonNull<Self>>
    where
        Self: Sized;

    #[doc(hidden)]
    fn __exhausted() -> Exhausted
    where
        Self: Sized;
}

// SAFETY: the pool of a type is a constant, and all that is asked for is asked of that.
unsafe impl<T: Pooled> PoolObject for T {
    #[inline(always)]
    fn __way_home(&self) -> WayHome {
        WayHome::of::<T>()
    }

    #[inline(always)]
    fn __acquire() -> Option<NonNull<T>> {
        let taken = T::__POOL.acquire();
        if tracy::IS_ON {
            let tell = |element: &NonNull<T>| {
                let name = T::__CONFIG.name_of::<T>();
                tracy::hand_out(element.as_ptr().cast(), size_of::<T>(), name);
            };
            return taken.inspect(tell);
        }
        taken
    }

    fn __exhausted() -> Exhausted {
        T::__POOL.exhausted()
    }
}

/// The way back to the pool of one type. It is all that is left of the type where an element has become a trait object.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for this crate alone")]
#[derive(Clone, Copy)]
pub struct WayHome {
    check: fn(NonNull<u8>) -> Result<(), Misuse>,
    release: unsafe fn(NonNull<u8>),
}

/// What is wrong with a slot, and in the pool of what.
struct Misuse(Fault, &'static str);

impl WayHome {
    #[inline(always)]
    fn of<T: Pooled>() -> Self {
        fn check<T: Pooled>(element: NonNull<u8>) -> Result<(), Misuse> {
            let checked = T::__POOL.check(element.cast());
            checked.map_err(|fault| Misuse(fault, type_name::<T>()))
        }

        /// # Safety
        ///
        /// As for [`BoxStorage::release`].
        #[inline(always)]
        unsafe fn release<T: Pooled>(element: NonNull<u8>) {
            if tracy::IS_ON {
                tracy::take_back(element.as_ptr(), T::__CONFIG.name_of::<T>());
            }
            // SAFETY: passed on from the caller.
            unsafe { T::__POOL.release(element.cast()) };
        }

        Self { check: check::<T>, release: release::<T> }
    }

    /// Panics if it is found that the slot of an element cannot be released.
    #[track_caller]
    pub(crate) fn verify(self, element: NonNull<u8>) {
        if let Err(Misuse(fault, name)) = (self.check)(element) {
            fault.panic_in(name, element.as_ptr());
        }
    }

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// As for [`Pool::release`](crate::pointer::pool::Pool::release).
    #[inline(always)]
    pub(crate) unsafe fn release(self, element: NonNull<u8>) {
        // SAFETY: passed on from the caller: the way is that of the element's own pool.
        unsafe { (self.release)(element) };
    }
}

impl fmt::Debug for WayHome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WayHome")
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

// SAFETY: `SharedStorage` says so.
#[diagnostic::do_not_recommend]
unsafe impl<T: Pooled<__Storage: SharedStorage<T>>> StaticPoolObject for T {}
