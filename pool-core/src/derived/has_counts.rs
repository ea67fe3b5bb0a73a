//! What the compiler says where the slots of a pool have no room for counts.
//!
//! It is asked of [`SlotsOf<T>`], so that the compiler does not spell out what the storage is made of. `Hidden` is as in
//! `derived/underived`.

use crate::derived::pooled::Pooled;
use crate::derived::storage::{CountedStorage, SharedStorage, SlotsOf};

/// The slots of a pool with room for counts.
///
/// # Safety
///
/// The slots of the pool of `T` have room for counts.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolRc<{T}>` needs `#[pool(rc)]` on `{T}`",
    label = "`{T}` is not declared with `rc`",
    note = "with `rc`, each slot of the pool has room for the two counts: two words more, or the element's alignment",
    note = "or keep a `PoolBox<{T}>`, if it has one owner",
    note = "in generic code, where `{T}` is a parameter, write `{T}: RefCountedBy<Plain>`, from the module `rc`"
)]
pub unsafe trait HasCounts<T, Hidden: ?Sized = dyn Send> {}

// SAFETY: `CountedStorage` says so.
#[diagnostic::do_not_recommend]
unsafe impl<T: Pooled<__Storage: CountedStorage<T>>> HasCounts<T> for SlotsOf<T> {}

/// The same, and for all threads.
///
/// # Safety
///
/// The slots of the pool of `T` have room for counts, and any thread may free them.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a `PoolArc<{T}>` needs `#[pool(static, rc)]` on `{T}`",
    label = "`{T}` is not declared with both `static` and `rc`",
    note = "with these there is one pool for all threads, whose slots have room for counts",
    note = "or use `PoolRc<{T}>`, which stays on its thread, with `#[pool(rc)]`",
    note = "in generic code, where `{T}` is a parameter, write `{T}: RefCountedBy<Atomic>`, from the module `rc`"
)]
pub unsafe trait HasSharedCounts<T, Hidden: ?Sized = dyn Send> {}

// SAFETY: `CountedStorage` says so, and `SharedStorage`.
#[diagnostic::do_not_recommend]
unsafe impl<T> HasSharedCounts<T> for SlotsOf<T> where
    T: Pooled<__Storage: CountedStorage<T> + SharedStorage<T>>
{
}
