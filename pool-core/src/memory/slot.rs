//! A slot: room for one element, or, while it is vacant, for the link to the next vacant slot.

use core::alloc::Layout;
use core::cell::Cell;
use core::iter;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::base::watch::sanitizer;

/// The layout of a slot for `T`: at least a [`Link`] in size and alignment.
///
/// Never constructed: it is there for its size and alignment, which the compiler computes.
#[repr(C)]
pub(crate) union Slot<T> {
    _link: Link,
    _element: ManuallyDrop<T>,
}

impl<T> Slot<T> {
    pub(crate) const LAYOUT: Layout = Layout::new::<Self>();
}

/// The link that a vacant slot holds: the next vacant slot, null at the list's end.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Link(*mut Self);

/// A list through vacant slots: the one that came last is the first to go.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct List(Cell<*mut Link>);

#[cfg_attr(
    feature = "hardened",
    allow(dead_code, reason = "there no link is written into a vacant slot")
)]
impl List {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self(Cell::new(ptr::null_mut()));

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get().is_null()
    }

    /// Puts a slot in.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk, is in no list, and may be used to write a link there. Until it leaves the list, no other code
    /// uses it.
    #[inline(always)]
    pub(crate) unsafe fn push(&self, slot: *mut u8) {
        let link = slot.cast::<Link>();
        sanitizer::unpoison(slot, size_of::<Link>());
        // SAFETY: the slot is large enough and aligned for a link (`Slot`), and no other code looks
        // at a vacant slot.
        unsafe { link.write(Link(self.0.get())) };
        sanitizer::poison(slot, size_of::<Link>());
        self.0.set(link);
    }

    /// Takes the slot out that came last.
    #[inline(always)]
    pub(crate) fn pop(&self) -> Option<*mut u8> {
        if self.is_empty() {
            return None;
        }
        let slot = self.0.get();
        sanitizer::reveal(slot.cast(), size_of::<Link>());
        // SAFETY: a link was written there when the slot came into the list, and it has been vacant since (`push`).
        let link = unsafe { slot.read() };
        sanitizer::poison(slot.cast(), size_of::<Link>());
        self.0.set(link.0);
        Some(slot.cast())
    }

    /// The slot that came last; null if there is none.
    pub(crate) fn first(&self) -> *mut u8 {
        self.0.get().cast()
    }

    /// Moves the newest slots to another list, up to the first that lies outside these addresses; returns how many. Their order
    /// stays.
    pub(crate) fn move_run(&self, to: &Self, (start, bytes): (usize, usize)) -> usize {
        let first = self.0.get();
        let (mut count, mut last, mut next) = (0, ptr::null_mut(), first);
        while next.addr().wrapping_sub(start) < bytes {
            last = next;
            sanitizer::reveal(last.cast(), size_of::<Link>());
            // SAFETY: as in `pop`.
            next = unsafe { last.read() }.0;
            sanitizer::poison(last.cast(), size_of::<Link>());
            count += 1;
        }
        if count > 0 {
            self.0.set(next);
            sanitizer::unpoison(last.cast(), size_of::<Link>());
            // SAFETY: as in `push`.
            unsafe { last.write(Link(to.0.get())) };
            sanitizer::poison(last.cast(), size_of::<Link>());
            to.0.set(first);
        }
        count
    }

    /// Replaces the list's slots by those of another.
    pub(crate) fn put(&self, other: Self) {
        self.0.set(other.0.get());
    }

    /// The slots, in the order in which they will go. Each may be used for something else as soon as it has been shown.
    pub(crate) fn iter(&self) -> impl Iterator<Item = *mut u8> {
        let rest = Self(Cell::new(self.0.get()));
        iter::from_fn(move || rest.pop())
    }
}
