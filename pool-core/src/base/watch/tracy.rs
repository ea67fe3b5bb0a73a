//! What the profiler Tracy is told: each element that is handed out or taken back, as memory of a pool with a name.
//!
//! Tracy knows a pool by the address of its name, a C string that it reads whenever it likes. So each name is copied once, and stays.
//! The copies lie in the system's heap: the program's own may be a user of pools, which would need names.
//!
//! An element is told of after it was handed out, and before it is taken back. So another thread that gets its slot tells so later.
//! An element that is reported twice ends a recording. One that was never reported may be taken back: Tracy may connect late, when half
//! of all elements are there.

use core::alloc::Layout;
use core::cell::Cell;

/// Whether Tracy is told of elements.
pub(crate) const IS_ON: bool = cfg!(feature = "tracy");

/// The pool with this name hands out an element.
#[inline(always)]
pub(crate) fn hand_out(element: *const u8, bytes: usize, pool: &'static str) {
    #[cfg(feature = "tracy")]
    client::hand_out(element, bytes, pool);
    let _ = (element, bytes, pool);
}

/// The pool with this name takes an element back.
#[inline(always)]
pub(crate) fn take_back(element: *const u8, pool: &'static str) {
    #[cfg(feature = "tracy")]
    client::take_back(element, pool);
    let _ = (element, pool);
}

/// What was told of a pool that is a value. Its memory goes back to the heap with it, whatever was not freed.
pub(crate) struct Told([Elements; IS_ON as usize]);

struct Elements {
    /// How many are handed out.
    live: Cell<usize>,
    /// The name, as it was when there was none.
    pool: Cell<&'static str>,
    slot_bytes: Cell<usize>,
}

impl Told {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NOTHING: Self = Self(
        [const { Elements { live: Cell::new(0), pool: Cell::new(""), slot_bytes: Cell::new(0) } };
            IS_ON as usize],
    );

    /// The pool hands out an element of `bytes` bytes, in a slot.
    pub(crate) fn hand_out(
        &self,
        element: *const u8,
        bytes: usize,
        slot: Layout,
        pool: &'static str,
    ) {
        let Some(told) = self.0.first() else { return };
        if told.live.get() == 0 {
            told.pool.set(pool);
            told.slot_bytes.set(slot.size());
        }
        told.live.set(told.live.get() + 1);
        hand_out(element, bytes, told.pool.get());
    }

    /// The pool takes an element back.
    pub(crate) fn take_back(&self, element: *const u8) {
        let Some(told) = self.0.first() else { return };
        told.live.set(told.live.get() - 1);
        take_back(element, told.pool.get());
    }

    /// The pool takes all elements back at once. Of each chunk: its first slot, and how many there are.
    pub(crate) fn take_all_back(&self, chunks: impl Iterator<Item = (*mut u8, usize)>) {
        let Some(told) = self.0.first().filter(|told| told.live.take() != 0) else { return };
        for (first, slots) in chunks {
            let slot = |number| first.wrapping_add(number * told.slot_bytes.get());
            (0..slots).for_each(|number| take_back(slot(number), told.pool.get()));
        }
    }
}

/// The names of pools, for Tracy's client, and what it is told.
#[cfg(feature = "tracy")]
mod client {
    use core::alloc::{GlobalAlloc as _, Layout};
    use core::ffi::c_char;
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, Ordering};
    use std::alloc::System;
    use std::sync::{Mutex, PoisonError};

    use tracy_client_sys::{___tracy_emit_memory_alloc_named, ___tracy_emit_memory_free_named};

    #[inline(never)]
    pub(super) fn hand_out(element: *const u8, bytes: usize, pool: &'static str) {
        if let Some(name) = c_name(pool) {
            // SAFETY: the name is a C string that stays (`Name::copy`); of the element Tracy takes the address, as a number.
            unsafe { ___tracy_emit_memory_alloc_named(element.cast(), bytes, name) };
        }
    }

    #[inline(never)]
    pub(super) fn take_back(element: *const u8, pool: &'static str) {
        if let Some(name) = c_name(pool) {
            // SAFETY: as in `hand_out`.
            unsafe { ___tracy_emit_memory_free_named(element.cast(), name) };
        }
    }

    /// A name of a pool, in a list of those that have the same place in [`NAMES`].
    struct Name {
        /// The very `str`: others may say the same.
        of: &'static str,
        /// The same for all that say the same.
        copy: *const c_char,
        next: *const Self,
    }

    /// The names that were met, by their address.
    static NAMES: [AtomicPtr<Name>; 64] = [const { AtomicPtr::new(ptr::null_mut()) }; 64];

    /// Those with this place. None is ever removed.
    fn names(place: &'static AtomicPtr<Name>) -> impl Iterator<Item = &'static Name> {
        // SAFETY: null, or a `Name` that stays (`add`).
        let follow = |name: *const Name| unsafe { name.as_ref() };
        core::iter::successors(follow(place.load(Ordering::Acquire)), move |name| follow(name.next))
    }

    /// The name as a C string, the same each time; `None` if there is no memory for it.
    fn c_name(pool: &'static str) -> Option<*const c_char> {
        // Fibonacci hashing: the upper bits of the product depend on all bits of the address.
        let hash = (pool.as_ptr().addr() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &NAMES[(hash >> 58) as usize];
        let find = || names(place).find(|name| ptr::eq(name.of, pool)).map(|name| name.copy);
        find().or_else(|| add(pool, place, find))
    }

    #[cold]
    fn add(
        pool: &'static str,
        place: &'static AtomicPtr<Name>,
        find: impl Fn() -> Option<*const c_char>,
    ) -> Option<*const c_char> {
        static ADDING: Mutex<()> = Mutex::new(());

        let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have come first.
        if let Some(found) = find() {
            return Some(found);
        }
        let same = NAMES.iter().flat_map(names).find(|name| name.of == pool);
        let copy = match same {
            Some(same) => same.copy,
            None => copy_of(pool)?,
        };
        let name = block(Layout::new::<Name>())?.cast::<Name>();
        let next = place.load(Ordering::Relaxed).cast_const();
        // SAFETY: the block has just been made for it.
        unsafe { name.write(Name { of: pool, copy, next }) };
        place.store(name, Ordering::Release);
        Some(copy)
    }

    /// A C string that stays.
    fn copy_of(text: &str) -> Option<*const c_char> {
        let copy = block(Layout::array::<u8>(text.len() + 1).ok()?)?;
        // SAFETY: the block has room for the text, and a zero behind it.
        unsafe { copy.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
        Some(copy.cast_const().cast())
    }

    /// Zeros, from the system's heap, that stay.
    fn block(layout: Layout) -> Option<*mut u8> {
        // SAFETY: neither a name nor a copy, with its zero, is without a size.
        let block = unsafe { System.alloc_zeroed(layout) };
        (!block.is_null()).then_some(block)
    }
}
