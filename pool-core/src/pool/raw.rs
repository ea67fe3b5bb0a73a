//! Pools whose element is known only at run time.

use core::alloc::Layout;
use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::guard::hardened::IS_CHECKED;
use crate::base::stats::PoolStats;
use crate::memory::slot::Link;
use crate::pool::dump;
use crate::pool::owned::Owned;
use crate::strategy::Strategy;
use crate::strategy::free_list::List;
use crate::strategy::pointer_stack::Stack;

#[cfg(feature = "allocator-api2-02")]
mod allocator;
mod error;

pub use error::RawPoolError;

/// What both raw pools are: a strategy, and the layout that was asked for.
struct Raw<S: Strategy> {
    pool: Owned<S>,
    element: Layout,
    /// An element, and what the strategy needs beside it.
    slot: Layout,
}

impl<S: Strategy> Raw<S> {
    /// A pool of slots of the layout that `lift` makes of an element's.
    fn new(
        strategy: S,
        element: Layout,
        count: usize,
        lift: impl FnOnce(Layout) -> Result<Layout, RawPoolError>,
    ) -> Result<Self, RawPoolError> {
        let (size, align) = (element.size(), element.align());
        if size % align != 0 {
            return Err(RawPoolError::SizeNotMultiple { size, align });
        }
        let slot = lift(element)?;
        if count == 0 {
            return Err(RawPoolError::NoSlots);
        }
        if S::largest_block(count, slot).is_none() {
            return Err(RawPoolError::TooLarge { size: slot.size(), count });
        }
        Ok(Self { pool: Owned::new(strategy), element, slot })
    }

    /// Makes all slots at once, of which there are `count`.
    fn fill(self, count: usize) -> Result<Self, RawPoolError> {
        if self.pool.grow_by(count, self.slot) {
            return Ok(self);
        }
        let bytes = S::largest_block(count, self.slot).map_or(usize::MAX, |block| block.size());
        Err(RawPoolError::NoMemory { bytes })
    }

    #[inline]
    #[track_caller]
    fn alloc(&self) -> Option<NonNull<u8>> {
        let taken = self.pool.take(self.slot).or_else(|| self.pool.refill(self.slot))?;
        match self.pool.look(taken, self.slot) {
            Ok(()) => Some(taken),
            Err(fault) => fault.panic_in(S::RAW_POOL, taken.as_ptr()),
        }
    }

    /// # Safety
    ///
    /// `block` came from [`Raw::alloc`], was not freed since, and may be used to write the whole
    /// slot; nobody uses the slot any more.
    #[inline]
    #[track_caller]
    unsafe fn free(&self, block: NonNull<u8>) {
        if IS_CHECKED {
            if let Err(fault) = self.pool.check(block.addr().get(), self.slot) {
                fault.panic_in(S::RAW_POOL, block.as_ptr());
            }
        }
        // SAFETY: passed on from the caller.
        unsafe { self.pool.put(block.as_ptr(), self.slot) };
    }

    fn reset(&mut self) {
        self.pool.reset(self.slot);
    }

    fn stats(&self, name: &'static str) -> PoolStats {
        self.pool.stats(name, self.slot)
    }

    fn show(&self, name: &'static str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, align) = (self.element.size(), self.element.align());
        dump::dump(f, &self.pool, name, self.slot, |f, stats| {
            let PoolStats { live, capacity, slot_bytes, bytes, chunks, .. } = *stats;
            let free = capacity - live;
            write!(f, "{name} of {capacity} elements, {size} bytes each, aligned to {align}: ")?;
            write!(f, "{live} used, {free} free; {slot_bytes} bytes a slot, {bytes} bytes in ")?;
            write!(f, "{chunks} {}", if chunks == 1 { "chunk" } else { "chunks" })
        })
    }
}

/// A free list's slot holds a link. It is checked for room, but aligned and not refused.
fn with_link(element: Layout) -> Result<Layout, RawPoolError> {
    let (link, size) = (Layout::new::<Link>(), element.size());
    if size < link.size() {
        return Err(RawPoolError::TooSmall { size, least: link.size() });
    }
    let aligned = element.align_to(link.align()).map(|slot| slot.pad_to_align());
    aligned.map_err(|_| RawPoolError::TooLarge { size, count: 1 })
}

/// A pointer stack's slot holds an element and nothing else.
fn without_link(element: Layout) -> Result<Layout, RawPoolError> {
    if element.size() == 0 {
        return Err(RawPoolError::TooSmall { size: 0, least: 1 });
    }
    Ok(element)
}

macro_rules! raw_pool {
    (
        $(#[$documentation:meta])*
        $Name:ident($Strategy:ident, $lift:ident)
    ) => {
        $(#[$documentation])*
        pub struct $Name {
            raw: Raw<$Strategy>,
        }

        // SAFETY: what the pool refers to is its own: counters, chunks, and vacant slots in them. What
        // lies in the others belongs to whoever took them, who used `unsafe` for that.
        unsafe impl Send for $Name {}

        // No user code runs while the pool's state is in motion, so no panic leaves it in disorder.
        impl UnwindSafe for $Name {}
        impl RefUnwindSafe for $Name {}

        impl $Name {
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
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<[u64; 3]>(), 2)?;")]
            /// let (first, second) = (pool.alloc(), pool.alloc());
            /// assert!(first.is_some() && second.is_some() && pool.alloc().is_none());
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn new(element: Layout, count: usize) -> Result<Self, RawPoolError> {
                let strategy = $Strategy::new(Config::bounded(count));
                Ok(Self { raw: Raw::new(strategy, element, count, $lift)?.fill(count)? })
            }

            /// A pool that grows: `count` slots with the first element, and as many again as there
            /// are whenever all are taken.
            ///
            /// # Errors
            ///
            /// [`RawPoolError`], a variant for each requirement.
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::growing(Layout::new::<u64>(), 4)?;")]
            /// assert!((0..100).all(|_| pool.alloc().is_some()));
            /// assert_eq!((pool.stats().live, pool.stats().capacity), (100, 128));
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn growing(element: Layout, count: usize) -> Result<Self, RawPoolError> {
                let strategy = $Strategy::new(Config::new().chunk(count));
                Ok(Self { raw: Raw::new(strategy, element, count, $lift)? })
            }

            #[doc = concat!("[`", stringify!($Name), "::new`] with the layout in numbers, in bytes, which")]
            /// are checked.
            ///
            /// # Errors
            ///
            /// [`RawPoolError`], a variant for each requirement.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("assert!(", stringify!($Name), "::from_size_align(24, 8, 100).is_ok());")]
            #[doc = concat!("let refused = ", stringify!($Name), "::from_size_align(24, 12, 100);")]
            /// assert_eq!(refused.unwrap_err(), RawPoolError::AlignNotPowerOfTwo { align: 12 });
            /// ```
            pub fn from_size_align(
                size: usize,
                align: usize,
                count: usize,
            ) -> Result<Self, RawPoolError> {
                if !align.is_power_of_two() {
                    return Err(RawPoolError::AlignNotPowerOfTwo { align });
                }
                let element = Layout::from_size_align(size, align);
                Self::new(element.map_err(|_| RawPoolError::TooLarge { size, count })?, count)
            }

            /// Takes a slot, whose bytes are not initialised; as long as the element that was asked
            /// for. `None` if all are taken, or if the heap has no room for more. O(1), but for
            /// growth.
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<[u32; 4]>(), 8)?;")]
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
            pub fn alloc(&self) -> Option<NonNull<[u8]>> {
                let block = self.raw.alloc()?;
                Some(NonNull::slice_from_raw_parts(block, self.raw.element.size()))
            }

            /// Takes a slot back, whatever type its pointer has by now. O(1). What is in it is not
            /// dropped.
            ///
            /// # Panics
            ///
            /// In a debug build, if it is no slot of this pool, was never taken, or is the one that was
            /// freed last; with the feature `hardened`, whenever it is not a taken slot.
            ///
            /// # Safety
            ///
            /// 1. The pointer is one that `alloc` of this pool returned, or a cast of it (not of a
            ///    reference to a part of the slot).
            /// 2. Since then the slot was not freed, nor the pool reset.
            /// 3. Nobody uses the slot any more.
            ///
            /// # Examples
            ///
            #[doc = concat!("See [`", stringify!($Name), "::alloc`].")]
            #[inline]
            #[track_caller]
            pub unsafe fn free<B: ?Sized>(&self, block: NonNull<B>) {
                // SAFETY: passed on from the caller.
                unsafe { self.raw.free(block.cast()) };
            }

            /// Whether `address` is where a slot of this pool begins, taken or not. O(chunks).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 8)?;")]
            /// let address = pool.alloc().unwrap().cast::<u8>().as_ptr();
            /// assert!(pool.owns(address));
            /// assert!(!pool.owns(address.wrapping_add(1)));
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn owns(&self, address: *const u8) -> bool {
                self.raw.pool.owns(address.addr(), self.raw.slot)
            }

            /// The layout of an element, as it was asked for.
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 8)?;")]
            /// assert_eq!(pool.layout(), Layout::new::<u64>());
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn layout(&self) -> Layout {
                self.raw.element
            }

            /// The pool's figures. O(chunks).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 8)?;")]
            /// pool.alloc();
            /// assert_eq!((pool.stats().live, pool.stats().limit), (1, Some(8)));
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn stats(&self) -> PoolStats {
                self.raw.stats(stringify!($Name))
            }

            /// Takes all slots back at once; they are handed out again as they were at first, in address
            /// order within each chunk. The memory stays, and what is in it is not dropped. O(chunks).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let mut pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 2)?;")]
            /// let first = pool.alloc();
            /// pool.alloc();
            /// pool.reset();
            /// assert_eq!((pool.stats().live, pool.alloc()), (0, first));
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn reset(&mut self) {
                self.raw.reset();
            }

            /// Gives every chunk without a taken slot back to the heap; returns their bytes.
            ///
            /// O(vacant slots x chunks).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
            ///
            #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 8)?;")]
            /// assert!(pool.trim() > 0);
            /// assert_eq!(pool.stats().bytes, 0);
            /// # Ok::<(), RawPoolError>(())
            /// ```
            pub fn trim(&self) -> usize {
                self.raw.pool.trim(self.raw.slot)
            }
        }

        /// The size, count and alignment of elements, how many are used and free, the order in which
        /// vacant slots will be handed out, and a map of every chunk: `#` is a taken slot, `.` a
        /// vacant one, `-` one that was never used.
        ///
        /// Slots are named `chunk:slot`. The plain form shows the first 64 of them and the first 64
        /// slots of a chunk, the alternate form (`{:#}`) all. O(slots x chunks) time, O(slots) memory.
        ///
        /// # Examples
        ///
        /// ```
        /// use std::alloc::Layout;
        #[doc = concat!("use typed_pool::{RawPoolError, ", stringify!($Name), "};")]
        ///
        #[doc = concat!("let pool = ", stringify!($Name), "::new(Layout::new::<u64>(), 4)?;")]
        /// pool.alloc();
        /// let shown = pool.to_string();
        /// assert!(shown.contains("4 elements, 8 bytes each, aligned to 8: 1 used, 3 free"));
        /// assert!(shown.ends_with("#---"));
        /// # Ok::<(), RawPoolError>(())
        /// ```
        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.raw.show(stringify!($Name), f)
            }
        }

        /// As its `Display`.
        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

raw_pool! {
    /// A pool of equal slots with an intrusive free list, for elements of which only the layout is known,
    /// and that only at run time: [`FreeList`](crate::FreeList) without a type.
    ///
    /// For what has no type in Rust: components that a script declares, elements of a file, memory for
    /// containers. It hands out raw memory, whose contents are the caller's.
    ///
    /// A vacant slot holds a link, so an element is at least as large as a pointer; one that is
    /// aligned less has its slot rounded up to a pointer's alignment. The size must be a multiple of
    /// the alignment (`Layout::pad_to_align`).
    ///
    /// After M. Gondim Lima's pool allocator (2018): size, count and alignment at run time, a list inside
    /// the free slots, a reason for every refusal, and a pool that prints its state.
    ///
    /// With the feature `allocator-api2-02`, a reference to it is an `Allocator` of allocator-api2, which
    /// serves any layout that fits a slot and refuses others: containers of nodes can live on it.
    RawFreeList(List, with_link)
}

raw_pool! {
    /// A pool of equal slots with a stack of pointers to the free ones, for elements of which only the
    /// layout is known, and that only at run time: [`PointerStack`](crate::PointerStack) without a type.
    ///
    /// It hands out raw memory, whose contents are the caller's. A freed slot is not written to: what was
    /// in it stays until it is handed out again and overwritten.
    ///
    /// An element is of any size but 0. The size must be a multiple of the alignment
    /// (`Layout::pad_to_align`).
    ///
    /// With the feature `allocator-api2-02`, a reference to it is an `Allocator` of allocator-api2, which
    /// serves any layout that fits a slot and refuses others: containers of nodes can live on it.
    RawPointerStack(Stack, without_link)
}
