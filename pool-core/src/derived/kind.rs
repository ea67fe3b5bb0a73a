//! The kinds of pools, by what they hand out.

use crate::derived::pooled::Pooled;

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

/// The kind of pool that hands out handles: that of types with `strategy = roster`.
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

/// Stands for a mistake in a declaration, which the derive puts in the place of `HERE`: beside it the compiler asks
/// nothing of a generic type, and has no second error.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for the derive")]
pub trait Mistaken<const HERE: usize>: Sized + 'static {}

/// `Pooled<Boxes>`, with words of its own where a type has a pool of the other kind.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no boxes: the strategy of its pool is `roster`, which hands out handles",
    label = "not with `strategy = roster`",
    note = "use `{Self}::pool_insert`, and keep a `Handle<{Self}>`",
    note = "or write `strategy = free_list` or `strategy = pointer_stack` in `#[pool(..)]` on `{Self}`",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: Pooled`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasBoxes: Pooled<Boxes> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<Boxes>> HasBoxes for T {}

/// `Pooled<RosterHandles>`, with words of its own where a type has a pool of the other kind.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no handles: the strategy of its pool hands out boxes",
    label = "only with `strategy = roster`",
    note = "write `#[pool(strategy = roster)]` on `{Self}`",
    note = "or use `{Self}::pool_alloc_with`, and keep a `PoolBox<{Self}>`: in a `Vec`, if all of them are \
            to be iterated over",
    note = "in generic code, where `{Self}` is a parameter, write `{Self}: Pooled<RosterHandles>`"
)]
#[allow(unnameable_types, reason = "it is there for its message")]
pub trait HasHandles: Pooled<RosterHandles> {}

#[diagnostic::do_not_recommend]
impl<T: Pooled<RosterHandles>> HasHandles for T {}
