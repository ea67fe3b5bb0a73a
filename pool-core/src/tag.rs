//! Tags that tell rosters apart.

use core::sync::atomic::{AtomicU8, Ordering};

/// The next tag in turn.
///
/// Two rosters have the same tag only if 255 others came between them, or a multiple of that. (On a
/// target without atomic addition an interrupt, or another core, may get the same one.)
pub(crate) fn next() -> u8 {
    static NEXT: AtomicU8 = AtomicU8::new(0);
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
