//! Construction in place: a value is built where it will live, field by field, and never moved.
//!
//! `pool.alloc(Big { .. })` builds a `Big` on the stack and moves it into its slot. An optimised
//! build mostly leaves the move out; a debug build does not. An *initialiser*, an [`Init`],
//! is told the place first. What [`init!`](crate::init!) and [`try_init!`](crate::try_init!) make
//! goes straight there, **at every optimisation level**:
//!
//! ```
//! use typed_pool::{Pooled, init};
//!
//! #[derive(Pooled)]
//! struct Level { id: u32, cells: [u8; 1 << 20], heights: [f32; 4096] }
//!
//! // On a stack that a `Level` would overflow.
//! std::thread::Builder::new().stack_size(64 * 1024).spawn(|| {
//!     let Ok(level) = Level::pool_init(init!(Level {
//!         id: 7,
//!         cells <- init::zeroed(),
//!         heights <- init::from_fn(|i| i as f32),
//!     }));
//!     assert_eq!((level.id, level.cells[9], level.heights[100]), (7, 0, 100.0));
//! }).unwrap().join().unwrap();
//! ```
//!
//! An initialiser does nothing until it is given to something with a place:
//! [`Pooled::pool_init`], [`PoolBox::init`](crate::PoolBox::init),
//! [`FreeList::init`](crate::FreeList::init) or [`Vacant::init`](crate::Vacant::init). If it fails or unwinds, the
//! fields that it had built are dropped, the last one first, and the place is given back. (A complete field drops as usual: an array from its first element on. An incomplete
//! array drops its last element first.)
//!
//! # What goes in place
//!
//! A field written `field <- initialiser` is built in its place. A field written `field: value` is an ordinary
//! expression, whose value is moved there when it is complete: right for numbers, handles and vectors, wrong for a
//! large array. Each function here says which of the two it does.
//!
//! # Pinned
//!
//! An initialiser promises a value that may still be moved. So [`Pooled::pool_pin_init`] and [`PoolBox::into_pin`] take
//! any, for types that are `Unpin` or not; do what needs the final address on the `Pin` that they return, or
//! write [`init!(&this in ..)`](crate::init!), which has the address while the fields are built. (A field that has to
//! be pinned while it is built, such as an intrusive lock, is beyond this module; the crate `pinned-init` is made for
//! that.)
//!
//! # Coming from pinned-init
//!
//! | `pinned-init` | here |
//! |---|---|
//! | `init!`, `try_init!`, `&this in` | the same |
//! | `pin_init!`, `try_pin_init!` | [`init!`](crate::init!) and [`try_init!`](crate::try_init!): what they make can be pinned |
//! | `init_from_closure`, `pin_init_from_closure` | [`from_closure`], `unsafe` as there |
//! | `init_array_from_fn` | [`array()`], or [`from_fn`] for values |
//! | `zeroed`, `..Zeroable::zeroed()` | [`zeroed`], `..init::zeroed()` |
//! | `chain`, `pin_chain` | none: go on with the box that `pool_init` or `pool_pin_init` returns |
//! | `InPlaceInit` | none: `PoolBox::init`, `any::Box::init`, or [`Init::init`] on a `Box::new_uninit()` |
//! | `stack_pin_init!` | none: `std::pin::pin!` of a value, or a pool |
//! | `#[pin_data]`, `#[pinned_drop]` | none: a field that has to be pinned while it is built is that crate's |
//! | a value as an initialiser | `field: value`, or [`value`] |
//!
//! # Values are not initialisers
//!
//! `T` does not implement `Init<T>`: `<-` would then silently go over the stack, which it is there to avoid.
//! [`value`] makes that explicit.
//!
//! [`Pooled::pool_init`]: crate::Pooled::pool_init
//! [`Pooled::pool_pin_init`]: crate::Pooled::pool_pin_init
//! [`PoolBox::into_pin`]: crate::PoolBox::into_pin

use core::convert::Infallible;

#[allow(missing_debug_implementations, reason = "hidden, for `init!`")]
pub(crate) mod field;
mod macros;
pub(crate) mod value;
pub(crate) mod zeroable;

pub use value::{TryInitError, array, from_closure, from_fn, try_with, value, with};
pub use zeroable::{Zeroable, Zeroed, zeroed};

/// An initialiser: builds a `T` in a place that it is given, or fails with an `E`.
///
/// Made by [`init!`](crate::init!) and [`try_init!`](crate::try_init!), and by the functions of the
/// module [`init`](mod@crate::init). A constructor that builds in place returns one:
///
/// ```
/// use typed_pool::{FreeList, Init, init};
///
/// struct Grid { width: usize, cells: [u16; 10_000] }
///
/// impl Grid {
///     fn new(width: usize) -> impl Init<Self> {
///         init!(Self { width, cells <- init::from_fn(move |i| (i % width) as u16) })
///     }
/// }
///
/// let grids = FreeList::new();
/// let Ok(grid) = grids.init(Grid::new(100));
/// assert_eq!((grid.width, grid.cells[101]), (100, 1));
/// ```
///
/// # Safety
///
/// An implementation of [`Init::init`] keeps these promises:
///
/// 1. If it returns `Ok`, there is a valid `T` at the place.
/// 2. If it returns `Err` or unwinds, the place holds nothing that has to be dropped.
/// 3. It does not read the place before it has written there, nor use the place after it has returned: the `T` may
///    be moved then. (The `T` itself may know its address, and use it once it is pinned: `init!(&this in ..)`.)
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an initialiser of `{T}`",
    label = "does not build a `{T}` in place",
    note = "`<-` and the `init` functions take an initialiser: `init!(..)`, `try_init!(.. ? Error)`, or a \
            function of the module `init`",
    note = "a plain value is written `field: value`; as an initialiser it is `init::value(..)`"
)]
#[must_use = "an initialiser does nothing until it is given a place"]
pub unsafe trait Init<T, E = Infallible>: Sized {
    /// Builds a `T` at `place`.
    ///
    /// # Errors
    ///
    /// Whatever the initialiser fails with. There is no `T` at `place` then.
    ///
    /// # Safety
    ///
    /// 1. `place` is aligned for a `T`, and valid for reads and writes of one.
    /// 2. No other code uses the memory during the call. What lies there is not dropped.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::mem::MaybeUninit;
    /// use typed_pool::{Init, init};
    ///
    /// let mut place = MaybeUninit::<[u64; 3]>::uninit();
    /// // SAFETY: 1. `place` has the layout of the array; 2. it is this function's own.
    /// let Ok(()) = unsafe { init::from_fn(|i| i as u64).init(place.as_mut_ptr()) };
    /// // SAFETY: the initialiser has returned `Ok`.
    /// assert_eq!(unsafe { place.assume_init() }, [0, 1, 2]);
    /// ```
    unsafe fn init(self, place: *mut T) -> Result<(), E>;
}
