//! Leaks that a test makes on purpose, and a leak checker may know of.

use std::sync::{Mutex, PoisonError};

use typed_pool::{PoolBox, Pooled};

/// Leaks the box. Its address stays in a static, so LeakSanitizer takes the chunk for used.
pub(crate) fn leak<T: Pooled + 'static>(boxed: PoolBox<T>) {
    static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

    let address = (&raw const *PoolBox::leak(boxed)).addr();
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(address);
}
