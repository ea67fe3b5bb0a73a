//! The words of a roster's table: a number for each slot, from which its handle is made.
//!
//! A word has the tag and the generation of a handle ([`Handle`]); its lowest bit is 1 while an element is live.

use core::num::NonZeroU32;
use core::sync::atomic::Ordering;

use crate::base::atomic::swap::AtomicU32;
use crate::base::handle::{Handle, LAST_GENERATION, is_of_handle, with_tag, without_tag};

/// The most slots that a roster can have: indices are 32 bits.
pub(super) const MAX_SLOTS: usize = u32::MAX as usize;

/// A slot, and the word of the handle to it: a [`Handle`] without the element's type.
pub(crate) type RawHandle = (u32, NonZeroU32);

/// The word of a slot before its first use.
pub(super) const fn first_word(tag: u8) -> u32 {
    with_tag(1 << 1, tag)
}

/// The word of the handle to a slot with this word.
#[inline(always)]
pub(super) fn handle_word(word: u32) -> NonZeroU32 {
    NonZeroU32::MIN | word
}

/// The word of a slot without a live element, the handle to which has this word.
#[inline(always)]
pub(super) const fn vacant_word(word: NonZeroU32) -> u32 {
    word.get() & !1
}

/// The word of a slot once the element with this handle's word is gone; `None` if the generations are
/// spent.
#[inline(always)]
pub(super) const fn next_word(word: NonZeroU32) -> Option<u32> {
    const SPENT: u32 = without_tag((LAST_GENERATION + 1) << 1);
    let next = word.get().wrapping_add(1);
    // A full range of generations is spent when it has overflowed.
    if without_tag(next) == SPENT { None } else { Some(next) }
}

/// The live slots, by their words, with a tag or without. O(slots).
#[inline]
pub(super) fn live_slots(words: &[u32]) -> impl Iterator<Item = u32> {
    let live = words.iter().zip(0..).filter(|&(&word, _)| is_of_handle(word));
    live.map(|(_, slot)| slot)
}

/// The handle to a live slot.
///
/// # Safety
///
/// The slot is live.
#[inline(always)]
pub(super) unsafe fn handle_to<T>(words: &[u32], slot: u32) -> Handle<T> {
    // SAFETY: there is a word for a live slot ...
    let word = unsafe { *words.get_unchecked(slot as usize) };
    // SAFETY: ... which is not 0.
    Handle::new(slot, unsafe { NonZeroU32::new_unchecked(word) })
}

/// How many of the last rosters share no tag.
const APART: u32 = u8::MAX as u32;

/// How many rosters have been given a tag, or brought one along. (The number wraps.) It starts so that every tag is
/// free.
static COUNT: AtomicU32 = AtomicU32::new(APART);

/// For each tag, the number of the last roster that has it.
static LAST: [AtomicU32; 1 << u8::BITS] = [const { AtomicU32::new(0) }; 1 << u8::BITS];

/// A tag that none of the last 255 rosters has.
///
/// (If threads want the same one at the same moment, each that loses counts as another roster. On a target without
/// compare-and-swap an interrupt, or another core, may get the same one.)
#[inline]
pub(super) fn next_tag() -> u8 {
    // While no roster brings a tag along, this is the one that was given longest ago.
    let first = COUNT.load(Ordering::Relaxed).wrapping_add(1) as u8;
    // One of 256 is free, unless other threads take them at the same time, or the count has come round.
    let mut tags = (0..1_u32 << 16).map(|n| first.wrapping_add(n as u8));
    let tag = tags.find(|&tag| {
        // Pairs with `renew_tag`: the count is not below this.
        let last = LAST[usize::from(tag)].load(Ordering::Acquire);
        COUNT.load(Ordering::Relaxed).wrapping_sub(last) >= APART && renew_tag(tag, last)
    });
    tag.unwrap_or(first)
}

/// Returns the tag, which a roster has brought along.
#[inline]
pub(super) fn noted_tag(tag: u8) -> u8 {
    // If another thread is faster, it has renewed the tag as well.
    renew_tag(tag, LAST[usize::from(tag)].load(Ordering::Relaxed));
    tag
}

/// Gives a tag, which roster `last` had last, to another; `false` if another thread was faster.
#[inline]
fn renew_tag(tag: u8, last: u32) -> bool {
    let place = &LAST[usize::from(tag)];
    let count = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    place.compare_exchange(last, count, Ordering::Release, Ordering::Relaxed).is_ok()
}
