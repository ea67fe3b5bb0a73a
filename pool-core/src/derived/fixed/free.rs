//! The free slots of a pool without a heap: which slot is handed out next, and where a freed one goes.
//!
//! Slots go by numbers here, from 1 on; 0 is no slot, so that memory full of zeros is a pool in
//! which no slot was ever used. Where the slots are is up to the pool; their links are here.
//!
//! # Shards
//!
//! A free slot lies in one of a few *shards*, each a stack (Treiber's: a head, and a link for each
//! slot to the one below). A thread frees into its own shard, and takes from there first: threads
//! that have a shard each do not meet. When its shard is empty a thread takes a slot that was never
//! used, and when there is none, one from another's shard.
//!
//! Never-used slots are shared out among the shards, a run of neighbours to each: were they
//! handed out to all threads in turn, then neighbours, and their links, would lie on one cache line and
//! belong to threads that both write (a pair took 120 ns instead of 27 in two threads). A thread
//! begins with those of its own shard, and goes on with the others'.
//!
//! # Tags
//!
//! The classical trap of such a stack: a thread reads the head, slot A, and A's link, slot B;
//! before it can put B in A's place, others take A and B and give A back. The head is A again, the
//! exchange succeeds, and B is at the head though it is in use. So the head's word has a tag
//! beside the slot's number, which each push counts up: for A to be at the head again it has to be
//! pushed, and then the word is another one. Links are only ever read and written atomically, and
//! lie where no element does, so a thread that reads the link of a slot that has long been handed out reads an
//! outdated number, no more, and fails to exchange.
//!
//! Numbers take as many bits as the pool's capacity needs, and the tag has the others: 32 or more
//! of 64, 16 or more of 32. What is left to chance is a thread (on a microcontroller: code that is
//! interrupted) that halts between reading a head and exchanging it for as long as the others take
//! to push exactly a multiple of 2^32 (2^16) slots onto that shard, and that the same slot is the
//! head then.
//!
//! # Orders
//!
//! - A push *releases*: what was done with the slot before comes before what its next
//!   owner does. All changes of a head are exchanges. So a pop that takes a slot which was pushed
//!   earlier, and has come up since, synchronises with that push all the same, by the chain of
//!   exchanges (a release sequence).
//! - A pop *acquires* the head, when it loads it: by that the link that it reads next is the one
//!   that was set for this push, or a later one, and then the tag has changed.
//! - A pop, and the taking of a never-used slot, also *release*: for the promise below.
//!
//! # Nothing hides
//!
//! [`FreeSlots::pop`] finds no slot only if, at one moment during the call, all were taken. To look into all
//! shards, one after the other, is not enough: the only free slot may be missed, if it is freed into the first
//! shard just after the look there, and another is taken from the last shard just before the look there. So the
//! shards are searched until none of them has changed since the search before: then each was empty from one look
//! to the next, and between the two searches all of them were. A thread searches again only because another has
//! freed a slot, so the threads together make progress. (That no shard has a never-used slot left was found out
//! before, and stays true. The thread that finds it out releases, and a thread that reads `all_used` acquires,
//! what the takers of those slots have released.)
//!
//! "At one moment" must not presume a clock that all threads share. The moment is this: all the
//! exchanges that come before the heads seen in the first round. Were there a further exchange on
//! one of the shards among them, then the second round would come after it, and see it, since every
//! exchange that takes a slot releases, and the looks acquire. So at that moment each shard is as
//! it was seen.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::base::atomic::swap::{AtomicU32, AtomicWord, WordBits};
use crate::base::atomic::{array_of, const_unless_model};
use crate::base::watch::Mark;

/// The most slots that a pool may have: their numbers leave half of an atomic word for a tag.
///
/// The word has 64 bits where the target can compare and swap those, else 32 (`base/atomic/swap.rs`).
pub const MOST_SLOTS: usize = (WordBits::MAX >> (WordBits::BITS / 2)) as usize;

/// One stack of free slots, on cache lines of its own (which processors fetch in pairs).
#[derive(Debug)]
#[cfg_attr(feature = "std", repr(align(128)))]
struct Shard {
    /// The number of the slot on top, and a tag.
    head: AtomicWord,
    /// How many of the slots that were allotted to it were ever used; the others are on no stack.
    used: AtomicWord,
}

/// The free slots of one pool of `N`, in a number of shards that is a power of two.
#[derive(Debug)]
pub(crate) struct FreeSlots<const SHARDS: usize, const N: usize> {
    shards: [Shard; SHARDS],
    /// 1 once a thread has found that every slot was used at least once: then no thread looks into all shards for a
    /// never-used one whenever its own is empty.
    all_used: AtomicWord,
    /// The link of each slot, in the order of their numbers.
    links: [AtomicLink; N],
}

/// The number of the slot below in a shard, or 0 for none.
#[derive(Debug)]
pub(crate) struct AtomicLink {
    number: AtomicU32,
    /// The mark of the slot whose link this is.
    pub(crate) mark: Mark,
}

impl<const SHARDS: usize, const N: usize> FreeSlots<SHARDS, N> {
    const_unless_model! {
        /// None of the slots was ever used.
        pub(crate) const fn new() -> Self {
            let shards = array_of!(Shard { head: AtomicWord::new(0), used: AtomicWord::new(0) }; SHARDS);
            let links = array_of!(AtomicLink { number: AtomicU32::new(0), mark: Mark::new() }; N);
            Self { shards, all_used: AtomicWord::new(0), links }
        }
    }

    /// The unit of the tag: a head's word is divided between number and tag.
    const TAG: WordBits = 1 << (usize::BITS - N.leading_zeros());

    #[inline(always)]
    #[allow(clippy::unnecessary_cast, reason = "a head may have 32 bits")]
    fn number(head: WordBits) -> u32 {
        (head & (Self::TAG - 1)) as u32
    }

    /// Returns `head` with `number` in the place of its number.
    #[inline(always)]
    fn with_number(head: WordBits, number: u32) -> WordBits {
        head & !(Self::TAG - 1) | WordBits::from(number)
    }

    /// The link of the slot `number`.
    #[inline(always)]
    pub(crate) fn link(&self, number: u32) -> &AtomicLink {
        let index = number as usize - 1;
        debug_assert!(index < N);
        // SAFETY: it is the number of a slot: heads and links hold no others except 0, which callers rule out first.
        unsafe { self.links.get_unchecked(index) }
    }

    /// Takes a slot, from the shard `own` if it has one: O(1). Otherwise calls `before`, and
    /// searches all shards: O(shards), and again as often as another thread frees a slot during the
    /// call.
    #[inline(always)]
    pub(crate) fn pop(&self, own: usize, before: impl FnOnce()) -> Option<u32> {
        match self.pop_from(own % SHARDS) {
            Ok(number) => Some(number),
            Err(_) => self.search(own, before),
        }
    }

    /// Takes the slot on top of a shard; if there is none, returns the head.
    #[inline(always)]
    fn pop_from(&self, shard: usize) -> Result<u32, WordBits> {
        let shard = &self.shards[shard];
        let mut head = shard.head.load(Acquire);
        loop {
            let number = Self::number(head);
            if number == 0 {
                return Err(head);
            }
            let below = Self::with_number(head, self.link(number).number.load(Relaxed));
            match shard.head.compare_exchange_weak(head, below, AcqRel, Acquire) {
                Ok(_) => return Ok(number),
                Err(found) => head = found,
            }
        }
    }

    /// Puts a slot on top of the shard `own`. O(1).
    ///
    /// The slot is not to be used any more by the caller: it is handed out again.
    #[inline(always)]
    pub(crate) fn push(&self, own: usize, number: u32) {
        let shard = &self.shards[own % SHARDS];
        let mut head = shard.head.load(Relaxed);
        loop {
            self.link(number).number.store(Self::number(head), Relaxed);
            let above = Self::with_number(head.wrapping_add(Self::TAG), number);
            match shard.head.compare_exchange_weak(head, above, Release, Relaxed) {
                Ok(_) => return,
                Err(found) => head = found,
            }
        }
    }

    /// Takes a slot where the own shard had none.
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn search(&self, own: usize, before: impl FnOnce()) -> Option<u32> {
        before();
        if self.all_used.load(Acquire) == 0 {
            if let Some(number) = self.first_use(own) {
                return Some(number);
            }
            // If that fails spuriously, the next thread finds it out as well.
            let _ = self.all_used.compare_exchange_weak(0, 1, AcqRel, Relaxed);
        }
        // Not the head of an empty shard, whose number is 0.
        let mut seen = [WordBits::MAX; SHARDS];
        loop {
            let mut is_settled = true;
            for i in 0..SHARDS {
                let at = own.wrapping_add(i) % SHARDS;
                match self.pop_from(at) {
                    Ok(number) => return Some(number),
                    Err(head) => {
                        is_settled &= seen[at] == head;
                        seen[at] = head;
                    }
                }
            }
            if is_settled {
                return None;
            }
        }
    }

    /// How many slots lie before those that are allotted to a shard.
    const fn before(shard: usize) -> usize {
        // Not their product, which may be too large.
        N / SHARDS * shard + N % SHARDS * shard / SHARDS
    }

    /// Takes a slot that was never used, of the shard `own` if there is one.
    fn first_use(&self, own: usize) -> Option<u32> {
        let mut shards = (0..SHARDS).map(|i| own.wrapping_add(i) % SHARDS);
        shards.find_map(|at| {
            let before = Self::before(at);
            let slots = Self::before(at + 1) - before;
            let next = |used: WordBits| ((used as usize) < slots).then_some(used + 1);
            let used = self.shards[at].used.fetch_update(AcqRel, Acquire, next).ok()?;
            Some((before + used as usize) as u32 + 1)
        })
    }

    /// How many slots were ever used.
    pub(crate) fn used(&self) -> usize {
        self.shards.iter().map(|shard| shard.used.load(Acquire) as usize).sum()
    }

    /// Whether this slot was ever used.
    pub(crate) fn is_used(&self, number: u32) -> bool {
        let has = |(at, shard): (usize, &Shard)| {
            let before = Self::before(at);
            let used = shard.used.load(Acquire) as usize;
            (before..before + used).contains(&(number as usize - 1))
        };
        self.shards.iter().enumerate().any(has)
    }

    /// Shows the vacant slots: runs of neighbours, by the first number and how many there are, and whether they were ever used.
    /// If other threads take and free slots, one may be missing, or come twice. O(slots).
    pub(crate) fn for_each_vacant(&self, show: &mut dyn FnMut(u32, usize, bool)) {
        for (at, shard) in self.shards.iter().enumerate() {
            let (before, used) = (Self::before(at), shard.used.load(Acquire) as usize);
            show((before + used) as u32 + 1, Self::before(at + 1) - before - used, false);
            let (mut number, mut shown) = (Self::number(shard.head.load(Acquire)), 0);
            // If others are at work, a walk may go from one shard into another, or in circles.
            while number != 0 && shown < N {
                show(number, 1, true);
                shown += 1;
                number = self.link(number).number.load(Relaxed);
            }
        }
    }
}

/// How many shards a pool has: a power of two. One where threads cannot be told apart.
pub(crate) const SHARDS: usize = if cfg!(feature = "std") { 8 } else { 1 };

#[cfg(all(test, feature = "std", not(loom)))]
mod tests;
