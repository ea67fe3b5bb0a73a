//! Types for which all zeros are a value.

use core::cell::{Cell, UnsafeCell};
use core::convert::Infallible;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{self, ManuallyDrop, MaybeUninit};
use core::num::{NonZero, Wrapping};
use core::ptr::NonNull;

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use crate::init::Init;

/// A type whose all-zero bytes are a valid value; that value owns nothing.
///
/// Implemented here for numbers, for types that consist of them, and for options of references and the like. For a struct of your
/// own, write `#[derive(Zeroable)]`. Not for atomics: write `field: AtomicU32::new(0)`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, Zeroable, init};
///
/// #[derive(Zeroable)]
/// struct Grid { cells: [[u8; 256]; 256], marked: Option<Box<u8>> }
///
/// let grids = FreeList::<Grid>::new();
/// let Ok(grid) = grids.init(init::zeroed());
/// assert_eq!((grid.cells[255][255], &grid.marked), (0, &None));
/// ```
///
/// # Safety
///
/// Memory of zeros is a valid `Self`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be zeroed: all zeros may not be a valid value of it",
    label = "not known to be valid when all its bits are zero",
    note = "on a struct of zeroable fields: write `#[derive(typed_pool::Zeroable)]`",
    note = "else give the field a value, or another initialiser"
)]
pub unsafe trait Zeroable: Sized {
    /// A value of zeros. A large one is better built in place, by
    /// [`zeroed`](crate::init::zeroed()).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Zeroable;
    ///
    /// assert_eq!(<[u16; 4]>::zeroed(), [0; 4]);
    /// ```
    #[inline]
    #[must_use]
    fn zeroed() -> Self {
        all_zeros()
    }
}

macro_rules! zeroable {
    ($($({$($parameters:tt)*})? $type:ty,)*) => {$(
        // SAFETY: all zeros are a number's 0, `false`, NUL, and a raw pointer's null. A wrapper has the values of what
        // it wraps; a tuple, every combination of its elements' values. All zeros are the `None` of these options, which std
        // guarantees (of pointers to what is `Sized`: `Option`, "Representation").
        unsafe impl $(<$($parameters)*>)? Zeroable for $type {}
    )*};
}

zeroable! {
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, (),
    PhantomPinned,
    {T: ?Sized} PhantomData<T>,
    {T} *const T,
    {T} *mut T,
    {T} MaybeUninit<T>,
    {T: Zeroable} ManuallyDrop<T>,
    {T: Zeroable} Wrapping<T>,
    {T: Zeroable} Cell<T>,
    {T: Zeroable} UnsafeCell<T>,
    {T: Zeroable, const N: usize} [T; N],
    {T} Option<&T>,
    {T} Option<&mut T>,
    {T} Option<NonNull<T>>,
    Option<NonZero<u8>>, Option<NonZero<u16>>, Option<NonZero<u32>>, Option<NonZero<u64>>,
    Option<NonZero<u128>>, Option<NonZero<usize>>, Option<NonZero<i8>>, Option<NonZero<i16>>,
    Option<NonZero<i32>>, Option<NonZero<i64>>, Option<NonZero<i128>>, Option<NonZero<isize>>,
}

#[cfg(feature = "alloc")]
zeroable! { {T} Option<Box<T>>, }

macro_rules! zeroable_tuples {
    ($first:ident $($others:ident)*) => {
        zeroable! { {$first: Zeroable $(, $others: Zeroable)*} ($first, $($others,)*), }
        zeroable_tuples!($($others)*);
    };
    () => {};
}

zeroable_tuples!(A B C D E F G H);
/// The code of `#[derive(Zeroable)]`: the struct taken apart, as fragments to which nothing can be added.
///
/// # Why no tokens break it
///
/// It can be called by hand, with any tokens. The one `unsafe impl` proves what it claims within itself, under
/// its own parameters and bounds, so that nothing can be implemented which was not checked. It compiles only
/// if
///
/// 1. `Self` is a struct: `Self { ..base }` is an error for all else;
/// 2. every field of it is named once (E0063, E0062);
/// 3. zeros are a value of each (`zeroable_field`). By 1 and 2 the field of that name in `@fields` is that field, and goes through
///    no `Deref`.
///
/// The fragments are names, lifetimes, paths and types. To the compiler each is one thing, and no part of it
/// can end the declaration and begin another one. An argument is one token, or what stands in one pair of brackets, with a
/// comma behind it: what it might end cannot go on with a comma.
#[doc(hidden)]
#[macro_export]
macro_rules! __zeroable {
    (
        $name:ident
        [$($lifetime:lifetime)*] [$($parameter:ident)*] [$($constant:ident: $of:ty,)*] [$($argument:tt)*]
        where
        [$($longer:lifetime: $shorter:lifetime,)*]
        [$(for [$($any:lifetime)*] $outliving:ty: $outlived:lifetime,)*]
        [$(for [$($every:lifetime)*] $bounded:ty: $bound:path,)*]
        [$($unsized:ty,)*]
        [$($zeroable:ty,)*]
        [$($field:tt: $of_field:ty,)*]
    ) => {
        // SAFETY: `zeroed` compiles, so these are all fields of a struct, and zeros are a value of each.
        #[automatically_derived]
        unsafe impl<$($lifetime,)* $($parameter,)* $(const $constant: $of,)*> $crate::init::Zeroable
            for $name<$($lifetime,)* $($argument,)*>
        where
            $($longer: $shorter,)*
            $(for<$($any),*> $outliving: $outlived,)*
            $(for<$($every),*> $bounded: $bound,)*
            $($unsized: ?$crate::__private::Sized,)*
            $($zeroable: $crate::init::Zeroable,)*
        {
            #[inline]
            fn zeroed() -> Self {
                let _ = || Self { $($field: $crate::__private::absent(),)* };
                #[allow(clippy::needless_update)]
                let _ = || {
                    $crate::__private::never();
                    Self { ..$crate::__private::absent() }
                };
                // No code calls it, so it reads no field for the lint that looks for those which are never read. The argument brings
                // bounds; a name for it could be one of the user's constants.
                fn __fields<$($lifetime,)* $($parameter,)* $(const $constant: $of,)*>(
                    _: &$name<$($lifetime,)* $($argument,)*>,
                )
                where
                    $($longer: $shorter,)*
                    $(for<$($any),*> $outliving: $outlived,)*
                    $(for<$($every),*> $bounded: $bound,)*
                    $($unsized: ?$crate::__private::Sized,)*
                    $($zeroable: $crate::init::Zeroable,)*
                {
                    $crate::__zeroable!(@fields $name<$($lifetime,)* $($argument,)*> [$($field: $of_field,)*]);
                }
                $crate::__private::all_zeros()
            }
        }
    };
    (@fields $whole:ty [$($field:tt: $of_field:ty,)*]) => {
        $($crate::__private::zeroable_field::<$of_field>(&raw const $crate::__private::absent::<&$whole>().$field);)*
    };
}

/// Compiles for a field of the type `F`. By pointer: a value, or a reference, might be coerced to an `F`.
pub fn zeroable_field<F: Zeroable>(_field: *const F) {}

/// A `T` of zeros.
#[inline]
#[must_use]
pub fn all_zeros<T: Zeroable>() -> T {
    // SAFETY: zeros are a value of it.
    unsafe { mem::zeroed() }
}

/// The initialiser that [`zeroed`] returns, for use after `..` in [`init!`](crate::init!).
#[derive(Debug)]
#[must_use = "an initialiser does nothing until it is given a place"]
pub struct Zeroed<T>(PhantomData<fn() -> T>);

// SAFETY: 1. all zeros are a valid `T` (`Zeroable`); 2. it does not fail; 3. it keeps no pointer.
unsafe impl<T: Zeroable> Init<T> for Zeroed<T> {
    #[inline(always)]
    unsafe fn init(self, place: *mut T) -> Result<(), Infallible> {
        // SAFETY: the place is valid for a write (caller).
        unsafe { place.write_bytes(0, 1) };
        Ok(())
    }
}

/// An initialiser that writes a `T` of zeros in place, by one `memset`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// let pool = FreeList::<[[u32; 256]; 256]>::new();
/// let Ok(map) = pool.init(init::zeroed());
/// assert_eq!(map[255][255], 0);
/// ```
#[inline]
pub fn zeroed<T: Zeroable>() -> Zeroed<T> {
    Zeroed(PhantomData)
}
