//! Checks that the derive makes at compile time, of facts that no macro can see: sizes, and the values of constants.
//!
//! Each check is a trait with the figure as a const argument, implemented for the good figures
//! only. A bad one is then an unimplemented trait, which the compiler reports in the words given
//! here: with the figure in the message, on the user's own tokens, and from `cargo check` (an
//! assertion in a generic function is seen only by those who build it).
//!
//! Evaluating a constant costs time. So every check has a single one, from a function that
//! maps all good figures to one value, and leaves a bad one as it is, to be shown.

use crate::memory::slot::{Link, Slot};

pub use crate::derived::fixed::MOST_SLOTS;
pub use core::marker::Sized;
pub use core::primitive::usize;

/// Bytes of the link in a vacant slot: the least that an element without `pad` may have.
pub const LINK_BYTES: usize = size_of::<Link>();

mod sealed {
    /// The argument of a function in each check. No other crate can name this type, so none can
    /// implement a check, not even one for a parameter of its own.
    pub struct Seal;
}

use sealed::Seal;

/// The subject of every check, and the outcome of one that passed.
pub struct Checked;

/// The outcome of a check that passed over a zero, which is left to the check after it.
pub struct Zero;

/// The size of `T`, or a link's if `T` is larger.
#[must_use]
pub const fn size_up_to_link<T>() -> usize {
    if size_of::<T>() < LINK_BYTES { size_of::<T>() } else { LINK_BYTES }
}

/// A `T` of [`size_up_to_link`] `BYTES` is as large as a link, or else has no size at all.
#[diagnostic::on_unimplemented(
    message = "`{T}` is too small for a pool: a vacant slot holds a link of {LINK} bytes",
    label = "its size in bytes is {BYTES}, and must be {LINK} or more",
    note = "write `#[pool(pad)]` on it to raise its slots to {LINK} bytes; in its pool every `{T}` \
            then takes {LINK} bytes of memory and of cache, not {BYTES}",
    note = "or `#[pool(strategy = pointer_stack)]`, which keeps the links beside the slots",
    note = "or make the element larger: pool the struct that holds the `{T}`, or several as one"
)]
pub trait HoldsLink<T, const BYTES: usize, const LINK: usize = LINK_BYTES> {
    /// [`Checked`], or [`Zero`] for a type without size.
    type Outcome;

    /// Never called.
    fn sealed(_: Seal);
}

#[diagnostic::do_not_recommend]
impl<T> HoldsLink<T, LINK_BYTES> for Checked {
    type Outcome = Self;

    fn sealed(_: Seal) {}
}

#[diagnostic::do_not_recommend]
impl<T> HoldsLink<T, 0> for Checked {
    type Outcome = Zero;

    fn sealed(_: Seal) {}
}

/// `T` has a size.
#[diagnostic::on_unimplemented(
    message = "`{T}` is zero-sized, so there is nothing to pool",
    label = "its size is 0",
    note = "use the value itself, or `Box<{T}>`, which allocates nothing for a value without size",
    note = "or, if each one needs an address of its own, write `#[pool(strategy = free_list, pad)]` on it, with neither `rc` nor a \
            static `capacity`; in its pool every `{T}` then takes {LINK} bytes of memory"
)]
pub trait HasSize<T, const LINK: usize = LINK_BYTES> {
    /// Named by the derive, never called.
    fn check(_: Seal);
}

#[diagnostic::do_not_recommend]
impl<T> HasSize<T> for Checked {
    fn check(_: Seal) {}
}

/// The size that [`HoldsLink`] asks of a `T` whose slots hold no link: 0 for a type without size.
#[must_use]
pub const fn zero_or_link<T>() -> usize {
    if size_of::<T>() == 0 { 0 } else { LINK_BYTES }
}

/// The most slots that handles have numbers for.
pub const MOST_HANDLES: usize = u32::MAX as usize;

/// 1 if a pool of such slots may have `slots`, numbered up to `most`; else `slots`.
///
/// A pointer stack of smaller elements has no more bytes of slots: it keeps a pointer for each.
#[must_use]
pub const fn slots_out_of_range<T>(slots: usize, most: usize) -> usize {
    let fitting = isize::MAX.unsigned_abs() / Slot::<T>::LAYOUT.size();
    if slots == 0 || slots > fitting || slots > most { slots } else { 1 }
}

/// A pool of `T` may have [`slots_out_of_range`] `SLOTS` slots.
#[diagnostic::on_unimplemented(
    message = "a pool of `{T}` cannot have {SLOTS} slots",
    label = "none, or too many",
    note = "write 1 or more, which together take `isize::MAX` bytes at most: `#[pool(..)]` counts slots, not bytes",
    note = "slots have numbers in a roster, up to 4294967295 (`u32::MAX`), and in a static pool with a `capacity`, up to {MOST}",
    note = "or leave the key out, and the pool grows as it needs to"
)]
pub trait SlotsInRange<T, const SLOTS: usize, const MOST: usize = MOST_SLOTS> {
    /// Named by the derive, never called.
    fn check(_: Seal);
}

#[diagnostic::do_not_recommend]
impl<T> SlotsInRange<T, 1> for Checked {
    fn check(_: Seal) {}
}

/// At most 1 if a first chunk of `chunk` slots is within the limit `max`; else `chunk`.
///
/// Whatever is 0 is left to [`SlotsInRange`].
#[must_use]
pub const fn chunk_over_max(chunk: usize, max: usize) -> usize {
    let is_over = chunk > max && max > 0;
    if chunk == 0 || is_over { chunk } else { 1 }
}

/// A first chunk of [`chunk_over_max`] `CHUNK` slots is within the limit `MAX`.
#[diagnostic::on_unimplemented(
    message = "the first chunk of the pool of `{T}`, {CHUNK} slots, is over the pool's limit of {MAX}",
    label = "`chunk` must not exceed `max`",
    note = "lower `chunk`, or raise `max`"
)]
pub trait ChunkWithinMax<T, const CHUNK: usize, const MAX: usize> {
    /// Named by the derive, never called.
    fn check(_: Seal);
}

#[diagnostic::do_not_recommend]
impl<T, const MAX: usize> ChunkWithinMax<T, 1, MAX> for Checked {
    fn check(_: Seal) {}
}

#[diagnostic::do_not_recommend]
impl<T, const MAX: usize> ChunkWithinMax<T, 0, MAX> for Checked {
    fn check(_: Seal) {}
}

/// `slots`, or 1 if a static pool without a heap cannot have that many: the compiler must not lay
/// out what a check refuses.
#[must_use]
pub const fn slots_of_static(slots: usize) -> usize {
    if slots > 0 && slots <= MOST_SLOTS { slots } else { 1 }
}

/// Elements of a static pool may be made in one thread and dropped in another, and the target needs compare-and-swap, or the feature
/// `portable-atomic` in its place.
///
/// The bound asks for the first, and the compiler's own words name the field that is not `Send`. The `impl`, which some targets do
/// not have, asks for the second.
#[diagnostic::on_unimplemented(
    message = "a static pool of `{T}` needs atomic compare-and-swap, which this target does not have",
    label = "this pool is shared",
    note = "turn on typed-pool's feature `portable-atomic`; that crate is configured as its documentation says",
    note = "or keep the elements in a `FreeList` that you own"
)]
#[rustfmt::skip] // The compiler shows this line.
pub trait StaticElement<T: Send> { // use `Arc` for `Rc`, `Mutex` for `RefCell`; or leave out `static`
    /// Named by the derive, never called.
    fn check(_: Seal);
}

#[cfg(any(all(target_has_atomic = "32", not(pool_no_swap)), feature = "portable-atomic"))]
#[diagnostic::do_not_recommend]
impl<T: Send> StaticElement<T> for Checked {
    fn check(_: Seal) {}
}

/// Stands for a mistake in a declaration, which the derive puts in the place of `HERE`: beside it the compiler asks
/// nothing of a generic type, and has no second error.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for the derive")]
pub trait Mistaken<const HERE: usize>: Sized + 'static {}
