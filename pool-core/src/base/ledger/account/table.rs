//! The entries of all accounts.
//!
//! The first lie in a static, so most processes never ask the heap for more; further ones in blocks that are each as large as
//! all before, and never given back. An entry that is vacant is used again.

use core::alloc::Layout;
use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use crate::base::atomic::{Mutex, MutexGuard, lock};
use crate::base::heap;
use crate::base::ledger::Facts;
use crate::base::ledger::ThreadName;
use crate::base::ledger::versioned::Versioned;

/// Entries in the static.
const FIRST: usize = 32;
/// Enough for any number of entries that a `u32` can tell apart.
const BLOCKS: usize = 27;

/// What each word of an entry says.
pub(super) const STAGE: usize = 0;
/// The number of the thread; 0 for none.
pub(super) const THREAD: usize = 1;
/// The number of a thread that may be asked for its name; 0 for none.
pub(super) const TO_ASK: usize = 2;
pub(super) const GROWN: usize = 3;
pub(super) const FAILURES: usize = 4;
/// How long the pool's name is.
pub(super) const NAME_LEN: usize = 5;
/// [`here`](super::here), of the thread whose pool it is; or 0.
pub(super) const HERE: usize = 6;
/// One more than the pool's limit; 0 for none.
pub(super) const LIMIT: usize = 7;
/// The rest of its `PoolStats`.
pub(super) const FIGURES: Range<usize> = 8..17;
pub(super) const THREAD_NAME: Range<usize> = 18..WORDS;
pub(super) const WORDS: usize = 17 + ThreadName::BYTES / size_of::<usize>();

/// Room for what an account says. All zeros if it is vacant.
pub(super) struct Entry {
    pub(super) contents: Versioned<WORDS>,
    /// While it is vacant, the number of the next that is. Behind the lock.
    next: AtomicU32,
}

impl Entry {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const VACANT: Self = Self { contents: Versioned::new(), next: AtomicU32::new(0) };

    /// Of the pool whose entry it is. For the thread that writes it.
    pub(super) fn facts(&self) -> Option<&'static Facts> {
        let [facts, _] = self.contents.own().0;
        // SAFETY: null, or what `Account::open` has put there.
        unsafe { facts.cast::<Facts>().as_ref() }
    }

    /// What tells it from others.
    pub(super) fn key(&self) -> usize {
        ptr::from_ref(self).addr()
    }
}

/// In this order, so that a process's first pools find most of it in one page.
#[repr(C)]
pub(super) struct Table {
    /// How many entries were ever used. Their numbers begin with 1.
    used: AtomicU32,
    /// The number of the first vacant one among them; 0 for none.
    vacant: AtomicU32,
    /// Before `vacant` and what that leads to. Never locked while the heap is called.
    lock: Mutex<()>,
    first: [Entry; FIRST],
    blocks: [AtomicPtr<Entry>; BLOCKS],
}

pub(super) static TABLE: Table = Table {
    used: AtomicU32::new(0),
    vacant: AtomicU32::new(0),
    lock: Mutex::new(()),
    first: [const { Entry::VACANT }; FIRST],
    blocks: [const { AtomicPtr::new(ptr::null_mut()) }; BLOCKS],
};

/// The block of an entry, 0 for the static one, and its place there.
fn place_of(number: u32) -> (usize, usize) {
    let from_first = number as usize - 1 + FIRST;
    let block = from_first.ilog2() - FIRST.ilog2();
    (block as usize, from_first - (FIRST << block))
}

impl Table {
    /// The entry with this number, if there is room for it.
    pub(super) fn entry(&'static self, number: u32) -> Option<&'static Entry> {
        if number == 0 {
            return None;
        }
        match place_of(number) {
            (0, at) => Some(&self.first[at]),
            (block, at) => {
                let entries = self.blocks.get(block - 1)?.load(Ordering::Acquire);
                // SAFETY: null, or a block of `FIRST << block` entries, which stays (`add_block`).
                unsafe { entries.wrapping_add(if entries.is_null() { 0 } else { at }).as_ref() }
            }
        }
    }

    /// A vacant entry; `None` if the heap has no room.
    pub(super) fn claim(&'static self) -> Option<(u32, &'static Entry)> {
        loop {
            let wanted = {
                let _lock = self.lock();
                let number = self.vacant.load(Ordering::Relaxed);
                if let Some(entry) = self.entry(number) {
                    self.vacant.store(entry.next.load(Ordering::Relaxed), Ordering::Relaxed);
                    return Some((number, entry));
                }
                let number = self.used.load(Ordering::Relaxed).checked_add(1)?;
                if let Some(entry) = self.entry(number) {
                    self.used.store(number, Ordering::Release);
                    return Some((number, entry));
                }
                number
            };
            self.add_block(place_of(wanted).0)?;
        }
    }

    /// Sees to it that there is this block, which is not the first. The heap may be a user of pools, and add it as well.
    fn add_block(&self, block: usize) -> Option<()> {
        let layout = Layout::array::<Entry>(FIRST << block).ok()?;
        let place = self.blocks.get(block - 1)?;
        // Zeros are vacant entries.
        let entries = heap::alloc_zeroed(layout)?.as_ptr().cast::<Entry>();
        let added =
            place.compare_exchange(ptr::null_mut(), entries, Ordering::AcqRel, Ordering::Relaxed);
        if added.is_err() {
            // SAFETY: it was just allocated with this layout, and nobody else knows it.
            unsafe { heap::dealloc(entries.cast(), layout) };
        }
        Some(())
    }

    /// Takes back an entry that was claimed.
    pub(super) fn give_back(&'static self, number: u32, entry: &'static Entry) {
        entry.contents.write([ptr::null_mut(); 2], [0; WORDS]);
        let _lock = self.lock();
        entry.next.store(self.vacant.swap(number, Ordering::Relaxed), Ordering::Relaxed);
    }

    fn lock(&'static self) -> MutexGuard<'static, ()> {
        lock(&self.lock)
    }

    /// All entries that were ever used.
    pub(super) fn entries(&'static self) -> impl Iterator<Item = &'static Entry> {
        (1..=self.used.load(Ordering::Acquire)).filter_map(|number| self.entry(number))
    }
}
