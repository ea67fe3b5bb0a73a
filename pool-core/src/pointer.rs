//! Owning pointers into a pool, generic over [`Pool`], and the counts of those that share.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::base::copied;
use crate::base::exhausted::Exhausted;
use crate::base::sealed::Sealed;

pub(crate) mod boxed;
pub(crate) mod ref_counts;
pub(crate) mod unsize;

/// A pool that a [`PoolBoxIn`](crate::PoolBoxIn) can belong to: [`OwnPool`], `ByLayout`, `SharedByLayout`,
/// `InFrame`, a reference to an owned pool, or an `Rc` of one.
///
/// It stands where `Allocator` stands in `Box<T, A>`. Sealed: its methods are not for calling.
///
/// # Safety
///
/// A slot from `acquire` has room for a `T`, and belongs to the caller alone until it is released. The slot stays where it is until
/// this `Self` is dropped, wherever `Self` is moved; if `Self` is forgotten, for as long as the data that it borrows.
///
/// An element may be released as one of a supertype of `T`. If `Sent` is `Send`, so is `T`, and a slot may be released in any
/// thread; if `Sent` is `Sync`, so is `T`, and `Self` has no state. If `Self` is `Send`, a slot without an element may be released
/// in any thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pool of `{T}`",
    label = "no box can belong to it",
    note = "a box of an owned pool borrows it, or keeps it alive: `P` is `&FreeList<T>` or `Rc<FreeList<T>>`; the same goes for a \
            `PointerStack`, and neither can be shared between threads, in an `Arc`",
    note = "for boxes that leave their thread derive `Pooled` on the element, with `#[pool(static)]`",
    note = "a trait object or a slice lies in no pool of one type: take an `any::Box`, which is for all types, or derive `Pooled` on \
            the element, with `PoolObject` as the trait's supertrait"
)]
pub unsafe trait Pool<T: ?Sized>: Sealed {
    /// A type that is `Send` or `Sync` where a box in this pool is: the element's, or one that says why not.
    #[doc(hidden)]
    type Sent: ?Sized;

    /// Takes a slot; `None` if there is none ([`Pool::exhausted`] says why).
    #[doc(hidden)]
    #[track_caller]
    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized;

    /// Panics if it is found that the slot cannot be released. Called where [`IS_CHECKED`] says so, before an element is
    /// dropped or moved out; `release` looks for itself.
    ///
    /// [`IS_CHECKED`]: crate::base::watch::IS_CHECKED
    ///
    /// # Safety
    ///
    /// If `T` has no size, `slot` came from [`Pool::acquire`] of this pool, as one to the `T` that it was.
    #[doc(hidden)]
    #[track_caller]
    unsafe fn verify(&self, slot: NonNull<T>);

    /// Takes a slot back. The element has been dropped or moved out.
    ///
    /// # Safety
    ///
    /// 1. `slot` came from [`Pool::acquire`] of this pool and has not been released since.
    /// 2. It is good for writing a `T` and a link, as the pointer from `acquire` is.
    /// 3. Nothing uses the slot any more.
    #[doc(hidden)]
    unsafe fn release(&self, slot: NonNull<T>);

    /// [`Pool::release`] of a slot in which no element was ever made, without a reference to it: `T` may be a type without values.
    ///
    /// # Safety
    ///
    /// As for [`Pool::release`].
    #[doc(hidden)]
    unsafe fn release_vacant(&self, slot: NonNull<T>)
    where
        T: Sized,
    {
        // SAFETY: the caller gives up a slot of this pool.
        unsafe { self.release(slot) };
    }

    /// Why `acquire` has just returned `None`.
    #[doc(hidden)]
    fn exhausted(&self) -> Exhausted
    where
        T: Sized;
}

/// A pool named by a zero-sized marker, so that a box in it is one word, and is made without a pool at hand. Sealed; for reading
/// signatures.
///
/// # Safety
///
/// If an unsizing coercion turns an element of the pool into a `U`, [`PoolMarker::Of`] may release it as a `U`. The facts about the
/// element's own type that this needs come from the pointer to the `U` alone: the element may be gone, or not made yet.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a pool that is a value: its boxes are made by `PoolBoxIn::new_in(value, pool)`, and become no trait objects",
    label = "a pool that is a value",
    note = "for trait objects take an `any::Box`, or derive `Pooled` on the element, with `PoolObject` as the trait's supertrait"
)]
pub unsafe trait PoolMarker<T: ?Sized>: Pool<T> + Copy {
    /// The marker.
    #[doc(hidden)]
    const HERE: Self;

    /// The same pool, or pools, where the element has become a `U`.
    #[doc(hidden)]
    type Of<U: ?Sized>;
}

/// The pool that `#[derive(Pooled)]` made for `T`, to which a `PoolBox<T>` belongs. For a trait object, the pool of its concrete
/// type.
///
/// A zero-sized marker. It is invariant in `T`, which names the pool: `fn(&'static u8)` and `for<'a> fn(&'a u8)` are types with a
/// pool each, and one is a subtype of the other. If `OwnPool` were covariant, a box could be freed into the other pool.
///
/// # Examples
///
/// ```
/// use typed_pool::{OwnPool, PoolBox, PoolBoxIn, Pooled};
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// // The same type, written out.
/// let bullet: PoolBoxIn<Bullet, OwnPool<Bullet>> = PoolBox::new(Bullet([0.0; 4]));
/// assert_eq!(size_of_val(&bullet), size_of::<usize>());
/// ```
#[derive(Debug)]
pub struct OwnPool<T: ?Sized>(pub(crate) PhantomData<fn(*mut T)>);

copied!([T: ?Sized] OwnPool[T]);

impl<T: ?Sized> Sealed for OwnPool<T> {}

/// Panics because `acquire` has just returned `None`; or ends as `Box` does if the heap has no room. Drops the value that has no slot on
/// its way, so that the caller does not have to.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn panic_exhausted<V, T, P: Pool<T>>(value: V, pool: &P) -> ! {
    let _value = value;
    pool.exhausted().raise()
}
