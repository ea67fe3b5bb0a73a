//! Types of which all zeros are a value.

#[cfg(feature = "bytemuck")]
pub use bytemuck::Zeroable;

#[cfg(not(feature = "bytemuck"))]
pub use own::Zeroable;

/// Declares a struct of [`Zeroable`](crate::init::Zeroable) fields to be so itself.
///
/// Takes the struct and all its fields: `zeroable!(Name { a, b })`; those of a tuple struct by index,
/// and the parameters of a generic one in brackets before it. Write it where the fields are visible.
///
/// # Errors
///
/// It does not compile if a field is missing or is not `Zeroable`.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init, zeroable};
///
/// struct Cell { height: f32, flags: u8 }
/// zeroable!(Cell { height, flags });
///
/// struct Pair<T>(T, T);
/// zeroable!([T: init::Zeroable] Pair<T> { 0, 1 });
///
/// let pool = FreeList::<[Pair<Cell>; 1000]>::new();
/// let Ok(cells) = pool.init(init::zeroed());
/// assert_eq!((cells[999].1.height, cells[0].0.flags), (0.0, 0));
/// ```
#[macro_export]
macro_rules! zeroable {
    ($([$($parameters:tt)*])? $type:path { $($field:tt),* $(,)? }) => {
        // SAFETY: `Check` compiles, so these are all fields, and all zeros are a value of each.
        unsafe impl $(<$($parameters)*>)? $crate::init::Zeroable for $type {}
        const _: () = {
            trait Check: $crate::__private::Sized {
                fn all_fields() -> Self;
                fn are_zeroable(&self);
            }
            impl $(<$($parameters)*>)? Check for $type {
                fn all_fields() -> Self {
                    Self { $($field: $crate::__private::absent()),* }
                }
                fn are_zeroable(&self) {
                    fn is_zeroable<T: $crate::init::Zeroable>(_field: &T) {}
                    $(is_zeroable(&self.$field);)*
                }
            }
        };
    };
}

#[cfg(not(feature = "bytemuck"))]
mod own {
    use core::cell::{Cell, UnsafeCell};
    use core::marker::{PhantomData, PhantomPinned};
    use core::mem::{ManuallyDrop, MaybeUninit};
    use core::num::{NonZero, Wrapping};
    use core::ptr::NonNull;

    #[cfg(pool_heap)]
    use alloc::boxed::Box;

    /// A type of which all zeros are a valid value, and one that owns nothing.
    ///
    /// Implemented here for the numbers, for what consists of them, and for options of references
    /// and the like. For a struct of your own write [`zeroable!`](crate::zeroable!). With the
    /// feature `bytemuck` this is `bytemuck::Zeroable` itself, so that whatever derives that can be
    /// zeroed; give a type one of the two.
    ///
    /// # Safety
    ///
    /// Memory of zeros is a valid `Self`.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be zeroed: all zeros may not be a valid value of it",
        label = "not known to be valid when all its bits are zero",
        note = "a struct of zeroable fields: write `typed_pool::zeroable!({Self} {{ .. }})` with the names \
                of all its fields, or derive `bytemuck::Zeroable` and enable the feature `bytemuck`",
        note = "else give the field a value, or another initialiser"
    )]
    pub unsafe trait Zeroable: Sized {}

    macro_rules! zeroable {
        ($($({$($parameters:tt)*})? $type:ty,)*) => {$(
            // SAFETY: zero is a value of every number and of `false` and NUL, null one of raw
            // pointers; a wrapper's values are those of what it wraps; `None` is all zeros where
            // the payload's niche is zero, which the library guarantees for these.
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
        {T: ?Sized} Option<&T>,
        {T: ?Sized} Option<&mut T>,
        {T: ?Sized} Option<NonNull<T>>,
        Option<NonZero<u8>>, Option<NonZero<u16>>, Option<NonZero<u32>>, Option<NonZero<u64>>,
        Option<NonZero<u128>>, Option<NonZero<usize>>, Option<NonZero<i8>>, Option<NonZero<i16>>,
        Option<NonZero<i32>>, Option<NonZero<i64>>, Option<NonZero<i128>>, Option<NonZero<isize>>,
    }

    #[cfg(pool_heap)]
    zeroable! { {T: ?Sized} Option<Box<T>>, }

    macro_rules! zeroable_atomics {
        ($($width:literal: $($type:ident $(<$parameter:ident>)?)*;)*) => {$($(
            #[cfg(target_has_atomic = $width)]
            // SAFETY: the values are those of the number, flag or pointer inside.
            unsafe impl $(<$parameter>)? Zeroable for core::sync::atomic::$type $(<$parameter>)? {}
        )*)*};
    }

    zeroable_atomics! {
        "8": AtomicBool AtomicU8 AtomicI8;
        "16": AtomicU16 AtomicI16;
        "32": AtomicU32 AtomicI32;
        "64": AtomicU64 AtomicI64;
        "ptr": AtomicUsize AtomicIsize AtomicPtr<T>;
    }

    macro_rules! zeroable_tuples {
        ($first:ident $($others:ident)*) => {
            // SAFETY: a tuple's values are all combinations of its elements' values.
            unsafe impl<$first: Zeroable $(, $others: Zeroable)*> Zeroable for ($first, $($others,)*) {}
            zeroable_tuples!($($others)*);
        };
        () => {};
    }

    zeroable_tuples!(A B C D E F G H);
}
