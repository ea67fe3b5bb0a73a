//! Where the links of a pool without a heap lie: beside the slots, or in them.
//!
//! Not in the *place* of an element, as in the free lists that one thread uses. There a slot's link
//! and its element take turns. Here a thread may read the link of a slot which others have handed
//! out since; it would read what their owner writes into the element, not atomically, at the same
//! time.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use crate::base::word::Link;
use crate::derived::fixed::free::Links;

/// The slots of a pool, and their links.
///
/// # Safety
///
/// `slot` returns a pointer to room for an `Element`, for each number another's. Nothing else
/// refers to that room, and it stays where it is while the arrangement does.
#[doc(hidden)]
#[allow(private_bounds, unnameable_types, reason = "for this crate alone")]
pub unsafe trait Arrangement: Links {
    /// What lies in a slot.
    type Element;

    /// All slots vacant.
    const VACANT: Self;

    /// From one slot to the next, in bytes.
    const STRIDE: usize;

    /// The slot `number`, which is 1 to `SLOTS`.
    fn slot(&self, number: u32) -> *mut Self::Element;
}

/// Of the strategy `pointer_stack`: elements lie side by side, and links behind them all.
#[allow(unnameable_types, reason = "for this crate alone")]
#[derive(Debug)]
pub struct Beside<T, const N: usize> {
    slots: UnsafeCell<[MaybeUninit<T>; N]>,
    links: [Link; N],
}

// SAFETY: what is in a slot belongs to whoever took it, and `SharedStorage` and the bounds of
// `PoolBox` see to it that an element goes to another thread only if it may. The rest is atomic.
unsafe impl<T, const N: usize> Sync for Beside<T, N> {}

impl<T, const N: usize> Links for Beside<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &Link {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: the number is that of a slot: heads and links hold no others, but for 0, which is
        // asked for first.
        unsafe { self.links.get_unchecked(index) }
    }
}

// SAFETY: the slots are those of an array, to which no reference is ever made.
unsafe impl<T, const N: usize> Arrangement for Beside<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self {
        slots: UnsafeCell::new([const { MaybeUninit::uninit() }; N]),
        links: [const { Link::new() }; N],
    };

    const STRIDE: usize = size_of::<T>();

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        self.slots.get().cast::<T>().wrapping_add(number as usize - 1)
    }
}

/// Of the strategy `free_list`: each element with its link behind it, so that a slot that is handed
/// out or taken back touches one place in memory.
#[allow(unnameable_types, reason = "for this crate alone")]
#[derive(Debug)]
pub struct Within<T, const N: usize>([Node<T>; N]);

#[derive(Debug)]
#[repr(C)]
struct Node<T> {
    slot: UnsafeCell<MaybeUninit<T>>,
    link: Link,
}

// SAFETY: as for `Beside`.
unsafe impl<T, const N: usize> Sync for Within<T, N> {}

impl<T, const N: usize> Links for Within<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &Link {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: as for `Beside`.
        let node = unsafe { self.0.get_unchecked(index) };
        &node.link
    }
}

// SAFETY: the slots are fields of the nodes of an array, and in cells.
unsafe impl<T, const N: usize> Arrangement for Within<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self(
        [const { Node { slot: UnsafeCell::new(MaybeUninit::uninit()), link: Link::new() } }; N],
    );

    const STRIDE: usize = size_of::<Node<T>>();

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: as in `link`.
        let node = unsafe { self.0.get_unchecked(index) };
        node.slot.get().cast()
    }
}
