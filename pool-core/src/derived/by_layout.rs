//! Pools for any type: a slot is found by the layout of what is to lie in it.

#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::alloc::Layout;
use core::any::type_name;
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::Facts;
use crate::base::stats::PoolStats;
use crate::base::watch::hardened::Fault;
use crate::base::watch::sites::Line;
#[cfg(feature = "sites")]
use crate::base::watch::sites::lines::{Site, Tally};
use crate::base::watch::tracy;
use crate::derived::by_layout::classes::Class;
use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::pool::Pool;
use crate::pointer::pool::sealed::Sealed;

#[cfg(any(feature = "allocator-api2-02", feature = "allocator-api2-04"))]
mod allocator;
pub(crate) mod classes;
pub(crate) mod counted;
#[cfg(feature = "view")]
mod map;
mod pools;

/// The pools of a thread by size, for elements of any type: what a `PoolBox<T, ByLayout>` and an
/// [`any::Box<T>`](crate::any::Box) belong to.
///
/// A marker without size. An element is derived or not, generic or not, sized or not, and may borrow. Its slot is found by
/// its layout. Slots have sizes in steps of 8 bytes up to 128, and four to each power of two up to 2,048. What is larger, or
/// aligned to more than 64 bytes, is a block of the heap; what has no size takes no memory.
///
/// # Examples
///
/// ```
/// use typed_pool::{ByLayout, PoolBox};
///
/// let word = String::from("borrowed");
/// let letters: PoolBox<&str, ByLayout> = PoolBox::new_in(&word[..6], ByLayout);
/// assert_eq!(*letters, "borrow");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByLayout;

/// The pools of the whole process by size, for elements of any type: [`ByLayout`] for boxes that leave their thread.
///
/// A marker without size. A `PoolBox<T, SharedByLayout>` is `Send` or `Sync` if `T` is.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBox, SharedByLayout};
///
/// let job = PoolBox::new_in([1, 2, 3], SharedByLayout);
/// let sum = thread::spawn(move || job.iter().sum::<i32>()).join().unwrap();
/// assert_eq!(sum, 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedByLayout;

impl Sealed for ByLayout {}
impl Sealed for SharedByLayout {}

/// What finds a slot for each layout: [`ByLayout`] or [`SharedByLayout`]. Sealed.
///
/// # Safety
///
/// What `pop` returns is a slot of the class, which is nobody else's until it is pushed, and stays where it is for ever.
#[allow(unnameable_types, reason = "for this crate alone")]
pub(crate) unsafe trait Classes: Copy + Default + Sealed + 'static {
    /// The one value.
    const POOLS: Self;

    /// What figures and messages call all of them.
    const NAME: &'static str;

    /// Of the pool of a class.
    fn facts(class: Class) -> &'static Facts;

    /// Takes a slot for a line; `None` if the heap has no room, or an error with a slot that was written to while it was free.
    fn pop(
        class: Class,
        slot: Layout,
        line: Line,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)>;

    /// What is wrong with giving back a slot that begins at the address, if that is looked for.
    fn check(class: Class, slot: Layout, address: usize) -> Result<(), Fault>;

    /// Takes a slot back; with the feature `hardened` an error if it cannot be.
    ///
    /// # Safety
    ///
    /// It came from `pop` with this class, where it is thread-local in this thread, and has not been pushed since. The pointer
    /// is good for writing to all of it, and nothing uses it any more.
    unsafe fn push(class: Class, slot: Layout, freed: NonNull<u8>) -> Result<(), Fault>;

    /// Takes room for a layout, for a `T`; `None` if the heap has none.
    #[inline(always)]
    #[track_caller]
    fn acquire<T: ?Sized>(self, layout: Layout) -> Option<NonNull<u8>> {
        let Some(class) = Class::of(layout) else { return from_heap(layout) };
        let taken = match Self::pop(class, class.slot(layout), Line::of_caller()) {
            Ok(taken) => taken,
            Err((taken, fault)) => fault.panic_in(type_name::<T>(), taken.as_ptr()),
        };
        if tracy::IS_ON {
            if let Some(taken) = taken {
                tracy::hand_out(taken.as_ptr(), layout.size(), Self::facts(class).pool_name());
            }
        }
        taken
    }

    /// Panics if it is found that room cannot be given back.
    #[track_caller]
    fn verify<T: ?Sized>(self, room: NonNull<u8>, layout: Layout) {
        let Some(class) = Class::of(layout) else { return };
        if let Err(fault) = Self::check(class, class.slot(layout), room.addr().get()) {
            fault.panic_in(type_name::<T>(), room.as_ptr());
        }
    }

    /// Takes room for a layout back, of a `T`.
    ///
    /// # Safety
    ///
    /// It came from `acquire` with this layout, where it is thread-local in this thread, and has not been given back since. The
    /// pointer is good for writing to all of it, and nothing uses it any more.
    #[inline(always)]
    unsafe fn release<T: ?Sized>(self, room: NonNull<u8>, layout: Layout) {
        let Some(class) = Class::of(layout) else {
            // SAFETY: passed on from the caller.
            return unsafe { to_heap(room, layout) };
        };
        if tracy::IS_ON {
            tracy::take_back(room.as_ptr(), Self::facts(class).pool_name());
        }
        // SAFETY: passed on from the caller.
        if let Err(fault) = unsafe { Self::push(class, class.slot(layout), room) } {
            fault.panic_in(type_name::<T>(), room.as_ptr());
        }
    }

    /// Why `acquire` has just found no room.
    #[track_caller]
    fn exhausted(self, layout: Layout) -> Exhausted {
        let Some(class) = Class::of(layout) else {
            let pools = Exhausted::new::<()>(&Config::new().name(Self::NAME));
            return pools.at_heap(0, layout.size(), Some(layout));
        };
        let facts = Self::facts(class);
        facts.expect(facts.upkeep.exhausted())
    }
}

/// A pool for elements of any type: [`ByLayout`] or [`SharedByLayout`]. Sealed; for reading signatures.
///
/// # Safety
///
/// It is one for every `T`, and what is a `T` may be released as a `U` of the same layout.
pub unsafe trait AnyPool<T: ?Sized>: Pool<T> + Copy + Default + 'static {}

/// Pools with room for elements whose length is known at run time: [`Classes`], or those with room for counts.
///
/// # Safety
///
/// What `room` returns is what `Pool::acquire` would return for an element of this layout.
#[allow(unnameable_types, reason = "for this crate alone")]
pub(crate) unsafe trait AnyLength: Copy + Default + Sealed + 'static {
    /// Takes room for a layout, for a `T`; `None` if the heap has none.
    #[track_caller]
    fn room<T: ?Sized>(self, element: Layout) -> Option<NonNull<u8>>;
}

// SAFETY: `Pool::acquire` takes it there, too.
unsafe impl<P: Classes> AnyLength for P {
    #[inline(always)]
    fn room<T: ?Sized>(self, element: Layout) -> Option<NonNull<u8>> {
        self.acquire::<T>(element)
    }
}

/// A block for what no class has a slot for, or none for what takes none.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/free_list.rs`.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
extern "C" fn from_heap(layout: Layout) -> Option<NonNull<u8>> {
    if layout.size() == 0 {
        return NonNull::new(ptr::without_provenance_mut(layout.align()));
    }
    // SAFETY: it has a size.
    NonNull::new(unsafe { alloc::alloc::alloc(layout) })
}

/// Gives a block back.
///
/// # Safety
///
/// It came from [`from_heap`] with this layout, and nothing uses it any more.
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn to_heap(block: NonNull<u8>, layout: Layout) {
    if layout.size() > 0 {
        // SAFETY: passed on from the caller.
        unsafe { alloc::alloc::dealloc(block.as_ptr(), layout) };
    }
}

/// The layout of an element, of which nothing is read: it may be gone already, or not there yet.
///
/// # Safety
///
/// If `T` has no size, `element` came from a pool, as one to the `T` that it was.
#[inline(always)]
unsafe fn layout_of<T: ?Sized>(element: NonNull<T>) -> Layout {
    // SAFETY: the slot is the caller's, aligned and large enough. Its type has the layout, or its length.
    Layout::for_value(unsafe { element.as_ref() })
}

#[cfg(feature = "sites")]
fn sites<P: Classes>() -> Vec<Site> {
    let of_class = |class: Class| {
        let (facts, mut sites) = (P::facts(class), Tally::new());
        facts.expect(facts.upkeep.show_lines(true, &mut sites.count()));
        sites.list(class.layout().size())
    };
    Site::merge(Class::ALL.into_iter().flat_map(of_class))
}

#[track_caller]
fn reserve<P: Classes>(layout: Layout, additional: usize) {
    if let Some(class) = Class::of(layout) {
        let facts = P::facts(class);
        facts.expect(facts.upkeep.reserve(additional));
    }
}

macro_rules! pool_by_layout {
    ($($marker:ident $name:literal)*) => {$(
        impl $marker {
            /// The lines that have taken slots in these pools, and how many of them are live: the biggest count first. See
            /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). What lies on the heap is not among them. O(slots).
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use typed_pool::{", $name, ", PoolBox};")]
            ///
            #[doc = concat!("let kept = PoolBox::new_in([1_u64, 2, 3], ", $name, ");")]
            #[doc = concat!("assert!(", $name, "::sites().iter().all(|site| site.location.file() == file!()));")]
            /// # drop(kept);
            /// ```
            #[cfg(feature = "sites")]
            pub fn sites() -> Vec<Site> {
                sites::<Self>()
            }

            /// The figures of each pool, from the smallest slots to the largest.
            ///
            /// What lies on the heap is in none of them.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use typed_pool::{", $name, ", PoolBox};")]
            ///
            #[doc = concat!("let kept = PoolBox::new_in([1_u64, 2, 3], ", $name, ");")]
            #[doc = concat!("let pool = ", $name, "::stats().find(|pool| pool.slot_bytes == 24).unwrap();")]
            #[doc = concat!("assert_eq!((pool.name, pool.live), (\"", $name, ", 24 bytes\", 1));")]
            /// # drop(kept);
            /// ```
            pub fn stats() -> impl Iterator<Item = PoolStats> {
                let of_class = |class| Self::facts(class).expect(Self::facts(class).upkeep.stats(true));
                Class::ALL.into_iter().map(of_class)
            }

            /// Makes room for `additional` more elements of this layout, so that the heap is not asked for these.
            ///
            /// Does nothing for a layout that takes no slot.
            ///
            /// # Panics
            ///
            /// If the chunk would be larger than `isize::MAX` bytes. Memory that the heap does not have is handled as `Box`
            /// handles it.
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::", $name, ";")]
            ///
            #[doc = concat!($name, "::reserve(Layout::new::<[u64; 3]>(), 1000);")]
            #[doc = concat!("let pool = ", $name, "::stats().find(|pool| pool.slot_bytes == 24).unwrap();")]
            /// assert!(pool.capacity >= 1000);
            /// ```
            #[track_caller]
            pub fn reserve(layout: Layout, additional: usize) {
                reserve::<Self>(layout, additional);
            }

            /// Gives every chunk without an occupied slot back to the heap; returns their bytes.
            ///
            /// O(vacant slots x chunks), for all pools together.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use typed_pool::{", $name, ", PoolBox};")]
            ///
            #[doc = concat!("drop(PoolBox::new_in([1_u64, 2, 3], ", $name, "));")]
            #[doc = concat!("assert!(", $name, "::trim() > 0);")]
            #[doc = concat!("assert!(", $name, "::stats().all(|pool| pool.bytes == 0));")]
            /// ```
            pub fn trim() -> usize {
                let of_class = |class| Self::facts(class).expect(Self::facts(class).upkeep.trim());
                Class::ALL.into_iter().map(of_class).sum()
            }
        }

        // SAFETY: a slot is found by its layout alone.
        unsafe impl<T: ?Sized> AnyPool<T> for $marker {}

        // SAFETY: what `Classes` promises, and what the heap promises of its blocks; a layout always has the same class.
        unsafe impl<T: ?Sized> Pool<T> for $marker {
            #[inline(always)]
            fn acquire(&self) -> Option<NonNull<T>>
            where
                T: Sized,
            {
                match Classes::acquire::<T>(*self, Layout::new::<T>()) {
                    Some(room) => Some(room.cast()),
                    None => None,
                }
            }

            unsafe fn verify(&self, slot: NonNull<T>) {
                // SAFETY: passed on from the caller.
                Classes::verify::<T>(*self, slot.cast(), unsafe { layout_of(slot) });
            }

            #[inline(always)]
            unsafe fn release(&self, slot: NonNull<T>) {
                // SAFETY: the slot is the caller's.
                let layout = unsafe { layout_of(slot) };
                // SAFETY: passed on from the caller.
                unsafe { Classes::release::<T>(*self, slot.cast(), layout) };
            }

            fn exhausted(&self) -> Exhausted
            where
                T: Sized,
            {
                Classes::exhausted(*self, Layout::new::<T>())
            }
        }
    )*};
}

pool_by_layout! { ByLayout "ByLayout" SharedByLayout "SharedByLayout" }

/// What lies in this thread's pools may be given back by any thread.
///
/// # Safety
///
/// It must not be implemented.
#[diagnostic::on_unimplemented(
    message = "what lies in the pools by layout of a thread cannot leave the thread",
    label = "its slots belong to the thread that allocated them",
    note = "use `SharedByLayout`, whose pools all threads share"
)]
pub unsafe trait AllocatorLeavesThread<'a> {}

/// Never, so that no container leaves the thread whose slots it has, and the bound says so.
// SAFETY: the bound holds for no type.
unsafe impl Send for ByLayout where for<'a> (): AllocatorLeavesThread<'a> {}
/// Never, as for `Send`.
// SAFETY: the bound holds for no type.
unsafe impl Sync for ByLayout where for<'a> (): AllocatorLeavesThread<'a> {}

/// The slots of [`ByLayout`] may be given back by any thread.
///
/// # Safety
///
/// It must not be implemented.
#[diagnostic::on_unimplemented(
    message = "a box of `{T}` in a pool by layout of its thread cannot leave the thread",
    label = "its slot belongs to the thread that allocated it",
    note = "move the value out with `any::Box::into_inner` and send that",
    note = "or use `any::SendBox<{T}>`, in the pools of `SharedByLayout`, which all threads share",
    note = "a closure that is called once leaves in std's `Box<dyn FnOnce() + Send>`"
)]
pub unsafe trait LeavesThread<T: ?Sized> {}

/// Never: the slot belongs to its thread, and the bound says so.
// SAFETY: the bound holds for no type.
unsafe impl<T: ?Sized> Send for PoolBox<T, ByLayout> where (): LeavesThread<T> {}
/// Never, as for `Send`.
// SAFETY: the bound holds for no type.
unsafe impl<T: ?Sized> Sync for PoolBox<T, ByLayout> where (): LeavesThread<T> {}

// SAFETY: the box owns its element, as a `Box` does, and any thread may give the slot back.
unsafe impl<T: ?Sized + Send> Send for PoolBox<T, SharedByLayout> {}
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: ?Sized + Sync> Sync for PoolBox<T, SharedByLayout> {}
// SAFETY: there is no `T` yet, and any thread may fill the slot, or give it back.
unsafe impl<T> Send for Vacant<T, SharedByLayout> {}
// SAFETY: a shared `Vacant` can only be printed.
unsafe impl<T> Sync for Vacant<T, SharedByLayout> {}
