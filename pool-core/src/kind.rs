//! The kinds of pools, by what they hand out.

/// The kind of pool that hands out boxes: `T: Pooled` is short for `T: Pooled<Boxes>`.
///
/// A marker, never constructed. The strategy decides the kind: `free_list` has boxes.
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
