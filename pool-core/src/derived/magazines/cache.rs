//! The two caches that a magazine may keep its slots in, how a batch of them travels (as addresses, or as a list through
//! the slots), and how many slots a batch and a thread have.

use core::alloc::Layout;
use core::mem::MaybeUninit;
use core::ptr::{self, NonNull};
use core::slice;
use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::{AtomicPtr, AtomicUsize};
use crate::base::atomic::{Constant, constant};
use crate::base::watch::sanitizer;
use crate::memory::slot::List;
use crate::strategy::{InFreeList, InPointerStack, Strategy};

/// The most slots in a batch.
///
/// At 16, threads do little but wait for one another; from 128 on the price of the lock disappears.
const MAX_BATCH: usize = 128;

/// A strategy whose pools threads can share by way of magazines.
pub(crate) trait Shareable: Strategy {
    /// What a magazine keeps free slots in.
    type Cache: Cache;
}

impl Shareable for InFreeList {
    type Cache = ListCache;
}

impl Shareable for InPointerStack {
    type Cache = ArrayCache;
}

/// The free slots that a thread has at hand. All are of one size, which is passed in where it matters. They
/// are poisoned.
pub(crate) trait Cache: Sized {
    /// Without a slot.
    const EMPTY: Constant<Self>;

    /// The most batches at hand.
    const AT_HAND: usize;

    /// What lies behind a magazine for the slots at hand.
    type Places;

    /// The beginning of a batch on its way.
    type Batch;

    /// How many more bytes each slot of a batch takes after the first.
    const TAIL: usize;

    /// Gets its places. Before any other call but [`Cache::is_below`] and [`Cache::pop`], which find nothing until then.
    ///
    /// # Safety
    ///
    /// They may be written to for as long as this is used, by nobody else.
    unsafe fn open(&self, _places: *mut Self::Places) {}

    /// How many slots there are. Other threads may ask, for statistics.
    fn len(&self) -> usize;

    /// The mark of `count` slots, for [`Cache::is_below`].
    fn mark(&self, count: usize) -> usize;

    /// Whether there are fewer slots than the mark says.
    fn is_below(&self, mark: usize) -> bool;

    /// Takes the slot that came last, fit for use.
    fn pop(&self, bytes: usize) -> Option<NonNull<u8>>;

    /// Puts a slot in.
    ///
    /// # Safety
    ///
    /// 1. Fewer than [`Cache::AT_HAND`] batches are here.
    /// 2. The slot is free, and good for writing a link if this is a [`ListCache`].
    unsafe fn push(&self, slot: NonNull<u8>, bytes: usize);

    /// Puts adjacent slots in; the lowest is the first to go.
    ///
    /// # Safety
    ///
    /// 1. There is room for `count` slots.
    /// 2. They lie one after the other from `run` on, and each is as for [`Cache::push`].
    unsafe fn push_run(&self, run: *mut u8, count: usize, bytes: usize);

    /// Moves `count` slots out, those that have been here longest.
    ///
    /// # Safety
    ///
    /// At least `count` slots are here, the batch may be written to, and `count` is at most [`MAX_BATCH`], and always
    /// the same.
    unsafe fn unload(&self, batch: *mut Self::Batch, count: usize);

    /// Moves a batch in.
    ///
    /// # Safety
    ///
    /// No slot is here, and `count` slots were moved into the batch by [`Cache::unload`].
    unsafe fn load(&self, batch: *mut Self::Batch, count: usize);

    /// Forgets all slots.
    fn clear(&self);

    /// Asks for the slots' memory ahead, since another thread may have used it last. Not of a list, where each slot has to come before
    /// the next is known.
    fn prefetch(&self) {}

    /// Shows the slots of a batch, each of which may be used for something else at once.
    ///
    /// # Safety
    ///
    /// `count` slots were moved into the batch by [`Cache::unload`].
    unsafe fn for_each(batch: *mut Self::Batch, count: usize, take: impl FnMut(*mut u8));

    /// Shows the slots that are here.
    fn for_each_at_hand(&self, show: &mut dyn FnMut(*mut u8));
}

/// A place for the address of a slot, in an array.
type Place = *mut u8;

/// How many an array has.
const PLACES: usize = 2 * MAX_BATCH;

/// The addresses of the slots.
pub(crate) struct ArrayCache {
    /// Behind the place that was filled last. In the one before the first of all is null, as in [`NOTHING`].
    top: AtomicPtr<Place>,
    /// The first place; [`NO_PLACE`] before there are some.
    first: AtomicPtr<Place>,
}

/// Stands for an array without a slot.
static NOTHING: usize = 0;

/// Behind it.
const NO_PLACE: *mut Place = (&raw const NOTHING).wrapping_add(1).cast_mut().cast();

/// A list through the slots.
pub(crate) struct ListCache {
    len: AtomicUsize,
    head: List,
}

impl ArrayCache {
    fn first(&self) -> *mut Place {
        self.first.load(Ordering::Relaxed)
    }

    /// What is in the places that are filled, the first one first.
    fn filled(&self) -> impl DoubleEndedIterator<Item = *mut u8> {
        let first = self.first();
        // SAFETY: they are places, and filled.
        (0..self.len()).map(move |at| unsafe { first.wrapping_add(at).read() })
    }

    fn set_len(&self, len: usize) {
        self.top.store(self.first().wrapping_add(len), Ordering::Relaxed);
    }
}

impl Cache for ArrayCache {
    const EMPTY: Constant<Self> =
        constant!(= Self { top: AtomicPtr::new(NO_PLACE), first: AtomicPtr::new(NO_PLACE) });

    const AT_HAND: usize = 2;

    /// One before the first as well.
    type Places = MaybeUninit<[Place; 1 + PLACES]>;

    /// The first address.
    type Batch = *mut u8;

    const TAIL: usize = size_of::<*mut u8>();

    unsafe fn open(&self, places: *mut Self::Places) {
        let before = places.cast::<Place>();
        // SAFETY: the places may be written to (caller).
        unsafe { before.write(ptr::null_mut()) };
        self.first.store(before.wrapping_add(1), Ordering::Relaxed);
        self.set_len(0);
    }

    fn len(&self) -> usize {
        (self.top.load(Ordering::Relaxed).addr() - self.first().addr()) / size_of::<Place>()
    }

    fn mark(&self, count: usize) -> usize {
        self.first().wrapping_add(count).addr()
    }

    #[inline(always)]
    fn is_below(&self, mark: usize) -> bool {
        self.top.load(Ordering::Relaxed).addr() < mark
    }

    #[inline(always)]
    fn pop(&self, bytes: usize) -> Option<NonNull<u8>> {
        let last = self.top.load(Ordering::Relaxed).wrapping_sub(1);
        // SAFETY: a place that was filled, or the null before all.
        let slot = NonNull::new(unsafe { last.read() })?;
        self.top.store(last, Ordering::Relaxed);
        sanitizer::unpoison(slot.as_ptr(), bytes);
        Some(slot)
    }

    #[inline(always)]
    unsafe fn push(&self, slot: NonNull<u8>, bytes: usize) {
        sanitizer::poison(slot.as_ptr(), bytes);
        let top = self.top.load(Ordering::Relaxed);
        // SAFETY: there is room (caller).
        unsafe { top.write(slot.as_ptr()) };
        self.top.store(top.wrapping_add(1), Ordering::Relaxed);
    }

    unsafe fn push_run(&self, run: *mut u8, count: usize, bytes: usize) {
        sanitizer::poison(run, count * bytes);
        let top = self.top.load(Ordering::Relaxed);
        // SAFETY: there is room (caller), and nobody else uses these places.
        let places = unsafe { slice::from_raw_parts_mut(top.cast::<MaybeUninit<Place>>(), count) };
        for (at, place) in places.iter_mut().rev().enumerate() {
            place.write(run.wrapping_add(at * bytes));
        }
        self.top.store(top.wrapping_add(count), Ordering::Relaxed);
    }

    unsafe fn unload(&self, batch: *mut Self::Batch, count: usize) {
        let (first, left) = (self.first(), self.len() - count);
        // SAFETY: `count` places are filled, and the batch has room for as many (caller).
        unsafe { batch.copy_from_nonoverlapping(first, count) };
        // SAFETY: those that are left are in the same array.
        unsafe { first.copy_from(first.wrapping_add(count), left) };
        self.set_len(left);
    }

    unsafe fn load(&self, batch: *mut Self::Batch, count: usize) {
        // SAFETY: `unload` has written `count`, and there is room (caller).
        unsafe { self.first().copy_from_nonoverlapping(batch, count) };
        self.set_len(count);
    }

    fn clear(&self) {
        self.set_len(0);
    }

    fn prefetch(&self) {
        self.filled().for_each(prefetch_for_write);
    }

    unsafe fn for_each(batch: *mut Self::Batch, count: usize, mut take: impl FnMut(*mut u8)) {
        for at in 0..count {
            // SAFETY: as in `load`.
            take(unsafe { batch.wrapping_add(at).read() });
        }
    }

    fn for_each_at_hand(&self, show: &mut dyn FnMut(*mut u8)) {
        self.filled().rev().for_each(show);
    }
}

impl Cache for ListCache {
    const EMPTY: Constant<Self> = constant!(= Self { len: AtomicUsize::new(0), head: List::EMPTY });

    const AT_HAND: usize = 1;

    /// They are linked.
    type Places = ();

    /// The first slot.
    type Batch = List;

    const TAIL: usize = 0;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    fn mark(&self, count: usize) -> usize {
        count
    }

    #[inline(always)]
    fn is_below(&self, mark: usize) -> bool {
        self.len() < mark
    }

    #[inline(always)]
    fn pop(&self, bytes: usize) -> Option<NonNull<u8>> {
        let slot = NonNull::new(self.head.pop()?)?;
        self.len.store(self.len() - 1, Ordering::Relaxed);
        sanitizer::unpoison(slot.as_ptr(), bytes);
        Some(slot)
    }

    #[inline(always)]
    unsafe fn push(&self, slot: NonNull<u8>, bytes: usize) {
        sanitizer::poison(slot.as_ptr(), bytes);
        // SAFETY: the slot is vacant, and good for a link (caller).
        unsafe { self.head.push(slot.as_ptr()) };
        self.len.store(self.len() + 1, Ordering::Relaxed);
    }

    unsafe fn push_run(&self, run: *mut u8, count: usize, bytes: usize) {
        sanitizer::poison(run, count * bytes);
        for at in (0..count).rev() {
            // SAFETY: the slot is vacant, and good for a link (caller).
            unsafe { self.head.push(run.wrapping_add(at * bytes)) };
        }
        self.len.store(self.len() + count, Ordering::Relaxed);
    }

    unsafe fn unload(&self, batch: *mut Self::Batch, count: usize) {
        debug_assert_eq!(self.len(), count);
        // SAFETY: the batch may be written to (caller).
        unsafe { batch.write(self.head.take()) };
        self.len.store(0, Ordering::Relaxed);
    }

    unsafe fn load(&self, batch: *mut Self::Batch, count: usize) {
        // SAFETY: `unload` has written it (caller).
        self.head.put(unsafe { batch.read() });
        self.len.store(count, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.head.put(List::EMPTY);
        self.len.store(0, Ordering::Relaxed);
    }

    unsafe fn for_each(batch: *mut Self::Batch, _: usize, take: impl FnMut(*mut u8)) {
        // SAFETY: as in `load`.
        unsafe { batch.read() }.iter().for_each(take);
    }

    fn for_each_at_hand(&self, show: &mut dyn FnMut(*mut u8)) {
        self.head.iter().for_each(show);
    }
}

/// Asks for the cache line of an address, to be written to.
#[inline(always)]
fn prefetch_for_write(_address: *mut u8) {
    // The intrinsic asks for a copy to be read, unless the target's baseline is more than x86-64.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch changes nothing, and does not fault.
    unsafe {
        core::arch::asm!(
            "prefetchw [{}]",
            in(reg) _address,
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
    pub(super) const fn room<C: Cache>(self) -> usize {
        self.batch * C::AT_HAND
    }

    /// Of magazines that are left out.
    pub(crate) const NONE: Self = Self { batch: 0, max_spare: 0 };

    /// Where a thread has `at_hand` batches besides those set aside.
    pub(crate) const fn new(slot: Layout, at_hand: usize) -> Self {
        let batch = batch(slot);
        Self { batch, max_spare: max_kept(slot, batch) - at_hand }
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
