//! Tags that tell rosters apart.

use core::sync::atomic::{AtomicU32, Ordering};

/// When a roster last got each tag, or brought it along: after how many others. (The number wraps, which the
/// comparisons here allow for.)
static LAST: [AtomicU32; 1 << 8] = [const { AtomicU32::new(0) }; 1 << 8];

/// How many rosters have got a tag, or brought one along.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The tag that no roster has got, or brought along, for the longest time: of the last 255 none has it.
///
/// (On a target without compare-and-swap an interrupt, or another core, may get the same one.)
pub(crate) fn next() -> u8 {
    loop {
        let now = COUNT.load(Ordering::Relaxed);
        // Negative if another thread was faster.
        let age = |last: u32| now.wrapping_sub(last) as i32;
        let mut oldest = (0, LAST[0].load(Ordering::Relaxed));
        for (tag, last) in (0..=u8::MAX).zip(&LAST) {
            let last = last.load(Ordering::Relaxed);
            if age(last) > age(oldest.1) {
                oldest = (tag, last);
            }
        }
        let (tag, last) = oldest;
        if renew(tag, last) {
            return tag;
        }
    }
}

/// A roster has brought this tag along.
#[cfg(feature = "serde")]
pub(crate) fn note(tag: u8) {
    while !renew(tag, LAST[usize::from(tag)].load(Ordering::Relaxed)) {}
}

/// Makes a tag that was last used at `last` the one that was used last of all; `false` if another thread was
/// faster.
fn renew(tag: u8, last: u32) -> bool {
    let place = &LAST[usize::from(tag)];
    #[cfg(target_has_atomic = "32")]
    {
        let now = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        place.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
    #[cfg(not(target_has_atomic = "32"))]
    {
        let now = COUNT.load(Ordering::Relaxed).wrapping_add(1);
        COUNT.store(now, Ordering::Relaxed);
        place.store(now, Ordering::Relaxed);
        let _ = last;
        true
    }
}
