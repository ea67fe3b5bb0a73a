//! Tags that tell rosters apart.

use core::sync::atomic::{AtomicU8, Ordering};

static NEXT: AtomicU8 = AtomicU8::new(0);

/// The next tag in turn.
///
/// Two rosters have the same tag only if 255 others came between them, or a multiple of that. (On a
/// target without atomic addition an interrupt, or another core, may get the same one.)
pub(crate) fn next() -> u8 {
    #[cfg(target_has_atomic = "8")]
    let tag = NEXT.fetch_add(1, Ordering::Relaxed);
    #[cfg(not(target_has_atomic = "8"))]
    let tag = {
        let tag = NEXT.load(Ordering::Relaxed);
        NEXT.store(tag.wrapping_add(1), Ordering::Relaxed);
        tag
    };
    tag
}

/// Goes on behind a tag that has come from elsewhere, unless that is a long way off.
#[cfg(feature = "serde")]
pub(crate) fn pass(tag: u8) {
    let behind = |next: u8| (tag.wrapping_sub(next) < 128).then(|| tag.wrapping_add(1));
    #[cfg(target_has_atomic = "8")]
    let _ = NEXT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, behind);
    #[cfg(not(target_has_atomic = "8"))]
    if let Some(next) = behind(NEXT.load(Ordering::Relaxed)) {
        NEXT.store(next, Ordering::Relaxed);
    }
}
