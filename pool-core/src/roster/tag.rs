//! Tags that tell rosters apart.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// How many of the last rosters share no tag.
const APART: u32 = u8::MAX as u32;

/// How many rosters have been given a tag, or brought one along. (The number wraps.) It starts so that every tag is
/// free.
static COUNT: AtomicU32 = AtomicU32::new(APART);

/// For each tag, the number of the last roster that has it.
static LAST: [AtomicU32; 1 << u8::BITS] = [const { AtomicU32::new(0) }; 1 << u8::BITS];

/// Where to look first.
static NEXT: AtomicU8 = AtomicU8::new(0);

/// A tag that none of the last 255 rosters has.
///
/// (If threads want the same one at the same moment, each that loses counts as another roster. On a target without
/// compare-and-swap an interrupt, or another core, may get the same one.)
pub(crate) fn next() -> u8 {
    let first = NEXT.load(Ordering::Relaxed);
    // One of 256 is free, unless other threads take them meanwhile, or the count has come round.
    let mut tags = (0..1_u32 << 16).map(|n| first.wrapping_add(n as u8));
    let tag = tags.find(|&tag| {
        // Pairs with `renew`: the count is not below this.
        let last = LAST[usize::from(tag)].load(Ordering::Acquire);
        COUNT.load(Ordering::Relaxed).wrapping_sub(last) >= APART && renew(tag, last)
    });
    let tag = tag.unwrap_or(first);
    NEXT.store(tag.wrapping_add(1), Ordering::Relaxed);
    tag
}

/// A roster has brought this tag along.
pub(crate) fn note(tag: u8) {
    // If another thread is faster, it has renewed the tag as well.
    renew(tag, LAST[usize::from(tag)].load(Ordering::Relaxed));
}

/// Gives a tag, which roster `last` had last, to another; `false` if another thread was faster.
fn renew(tag: u8, last: u32) -> bool {
    let place = &LAST[usize::from(tag)];
    #[cfg(target_has_atomic = "32")]
    {
        let count = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        place.compare_exchange(last, count, Ordering::Release, Ordering::Relaxed).is_ok()
    }
    #[cfg(not(target_has_atomic = "32"))]
    {
        let _ = last;
        let count = COUNT.load(Ordering::Relaxed).wrapping_add(1);
        COUNT.store(count, Ordering::Relaxed);
        place.store(count, Ordering::Release);
        true
    }
}
