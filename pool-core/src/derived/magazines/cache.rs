//! The addresses that a magazine keeps, how a batch of them travels, and how many slots a batch and a thread have.
//!
//! A stack of addresses in an array, whatever they lead to.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};
use core::slice;
use core::sync::atomic::Ordering;

use crate::base::atomic::{AtomicUsize, const_unless_model};
use crate::base::watch::sanitizer;

/// The most slots in a batch.
///
/// At 16, threads do little but wait for one another; from 128 on the price of the lock disappears.
pub(super) const MAX_BATCH: usize = 128;

/// The most batches at hand.
pub(super) const AT_HAND: usize = 2;

/// What a batch travels as: the addresses of its slots.
pub(super) type Batch = [Place; MAX_BATCH];

/// A place for the address of a slot.
type Place = *mut u8;

/// An empty one, and those of two batches.
const PLACES: usize = 1 + AT_HAND * MAX_BATCH;

/// The free slots that a thread has at hand. All are of one size, which is passed in where it matters. They
/// are poisoned.
pub(crate) struct Cache {
    /// How many there are. Other threads may ask, for statistics.
    len: AtomicUsize,
    /// The first is always null; so the last slot, or none, is in the place with the number `len`.
    places: [Cell<Place>; PLACES],
}

impl Cache {
    const_unless_model! {
        /// Without a slot.
        pub(super) const fn new() -> Self {
            Self { len: AtomicUsize::new(0), places: [const { Cell::new(ptr::null_mut()) }; PLACES] }
        }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    fn set_len(&self, len: usize) {
        debug_assert!(len < PLACES);
        self.len.store(len, Ordering::Relaxed);
    }

    /// Takes the slot that came last, fit for use.
    #[inline(always)]
    pub(crate) fn pop(&self, bytes: usize) -> Option<NonNull<u8>> {
        let len = self.len();
        // SAFETY: there are never more slots than places behind the first.
        let slot = NonNull::new(unsafe { self.places.get_unchecked(len) }.get())?;
        self.len.store(len - 1, Ordering::Relaxed);
        sanitizer::unpoison(slot.as_ptr(), bytes);
        Some(slot)
    }

    /// Puts a slot in, unless there are `limit` already; returns whether it did.
    ///
    /// # Safety
    ///
    /// The limit is at most [`AT_HAND`] batches.
    #[inline(always)]
    pub(super) unsafe fn push(&self, slot: NonNull<u8>, bytes: usize, limit: usize) -> bool {
        let len = self.len();
        let has_room = len < limit;
        if has_room {
            sanitizer::poison(slot.as_ptr(), bytes);
            // SAFETY: there is room for one more (caller).
            unsafe { self.places.get_unchecked(len + 1) }.set(slot.as_ptr());
            self.len.store(len + 1, Ordering::Relaxed);
        }
        has_room
    }

    /// Calls `f` with all places but the first.
    fn with_places<R>(&self, f: impl FnOnce(&mut [Place]) -> R) -> R {
        let places = self.places[1..].as_ptr().cast::<Place>().cast_mut();
        // SAFETY: these are all places but one, in cells that only this thread uses; `f`, in here, uses the slice alone.
        f(unsafe { slice::from_raw_parts_mut(places, PLACES - 1) })
    }

    /// Puts `count` adjacent slots in, for which there is room; the lowest is the first to go.
    pub(super) fn push_run(&self, run: *mut u8, count: usize, bytes: usize) {
        sanitizer::poison(run, count * bytes);
        let len = self.len();
        self.with_places(|places| {
            for (at, place) in places[len..][..count].iter_mut().rev().enumerate() {
                *place = run.wrapping_add(at * bytes);
            }
        });
        self.set_len(len + count);
    }

    /// Moves `count` slots out, those that have been here longest.
    pub(super) fn unload(&self, batch: &mut Batch, count: usize) {
        let len = self.len();
        self.with_places(|places| {
            batch[..count].copy_from_slice(&places[..count]);
            places.copy_within(count..len, 0);
        });
        self.set_len(len - count);
    }

    /// Moves the first `count` slots of a batch to where none is.
    pub(super) fn load(&self, batch: &Batch, count: usize) {
        self.with_places(|places| places[..count].copy_from_slice(&batch[..count]));
        self.set_len(count);
    }

    /// Forgets all slots.
    pub(super) fn clear(&self) {
        self.set_len(0);
    }

    /// Asks for the slots' memory ahead, since another thread may have used it last.
    pub(super) fn prefetch(&self) {
        self.iter().for_each(prefetch_for_write);
    }

    /// The slots that are here, the first one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = NonNull<u8>> {
        self.places[1..][..self.len()].iter().filter_map(|place| NonNull::new(place.get()))
    }
}

/// Asks for the cache line of an address, to be written to.
#[inline(always)]
fn prefetch_for_write(_address: NonNull<u8>) {
    // The intrinsic asks for a copy to be read, unless the target's baseline is more than x86-64.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch changes nothing, and does not fault.
    unsafe {
        core::arch::asm!(
            "prefetchw [{}]",
            in(reg) _address.as_ptr(),
            options(nostack, preserves_flags, readonly)
        );
    }
}

/// The fewest slots in a batch.
const MIN_BATCH: usize = 16;
/// Bytes of slots in a batch, unless the fewest slots are more: or threads would hide megabytes from one another.
const BATCH_BYTES: usize = 256 * 1024;

/// The most batches that a thread keeps, and bytes of slots in these, unless two batches are more.
const MAX_KEPT: usize = 10;
const KEPT_BYTES: usize = 512 * 1024;

/// What the magazines of a pool have room for.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// How many slots are in a batch; 0 if magazines have no room.
    pub(super) batch: usize,
    /// How many batches a thread may set aside.
    pub(super) max_spare: usize,
}

impl Sizes {
    /// How many slots may be at hand.
    pub(super) const fn room(self) -> usize {
        self.batch * AT_HAND
    }

    /// Of magazines that are left out.
    pub(crate) const NONE: Self = Self { batch: 0, max_spare: 0 };

    /// Of magazines of such slots.
    pub(crate) const fn new(slot: Layout) -> Self {
        let batch = batch(slot);
        Self { batch, max_spare: max_kept(slot, batch) - AT_HAND }
    }
}

/// The size of a slot; of one without, for which the derive has an error, something to divide by.
const fn bytes(slot: Layout) -> usize {
    if slot.size() == 0 { 1 } else { slot.size() }
}

/// How many slots make a batch.
pub(super) const fn batch(slot: Layout) -> usize {
    let mut slots = BATCH_BYTES / bytes(slot);
    if slots < MIN_BATCH {
        slots = MIN_BATCH;
    }
    if slots > MAX_BATCH { MAX_BATCH } else { slots }
}

/// How many batches a thread keeps at most, of `batch` slots each.
pub(super) const fn max_kept(slot: Layout, batch: usize) -> usize {
    let mut kept = KEPT_BYTES / bytes(slot) / batch;
    if kept > MAX_KEPT {
        kept = MAX_KEPT;
    }
    if kept < 2 { 2 } else { kept }
}
