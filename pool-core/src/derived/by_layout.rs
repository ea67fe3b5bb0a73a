//! Pools for any type: a slot is found by the layout of what is to lie in it.

use core::alloc::Layout;
use core::any::type_name;
use core::marker::PhantomData;
use core::ptr::{self, NonNull};

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::ledger::TypeFacts;
use crate::base::map::PoolMap;
use crate::base::sealed::Sealed;
use crate::base::stats::PoolStats;
use crate::base::watch::sites;
use crate::derived::by_layout::classes::{CLASSES, Class};
use crate::derived::rc::{Atomic, CountedPool, Plain};
use crate::derived::storage::Found;
use crate::derived::with_counts::RefCounts;
use crate::pointer::{Pool, PoolMarker};

#[cfg(feature = "allocator-api2-02")]
mod allocator;
pub(crate) mod classes;
mod pools;

/// The pools of a thread by size, for elements of any type: what an
/// [`any::Box<T>`](crate::any::Box) belongs to.
///
/// A marker without size. An element is derived or not, generic or not, sized or not, and may borrow. Its slot is found by
/// its layout. Slots have sizes in steps of 8 bytes up to 128, and four to each power of two up to 2,048. What is larger, or
/// aligned to more than 64 bytes, is a block of the heap; what has no size takes no memory.
///
/// # Examples
///
/// ```
/// use typed_pool::{ByLayout, PoolBoxIn};
///
/// let word = String::from("borrowed");
/// let letters: PoolBoxIn<&str, ByLayout> = PoolBoxIn::new_in(&word[..6], ByLayout);
/// assert_eq!(*letters, "borrow");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ByLayout;

/// The pools of the whole process by size, for elements of any type: [`ByLayout`] for boxes that leave their thread.
///
/// A marker without size. A `PoolBoxIn<T, SharedByLayout>` is `Send` or `Sync` if `T` is.
///
/// # Examples
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBoxIn, SharedByLayout};
///
/// let job = PoolBoxIn::new_in([1, 2, 3], SharedByLayout);
/// let sum = thread::spawn(move || job.iter().sum::<i32>()).join().unwrap();
/// assert_eq!(sum, 6);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedByLayout;

/// [`ByLayout`] or [`SharedByLayout`], with room for the counts of an element before it: the pools of [`any::Rc`] and
/// [`any::Arc`], whose types show it.
///
/// [`any::Rc`]: crate::any::Rc
/// [`any::Arc`]: crate::any::Arc
#[derive(Clone, Copy, Debug)]
pub struct Counted<P>(PhantomData<P>);

impl Sealed for ByLayout {}
impl Sealed for SharedByLayout {}
impl<P> Sealed for Counted<P> {}

/// Pools that find a slot for each layout, for elements of any type: [`ByLayout`] or [`SharedByLayout`]. Sealed; for reading
/// signatures.
///
/// # Safety
///
/// The pool found is always the same, or the thread's own; its slots have the layout of the class, and stay where they are for
/// ever; one that was acquired belongs to the caller alone until it is released. What is a `T` may be released as a `U` of the same
/// layout.
#[allow(private_bounds, private_interfaces, reason = "for this crate alone")]
pub unsafe trait AnyPool: Copy + Sealed + 'static {
    /// The name of all of them in statistics and messages.
    #[doc(hidden)]
    const NAME: &'static str;

    /// The facts of the pool of each class.
    #[doc(hidden)]
    const FACTS: &'static [TypeFacts; CLASSES];

    #[doc(hidden)]
    type Found: Found;

    /// Finds the pool of a class.
    ///
    /// # Safety
    ///
    /// As for [`BoxStorage::find`](crate::derived::storage::BoxStorage::find).
    #[doc(hidden)]
    unsafe fn find(class: Class) -> Self::Found;

    /// Returns the pool's own pointer to a slot of this class, for allocators: the provenance of a container's pointer may cover only the
    /// container's part of the slot.
    #[doc(hidden)]
    fn reach(class: Class, block: NonNull<u8>) -> NonNull<u8>;
}

/// Returns the room for an element of this layout, and the element's offset in it, in bytes.
#[inline(always)]
const fn room_of(element: Layout, has_counts: bool) -> (Layout, usize) {
    if !has_counts {
        return (element, 0);
    }
    match Layout::new::<RefCounts>().extend(element) {
        Ok((room, offset)) => (room.pad_to_align(), offset),
        Err(_) => panic!("the element is too large"),
    }
}

/// Takes room for a `T` of this layout; `None` if the heap has none.
#[inline(always)]
#[track_caller]
pub(crate) fn acquire<T: ?Sized, P: AnyPool>(
    element: Layout,
    has_counts: bool,
) -> Option<NonNull<u8>> {
    let (room, offset) = room_of(element, has_counts);
    let taken = match Class::of(room) {
        None => from_heap(room)?,
        Some(class) => {
            // SAFETY: it is used until this returns.
            let pool = unsafe { P::find(class) };
            match pool.acquire(class.layout()) {
                Ok(Some(taken)) => {
                    sites::enter(taken);
                    taken
                }
                Ok(None) => return None,
                Err((taken, fault)) => fault.panic_in(type_name::<T>(), taken.as_ptr()),
            }
        }
    };
    // SAFETY: inside the room.
    Some(unsafe { taken.add(offset) })
}

// If there were one `impl` for every `P: AnyPool`, rustc would explain that where it should say that a type has no pool.
macro_rules! pools {
    ($([$($P:ident)?] $Pool:ty = $here:expr, of $Of:ty, $has_counts:literal: $Sent:ty;)*) => {$(
// SAFETY: what `AnyPool` promises, and what the heap promises of its blocks; a layout always has the same class, and the same room.
unsafe impl<T: ?Sized $(, $P: AnyPool)?> Pool<T> for $Pool {
    type Sent = $Sent;

    #[allow(clippy::manual_map, reason = "a call less in an unoptimised build")]
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized,
    {
        match acquire::<T, $Of>(Layout::new::<T>(), $has_counts) {
            Some(element) => Some(element.cast()),
            None => None,
        }
    }

    unsafe fn verify(&self, element: NonNull<T>) {
        // SAFETY: the caller has an element that lives.
        let (room, offset) = room_of(unsafe { layout_of(element) }, $has_counts);
        let Some(class) = Class::of(room) else { return };
        let taken = element.cast::<u8>().as_ptr().wrapping_sub(offset);
        // SAFETY: it is used until this returns.
        let pool = unsafe { <$Of>::find(class) };
        if let Err(fault) = pool.check(taken.addr(), class.layout()) {
            fault.panic_in(type_name::<T>(), taken);
        }
    }

    #[inline(always)]
    unsafe fn release(&self, element: NonNull<T>) {
        // SAFETY: the slot is the caller's.
        let layout = unsafe { layout_of(element) };
        // SAFETY: the caller gives the slot up, and the layout is its element's.
        unsafe { release::<T, $Of>(element.cast(), layout, $has_counts) };
    }

    unsafe fn release_vacant(&self, element: NonNull<T>)
    where
        T: Sized,
    {
        // SAFETY: the caller gives the slot up, which was made for a `T`.
        unsafe { release::<T, $Of>(element.cast(), Layout::new::<T>(), $has_counts) };
    }

    fn exhausted(&self) -> Exhausted
    where
        T: Sized,
    {
        let (room, _) = room_of(Layout::new::<T>(), $has_counts);
        let Some(class) = Class::of(room) else {
            let pools = Exhausted::new(<$Of>::NAME, &Config::new());
            return pools.at_heap(0, room.size(), Some(room));
        };
        class.of_all(<$Of>::FACTS).run(|pool| pool.exhausted())
    }
}

// SAFETY: the layout of a `U` is the element's, as its vtable or its length says.
unsafe impl<T: ?Sized $(, $P: AnyPool)?> PoolMarker<T> for $Pool {
    const HERE: Self = $here;
    type Of<U: ?Sized> = Self;
}
    )*};
}

pools! {
    [] ByLayout = ByLayout, of Self, false: Self;
    [] SharedByLayout = SharedByLayout, of Self, false: T;
    [P] Counted<P> = Counted(PhantomData), of P, true: (Self, PhantomData<T>);
}

/// Takes the room back that was taken for a `T` of this layout.
///
/// # Safety
///
/// The element's address came from [`acquire`] (if the pool is a thread's, in this thread), and has not been given back since. The
/// pointer is good for writing to all of the room, and nothing uses the room any more.
#[inline(always)]
unsafe fn release<T: ?Sized, P: AnyPool>(element: NonNull<u8>, layout: Layout, has_counts: bool) {
    let (room, offset) = room_of(layout, has_counts);
    // SAFETY: the element lay `offset` bytes behind the beginning of its room (`acquire`).
    let taken = unsafe { element.sub(offset) };
    let Some(class) = Class::of(room) else {
        // SAFETY: the caller gives up a block with this layout, which came from the heap.
        return unsafe { to_heap(taken, room) };
    };
    sites::leave(taken);
    // SAFETY: it is used until this returns.
    let pool = unsafe { P::find(class) };
    // SAFETY: the caller gives up a slot of this class.
    if let Err(fault) = unsafe { pool.release(taken, class.layout()) } {
        fault.panic_in(type_name::<T>(), taken.as_ptr());
    }
}

// SAFETY: there is room right before the element (`room_of`).
unsafe impl<T: ?Sized> CountedPool<T, Plain> for Counted<ByLayout> {}
// SAFETY: as above; any thread may release it.
unsafe impl<T: ?Sized> CountedPool<T, Atomic> for Counted<SharedByLayout> {}

/// A block of the heap, for a layout without a class; a dangling pointer for one without size.
///
/// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
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
        // SAFETY: the caller gives up a block with this layout.
        unsafe { alloc::alloc::dealloc(block.as_ptr(), layout) };
    }
}

/// The layout of an element, of which nothing is read: it may be gone already, or not there yet.
///
/// # Safety
///
/// If `T` is unsized, `element` came from a pool, with the vtable or the length that it had there.
#[inline(always)]
unsafe fn layout_of<T: ?Sized>(element: NonNull<T>) -> Layout {
    // SAFETY: the slot is the caller's, aligned and large enough. Its type has the layout, or its length.
    Layout::for_value(unsafe { element.as_ref() })
}

macro_rules! pool_by_layout {
    ($($marker:ident)*) => {$(
        impl $marker {
            /// The lines that have taken slots in these pools, and how many of them are live: the biggest count first. See
            /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). What lies on the heap is not among them. O(slots).
            ///
            /// # Examples
            ///
            /// ```
            /// use typed_pool::{any, ByLayout, SharedByLayout};
            ///
            /// let kept = (any::Box::new([1_u64, 2, 3]), any::SendBox::new([1_u64, 2, 3]));
            /// let mut sites = ByLayout::sites();
            /// sites.extend(SharedByLayout::sites());
            /// assert!(sites.iter().all(|site| site.location.file() == file!()));
            /// # drop(kept);
            /// ```
            #[cfg(feature = "sites")]
            #[inline]
            #[must_use]
            pub fn sites() -> Vec<sites::list::Site> {
                let maps = Self::FACTS.iter().map(|facts| facts.run(|pool| pool.map(true)));
                sites::list::Site::list(maps)
            }

            /// Returns the statistics of each pool, from the smallest slots to the largest.
            ///
            /// Elements on the heap are in none of them.
            ///
            /// # Examples
            ///
            /// ```
            /// use typed_pool::{any, ByLayout, SharedByLayout};
            ///
            /// let kept = (any::Box::new([1_u64, 2, 3]), any::SendBox::new([1_u64, 2, 3]));
            /// let pool = ByLayout::stats().find(|pool| pool.slot_bytes == 24).unwrap();
            /// assert_eq!((pool.name, pool.live), ("ByLayout, 24 bytes", 1));
            /// let pool = SharedByLayout::stats().find(|pool| pool.slot_bytes == 24).unwrap();
            /// assert_eq!((pool.name, pool.live), ("SharedByLayout, 24 bytes", 1));
            /// # drop(kept);
            /// ```
            #[inline]
            pub fn stats() -> impl Iterator<Item = PoolStats> {
                Self::FACTS.iter().map(|facts| facts.run(|pool| pool.stats(true)))
            }

            /// Returns a map of the pool with slots for this layout; an empty one for a layout that takes no slot. O(slots x chunks).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            /// use typed_pool::{any, ByLayout, SharedByLayout};
            ///
            /// let (layout, kept) = (Layout::new::<[u64; 3]>(), any::Box::new([1_u64, 2, 3]));
            /// let maps = [ByLayout::map(layout), SharedByLayout::map(layout)];
            /// assert_eq!(maps.each_ref().map(|map| map.name()), ["ByLayout, 24 bytes", "SharedByLayout, 24 bytes"]);
            /// assert_eq!(maps.map(|map| map.live()), [1, 0]);
            /// # drop(kept);
            /// ```
            #[cfg(feature = "view")]
            #[inline]
            #[must_use]
            pub fn map(layout: Layout) -> PoolMap {
                let Some(class) = Class::of(layout) else {
                    return PoolMap::with_capacity(Self::NAME, layout.size(), [0; 2]);
                };
                class.of_all(Self::FACTS).run(|pool| pool.map(true))
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
            /// use typed_pool::{ByLayout, SharedByLayout};
            ///
            /// let layout = Layout::new::<[u64; 3]>();
            /// ByLayout::reserve(layout, 1000);
            /// SharedByLayout::reserve(layout, 1000);
            /// for mut pools in [ByLayout::stats().collect::<Vec<_>>(), SharedByLayout::stats().collect()] {
            ///     pools.retain(|pool| pool.slot_bytes == 24);
            ///     assert!(pools[0].capacity >= 1000);
            /// }
            /// ```
            #[track_caller]
            #[inline]
            pub fn reserve(layout: Layout, additional: usize) {
                if let Some(class) = Class::of(layout) {
                    class.of_all(Self::FACTS).run(|pool| pool.reserve(additional));
                }
            }

            /// Gives every chunk without an occupied slot back to the heap; returns their bytes.
            ///
            /// O(vacant slots x chunks), for all pools together.
            ///
            /// # Examples
            ///
            /// ```
            /// use typed_pool::{any, ByLayout, SharedByLayout};
            ///
            /// drop((any::Box::new([1_u64, 2, 3]), any::SendBox::new([1_u64, 2, 3])));
            /// assert!(ByLayout::trim() > 0 && SharedByLayout::trim() > 0);
            /// assert!(ByLayout::stats().chain(SharedByLayout::stats()).all(|pool| pool.bytes == 0));
            /// ```
            #[inline]
            pub fn trim() -> usize {
                Self::FACTS.iter().map(|facts| facts.run(|pool| pool.trim())).sum()
            }
        }
    )*};
}

pool_by_layout! { ByLayout SharedByLayout }

/// Any thread may give back slots of this thread's pools.
///
/// # Safety
///
/// It must not be implemented.
#[diagnostic::on_unimplemented(
    message = "an `any::Box`, or whatever else has its memory from `ByLayout`, cannot leave its thread",
    label = "its slot belongs to the thread that allocated it",
    note = "move the value out with `any::Box::into_inner` and send that",
    note = "or use `any::SendBox`, or a container with `SharedByLayout`, whose pools all threads share",
    note = "a closure that is called once leaves in std's `Box<dyn FnOnce() + Send>`"
)]
pub unsafe trait LeavesThread<'a> {}

/// Never, so that no box or container leaves the thread whose slots it has, and the bound says so.
// SAFETY: the bound holds for no type.
unsafe impl Send for ByLayout where for<'a> (): LeavesThread<'a> {}
/// Never, as for `Send`.
// SAFETY: the bound holds for no type.
unsafe impl Sync for ByLayout where for<'a> (): LeavesThread<'a> {}
