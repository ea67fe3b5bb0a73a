//! In place of `membarrier.rs` where the system does not put fences into threads, and in models: each thread has its own.

use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::fence;

#[inline(always)]
pub(super) fn fence_reader() {
    if !cfg!(pool_seed_no_fence) {
        fence(Ordering::SeqCst);
    }
}

pub(super) fn can_fence_all() -> bool {
    true
}

pub(super) fn fence_all() -> bool {
    fence_reader();
    true
}
