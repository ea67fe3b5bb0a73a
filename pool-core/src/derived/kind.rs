//! The kinds of pools, by what they hand out.

use crate::derived::storage::Storage;
use crate::pointer::pool::sealed::Sealed;

/// What a pool hands out: [`Boxes`] or [`RosterHandles`], and nothing else.
///
/// For code that is generic over both: it can ask for figures and manage memory.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolKind, Pooled};
///
/// fn live<K: PoolKind, T: Pooled<K>>() -> usize {
///     T::pool_stats().live
/// }
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// assert_eq!(live::<_, Bullet>(), 0);
/// ```
pub trait PoolKind: Sealed + 'static {
    /// What the pool's key is to code that knows the kind alone.
    #[doc(hidden)]
    type View<T, S: Storage<T>>: Copy;
}

/// The kind of pool that hands out boxes: `T: Pooled` is short for `T: Pooled<Boxes>`.
///
/// A marker, never constructed. The strategy decides the kind: `free_list` and `pointer_stack`
/// have boxes.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// fn spawn<T: Pooled + Default>(count: usize) -> Vec<PoolBox<T>> {
///     (0..count).map(|_| T::pool_alloc()).collect()
/// }
///
/// #[derive(Pooled, Default)]
/// struct Bullet([f32; 4]);
///
/// assert_eq!(spawn::<Bullet>(3).len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boxes {}

impl Sealed for Boxes {}

impl PoolKind for Boxes {
    type View<T, S: Storage<T>> = S::Boxes;
}

/// The kind of pool that hands out handles: of types with `strategy = roster`.
///
/// A marker, never constructed.
///
/// # Examples
///
/// ```
/// use typed_pool::{Handle, Pooled, RosterHandles};
///
/// fn spawn<T: Pooled<RosterHandles> + Default>(count: usize) -> Vec<Handle<T>> {
///     (0..count).map(|_| T::pool_insert(T::default())).collect()
/// }
///
/// #[derive(Pooled, Default)]
/// #[pool(strategy = roster)]
/// struct Monster { health: i32 }
///
/// assert_eq!(spawn::<Monster>(3).len(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RosterHandles {}

impl Sealed for RosterHandles {}

impl PoolKind for RosterHandles {
    type View<T, S: Storage<T>> = S::Roster;
}
