//! Where the links of a pool without a heap lie: apart from the slots, or each beside its slot.
//!
//! Not in the *place* of an element, as in the free lists that one thread uses. There a slot's link
//! and its element take turns. Here a thread may read the link of a slot which others have handed
//! out since; it would read what their owner writes into the element, not atomically, at the same
//! time.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use crate::base::ledger::Strategy;
use crate::base::word::AtomicLink;
use crate::derived::fixed::free::SlotLinks;

/// The slots of a pool, and their links.
///
/// # Safety
///
/// `slot` returns a pointer to room for an `Element`, a different one for each number. Nothing else
/// refers to that room, and it stays where it is as long as the layout does.
#[doc(hidden)]
#[allow(private_bounds, unnameable_types, reason = "for this crate alone")]
pub unsafe trait SlotLayout: SlotLinks + 'static {
    /// What lies in a slot.
    type Element;

    /// All slots vacant.
    const VACANT: Self;

    /// From one slot to the next, in bytes.
    const STRIDE: usize;

    /// The strategy whose slots lie so.
    const STRATEGY: Strategy;

    /// The slot `number`, which is 1 to `SLOTS`.
    fn slot(&self, number: u32) -> *mut Self::Element;
}

/// Of the strategy `pointer_stack`: elements lie side by side, and links behind them all.
#[allow(unnameable_types, reason = "for this crate alone")]
#[derive(Debug)]
pub struct LinksApart<T, const N: usize> {
    slots: UnsafeCell<[MaybeUninit<T>; N]>,
    links: [AtomicLink; N],
}

// SAFETY: what is in a slot belongs to the code that took it, and `SharedStorage` and the bounds of
// `PoolBox` see to it that an element goes to another thread only if it may. The rest is atomic.
unsafe impl<T, const N: usize> Sync for LinksApart<T, N> {}

impl<T, const N: usize> SlotLinks for LinksApart<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &AtomicLink {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: it is the number of a slot: heads and links hold no others except 0, which callers rule out first.
        unsafe { self.links.get_unchecked(index) }
    }
}

// SAFETY: the slots are those of an array, to which no reference is ever made.
unsafe impl<T: 'static, const N: usize> SlotLayout for LinksApart<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self {
        slots: UnsafeCell::new([const { MaybeUninit::uninit() }; N]),
        links: [const { AtomicLink::new() }; N],
    };

    const STRIDE: usize = size_of::<T>();

    const STRATEGY: Strategy = Strategy::POINTER_STACK;

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        self.slots.get().cast::<T>().wrapping_add(number as usize - 1)
    }
}

/// Of the strategy `free_list`: each element with its link behind it, so handing out a slot or taking one
/// back touches one place in memory.
#[allow(unnameable_types, reason = "for this crate alone")]
#[derive(Debug)]
pub struct LinksInline<T, const N: usize> {
    slots: [LinkedSlot<T>; N],
}

#[derive(Debug)]
#[repr(C)]
struct LinkedSlot<T> {
    slot: UnsafeCell<MaybeUninit<T>>,
    link: AtomicLink,
}

// SAFETY: as for `LinksApart`.
unsafe impl<T, const N: usize> Sync for LinksInline<T, N> {}

impl<T, const N: usize> LinksInline<T, N> {
    #[inline(always)]
    fn at(&self, number: u32) -> &LinkedSlot<T> {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: as for `LinksApart`.
        unsafe { self.slots.get_unchecked(index) }
    }
}

impl<T, const N: usize> SlotLinks for LinksInline<T, N> {
    const SLOTS: usize = N;

    #[inline(always)]
    fn link(&self, number: u32) -> &AtomicLink {
        &self.at(number).link
    }
}

// SAFETY: each slot is a field of one element of an array, and in a cell.
unsafe impl<T: 'static, const N: usize> SlotLayout for LinksInline<T, N> {
    type Element = T;

    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self {
        slots: [const {
            LinkedSlot { slot: UnsafeCell::new(MaybeUninit::uninit()), link: AtomicLink::new() }
        }; N],
    };

    const STRIDE: usize = size_of::<LinkedSlot<T>>();

    const STRATEGY: Strategy = Strategy::FREE_LIST;

    #[inline(always)]
    fn slot(&self, number: u32) -> *mut T {
        self.at(number).slot.get().cast()
    }
}
