//! The raw pool: a pool whose element is known only at run time.

#[cfg(feature = "sites")]
use alloc::vec::Vec;
use core::alloc::Layout;
use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::map::PoolMap;
use crate::base::stats::{Counted, PoolStats};
use crate::base::watch::sites;
use crate::memory::slot::Link;
use crate::strategy::{InFreeList, InPointerStack, Slots, Strategy, largest_block};

/// A raw pool with an intrusive free list: [`FreeList`](crate::FreeList) without a type.
///
/// Its methods are those of [`RawPool`].
///
/// A vacant slot holds a link, so an element is at least as large as a pointer. If an element's alignment is less than a pointer's,
/// its slot is rounded up to that of a pointer. The size must be a multiple of the alignment (`Layout::pad_to_align`).
///
/// After M. Gondim Lima's pool allocator (2018): size, count and alignment at run time, a list inside
/// the free slots, a reason for every refusal, and a pool that prints its state.
///
/// # Examples
///
/// ```
/// use std::alloc::Layout;
/// use typed_pool::{RawFreeList, RawPoolError};
///
/// let pool = RawFreeList::new(Layout::new::<[u32; 2]>(), 100)?;
/// let block = pool.alloc().unwrap();
/// assert_eq!((block.len(), pool.stats().live), (8, 1));
/// # Ok::<(), RawPoolError>(())
/// ```
pub type RawFreeList = RawPool<InFreeList>;

/// A raw pool with a stack of pointers to the free slots: [`PointerStack`](crate::PointerStack) without a
/// type.
///
/// Its methods are those of [`RawPool`]. A freed slot is not written to: its bytes stay until the slot is handed out again and
/// overwritten.
///
/// An element is of any size but 0. The size must be a multiple of the alignment
/// (`Layout::pad_to_align`).
///
/// # Examples
///
/// ```
/// use std::alloc::Layout;
/// use typed_pool::{RawPointerStack, RawPoolError};
///
/// let pool = RawPointerStack::new(Layout::new::<[u32; 2]>(), 100)?;
/// let block = pool.alloc().unwrap();
/// assert_eq!((block.len(), pool.stats().live), (8, 1));
/// # Ok::<(), RawPoolError>(())
/// ```
pub type RawPointerStack = RawPool<InPointerStack>;

/// A pool of equal slots for elements of a layout that is known at run time only. The strategy `S` remembers the vacant slots.
///
/// [`RawFreeList`] and [`RawPointerStack`] are its two forms. Choose and write one of these names: `S` follows from it.
///
/// For elements without a type in Rust: components that a script declares, elements of a file. It hands out
/// raw memory; the contents are the caller's.
///
/// For containers of nodes, [`ByLayout`](crate::ByLayout) is an allocator.
///
/// # Examples
///
/// See [`RawPool::alloc`].
pub struct RawPool<S> {
    slots: Slots<S>,
    /// The layout that was asked for.
    element: Layout,
    /// An element, and what the strategy needs beside it.
    slot: Layout,
}

// SAFETY: what the pool refers to is its own: counters, chunks, and vacant slots in them. What
// lies in the others is the responsibility of the `unsafe` code that took them.
unsafe impl<S: Strategy> Send for RawPool<S> {}

// No user code runs while the pool's state is in motion, so no panic leaves it in disorder.
impl<S> UnwindSafe for RawPool<S> {}
impl<S> RefUnwindSafe for RawPool<S> {}

impl<S: Strategy> RawPool<S> {
    /// A pool of `count` slots for elements of this layout. All memory is allocated here, and
    /// there will never be more.
    ///
    /// # Errors
    ///
    /// [`RawPoolError`], a variant for each requirement.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<[u64; 3]>(), 2)?;
    /// let (first, second) = (pool.alloc(), pool.alloc());
    /// assert!(first.is_some() && second.is_some() && pool.alloc().is_none());
    /// # Ok::<(), RawPoolError>(())
    /// ```
    pub fn new(element: Layout, count: usize) -> Result<Self, RawPoolError> {
        Self::with_config(element, count, Config::bounded(count))
    }

    /// A pool with room for `capacity` elements before it grows. It doubles whenever all slots are taken.
    ///
    /// # Errors
    ///
    /// [`RawPoolError`], a variant for each requirement.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::with_capacity(Layout::new::<u64>(), 4)?;
    /// assert!((0..100).all(|_| pool.alloc().is_some()));
    /// assert_eq!((pool.stats().live, pool.stats().capacity), (100, 128));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    pub fn with_capacity(element: Layout, capacity: usize) -> Result<Self, RawPoolError> {
        Self::with_config(element, capacity, Config::new().chunk(capacity))
    }

    /// Returns the same pool, called `name` in [`stats`](Self::stats) and messages.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawFreeList, RawPoolError};
    ///
    /// let nodes = RawFreeList::new(Layout::new::<[u64; 3]>(), 16)?.with_name("nodes");
    /// assert_eq!(nodes.stats().name, "nodes");
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[must_use]
    pub const fn with_name(mut self, name: &'static str) -> Self {
        self.slots.cursor.config.name = Some(name);
        self
    }

    /// A pool of `count` slots in one chunk, which grows as `config` says.
    fn with_config(element: Layout, count: usize, config: Config) -> Result<Self, RawPoolError> {
        let (size, align) = (element.size(), element.align());
        if size % align != 0 {
            return Err(RawPoolError::SizeNotMultiple { size, align });
        }
        // A free list's slot must hold a link: one that is too small is refused, one aligned to less is aligned to more. A pointer
        // stack's holds the element alone.
        let vacant = if S::IS_INTRUSIVE { Layout::new::<Link>() } else { Layout::new::<u8>() };
        if size < vacant.size() {
            return Err(RawPoolError::TooSmall { size, least: vacant.size() });
        }
        let aligned = element.align_to(vacant.align()).map(|slot| slot.pad_to_align());
        let slot = aligned.map_err(|_| RawPoolError::TooLarge { size, count: 1 })?;
        if count == 0 {
            return Err(RawPoolError::NoSlots);
        }
        let Some(block) = largest_block(count, slot) else {
            return Err(RawPoolError::TooLarge { size: slot.size(), count });
        };
        let pool = Self { slots: Slots::new(config), element, slot };
        match pool.slots.grow_by(count, slot) {
            Some(()) => Ok(pool),
            None => Err(RawPoolError::NoMemory { bytes: block.size() }),
        }
    }

    /// Takes a slot, whose bytes are uninitialised. The slice is as long as the element that was asked for. `None` if all slots are
    /// taken and the pool is bounded, or if the heap has no room for more. O(1), unless the pool grows.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<[u32; 4]>(), 8)?;
    /// let block = pool.alloc().unwrap();
    /// assert_eq!(block.len(), 16);
    /// let element = block.cast::<[u32; 4]>();
    /// // SAFETY: the slot is as large and as aligned as the layout asked for, and is ours.
    /// unsafe { element.write([1, 2, 3, 4]) };
    /// // SAFETY: the slot came from this pool and is not used any more.
    /// unsafe { pool.free(block) };
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[inline]
    #[track_caller]
    #[must_use = "without its pointer a slot stays taken"]
    pub fn alloc(&self) -> Option<NonNull<[u8]>> {
        let (slots, slot) = (&self.slots, self.slot);
        let taken = match slots.acquire(slot, || slots.refill(slot)) {
            Ok(Some(taken)) => taken,
            Ok(None) => return None,
            Err((taken, fault)) => fault.panic_in(S::RAW_POOL, taken.as_ptr()),
        };
        sites::enter(taken);
        Some(NonNull::slice_from_raw_parts(taken, self.element.size()))
    }

    /// Takes a slot back, whatever type its pointer has by now. O(1). The contents are not dropped.
    ///
    /// # Panics
    ///
    /// In a debug build, if `block` is no slot of this pool, was never taken, or was freed last; with the feature `hardened`,
    /// whenever it is not a taken slot.
    ///
    /// # Safety
    ///
    /// 1. The pointer is one that `alloc` of this pool returned, or a cast of it (not of a
    ///    reference to a part of the slot).
    /// 2. Since then the slot was not freed.
    /// 3. Nothing uses the slot any more.
    ///
    /// # Examples
    ///
    /// See [`RawPool::alloc`].
    #[inline]
    #[track_caller]
    pub unsafe fn free<B: ?Sized>(&self, block: NonNull<B>) {
        let block = block.cast::<u8>();
        sites::leave(block);
        // SAFETY: the caller gives up a block of this pool.
        if let Err(fault) = unsafe { self.slots.release(block, self.slot) } {
            fault.panic_in(S::RAW_POOL, block.as_ptr());
        }
    }

    /// Whether `address` is where a slot of this pool begins, taken or not. O(chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// let address = pool.alloc().unwrap().cast::<u8>().as_ptr();
    /// assert!(pool.owns(address));
    /// assert!(!pool.owns(address.wrapping_add(1)));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[must_use]
    pub fn owns(&self, address: *const u8) -> bool {
        self.slots.owns(address.addr(), self.slot)
    }

    /// Returns the source lines that took the pool's live slots, with their counts, the biggest first. See
    /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). O(slots x chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// let _ = pool.alloc();
    /// assert_eq!((pool.sites()[0].live, pool.sites()[0].bytes), (1, 8));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[cfg(feature = "sites")]
    #[must_use]
    pub fn sites(&self) -> Vec<sites::list::Site> {
        sites::list::Site::list([self.map()])
    }

    /// Returns the pool's statistics. O(chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// let _ = pool.alloc();
    /// assert_eq!((pool.stats().live, pool.stats().limit), (1, Some(8)));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        self.slots.stats(S::RAW_POOL, self.slot)
    }

    /// Gives every chunk without a taken slot back to the heap; returns their bytes.
    ///
    /// O(vacant slots x chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// assert!(pool.trim() > 0);
    /// assert_eq!(pool.stats().bytes, 0);
    /// # Ok::<(), RawPoolError>(())
    /// ```
    pub fn trim(&self) -> usize {
        self.slots.trim(self.slot)
    }

    /// Returns a map of the pool's memory: its chunks, and the state of each slot. O(slots x chunks).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use typed_pool::{RawPoolError, RawFreeList};
    ///
    /// let pool = RawFreeList::new(Layout::new::<u64>(), 8)?;
    /// let _ = pool.alloc();
    /// assert_eq!((pool.map().live(), pool.map().slot_bytes()), (1, 8));
    /// # Ok::<(), RawPoolError>(())
    /// ```
    #[cfg(feature = "view")]
    #[must_use]
    pub fn map(&self) -> PoolMap {
        self.slots.map(S::RAW_POOL, self.slot)
    }
}

/// The size, count and alignment of elements, and how many are used and free: one line. O(chunks). The pool's `map()` shows the
/// state of each slot.
///
/// # Examples
///
/// ```
/// use std::alloc::Layout;
/// use typed_pool::{RawPoolError, RawFreeList};
///
/// let pool = RawFreeList::new(Layout::new::<u64>(), 4)?;
/// let _ = pool.alloc();
/// let shown = pool.to_string();
/// assert!(shown.contains("4 elements, 8 bytes each, aligned to 8: 1 used, 3 free"));
/// # Ok::<(), RawPoolError>(())
/// ```
impl<S: Strategy> fmt::Display for RawPool<S> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, align) = (self.element.size(), self.element.align());
        let PoolStats { name, live, capacity, slot_bytes, bytes, chunks, .. } = self.stats();
        let free = capacity - live;
        write!(f, "{name} of {capacity} elements, {size} bytes each, aligned to {align}: ")?;
        let chunks = Counted(chunks, "chunk");
        write!(f, "{live} used, {free} free; {slot_bytes} bytes a slot, {bytes} bytes in {chunks}")
    }
}

/// As its `Display`.
impl<S: Strategy> fmt::Debug for RawPool<S> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A fault of the layout or the count that a [`RawFreeList`](crate::RawFreeList) or a
/// [`RawPointerStack`](crate::RawPointerStack) was asked for. Sizes are in bytes.
///
/// # Examples
///
/// ```
/// use std::alloc::Layout;
/// use typed_pool::{RawFreeList, RawPoolError, RawPointerStack};
///
/// let byte = Layout::new::<u8>();
/// let least = size_of::<usize>();
/// assert_eq!(RawFreeList::new(byte, 10).unwrap_err(), RawPoolError::TooSmall { size: 1, least });
/// assert!(RawPointerStack::new(byte, 10).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RawPoolError {
    /// The size is below the least that a slot has to hold: a link in a free list, one byte in a pointer stack.
    TooSmall {
        /// The size that was asked for.
        size: usize,
        /// The smallest that is possible.
        least: usize,
    },
    /// The size is not a multiple of the alignment, so every other slot would be misaligned.
    SizeNotMultiple {
        /// The size that was asked for.
        size: usize,
        /// The alignment that was asked for.
        align: usize,
    },
    /// The count is 0.
    NoSlots,
    /// That many slots, or the pointers to them, exceed `isize::MAX` bytes.
    TooLarge {
        /// The size of a slot.
        size: usize,
        /// How many were asked for.
        count: usize,
    },
    /// The heap has no room.
    NoMemory {
        /// The size of the block that the heap was asked for.
        bytes: usize,
    },
}

impl fmt::Display for RawPoolError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooSmall { size: 0, .. } => {
                write!(f, "elements of 0 bytes need no pool: ask for 1 byte or more")
            }
            Self::TooSmall { size, least } => write!(
                f,
                "elements of {size} bytes are too small, since a vacant slot holds a link of {least} \
                 bytes: ask for {least} or more, or use a `RawPointerStack`"
            ),
            Self::SizeNotMultiple { size, align } => write!(
                f,
                "elements of {size} bytes do not stay aligned to {align} side by side: make the size \
                 a multiple of the alignment, by `Layout::pad_to_align`"
            ),
            Self::NoSlots => write!(f, "a pool cannot have 0 slots: ask for 1 or more"),
            Self::TooLarge { size, count } => write!(
                f,
                "a pool cannot have {count} slots of {size} bytes: they, or the pointers to them, exceed the \
                 address space; ask for fewer"
            ),
            Self::NoMemory { bytes } => {
                write!(f, "the heap has no room for {bytes} bytes: ask for fewer slots")
            }
        }
    }
}

impl core::error::Error for RawPoolError {}
