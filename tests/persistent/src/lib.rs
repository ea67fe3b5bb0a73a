//! `archery`'s pointers over [`any::Rc`] and [`any::Arc`]: what a library that is generic over its shared pointers asks for,
//! and so what lets its collections live on pools by layout. `tests` compares `rpds`' collections on them with the same on
//! the pointers of std.
//!
//! The trait erases the element's type, as a derive could not: its functions have no bound at all.

use core::fmt;
use core::mem::ManuallyDrop;
use core::ptr;

use archery::SharedPointerKind;
use typed_pool::any;

macro_rules! kinds {
    ($($(#[$attribute:meta])* $kind:ident = $pointer:ident;)*) => {$(
        $(#[$attribute])*
        pub struct $kind {
            /// From `into_raw`, and owns a count.
            element: *const (),
        }

        impl $kind {
            #[inline(always)]
            fn of<T>(pointer: any::$pointer<T>) -> Self {
                Self { element: any::$pointer::into_raw(pointer).cast() }
            }

            /// A pointer to the same element, which owns no count of its own.
            ///
            /// # Safety
            ///
            /// `T` is the type that this was made with.
            #[inline(always)]
            unsafe fn peek<T>(&self) -> ManuallyDrop<any::$pointer<T>> {
                // SAFETY: from `into_raw` of the same type, as the caller promises, and its count is not given up.
                ManuallyDrop::new(unsafe { any::$pointer::from_raw(self.element.cast()) })
            }

            /// Calls `f` with the pointer, which may become another one.
            ///
            /// # Safety
            ///
            /// `T` is the type that this was made with.
            #[inline(always)]
            unsafe fn lend<T, R>(&mut self, f: impl FnOnce(&mut any::$pointer<T>) -> R) -> R {
                /// Takes note of what the pointer has become, even where `f` panics.
                struct Lent<'k, T>(&'k mut $kind, ManuallyDrop<any::$pointer<T>>);

                impl<T> Drop for Lent<'_, T> {
                    #[inline(always)]
                    fn drop(&mut self) {
                        self.0.element = any::$pointer::as_ptr(&self.1).cast();
                    }
                }

                // SAFETY: the caller's promise is the same.
                let pointer = unsafe { self.peek() };
                f(&mut Lent(self, pointer).1)
            }
        }

        // SAFETY: elements stay where they are, `&mut T` comes from the functions that return one and from nowhere else, and
        // `drop` drops the element in its place.
        unsafe impl SharedPointerKind for $kind {
            #[inline(always)]
            fn new<T>(value: T) -> Self {
                Self::of(any::$pointer::new(value))
            }

            #[inline(always)]
            fn from_box<T>(value: Box<T>) -> Self {
                Self::new(*value)
            }

            #[inline(always)]
            unsafe fn as_ptr<T>(&self) -> *const T {
                self.element.cast()
            }

            #[inline(always)]
            unsafe fn deref<T>(&self) -> &T {
                // SAFETY: `element` is a `T`, as the caller promises, and lives as long as this owns a count.
                unsafe { &*self.element.cast::<T>() }
            }

            #[inline(always)]
            unsafe fn try_unwrap<T>(self) -> Result<T, Self> {
                // SAFETY: the caller's promise is the same.
                let pointer = unsafe { self.peek() };
                // The count goes with the pointer: `self` ends here, and has no destructor.
                any::$pointer::try_unwrap(ManuallyDrop::into_inner(pointer)).map_err(Self::of)
            }

            #[inline(always)]
            unsafe fn get_mut<T>(&mut self) -> Option<&mut T> {
                let get = |pointer: &mut any::$pointer<T>| any::$pointer::get_mut(pointer).map(ptr::from_mut);
                // SAFETY: the caller's promise is the same.
                let value = unsafe { self.lend(get) };
                // SAFETY: no other pointer has a count, and `self` is borrowed as long as the reference lives.
                value.map(|value| unsafe { &mut *value })
            }

            #[inline(always)]
            unsafe fn make_mut<T: Clone>(&mut self) -> &mut T {
                let make = |pointer: &mut any::$pointer<T>| ptr::from_mut(any::$pointer::make_mut(pointer));
                // SAFETY: the caller's promise is the same.
                let value = unsafe { self.lend(make) };
                // SAFETY: no other pointer has a count, and `self` is borrowed as long as the reference lives.
                unsafe { &mut *value }
            }

            #[inline(always)]
            unsafe fn strong_count<T>(&self) -> usize {
                // SAFETY: the caller's promise is the same.
                let pointer = unsafe { self.peek::<T>() };
                any::$pointer::strong_count(&*pointer)
            }

            #[inline(always)]
            unsafe fn clone<T>(&self) -> Self {
                // SAFETY: the caller's promise is the same.
                let pointer = unsafe { self.peek::<T>() };
                Self::of(any::$pointer::clone(&*pointer))
            }

            #[inline(always)]
            unsafe fn drop<T>(&mut self) {
                // SAFETY: the caller's promise is the same.
                drop(ManuallyDrop::into_inner(unsafe { self.peek::<T>() }));
            }
        }

        impl fmt::Debug for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($kind))
            }
        }
    )*};
}

kinds! {
    /// [`any::Rc`], in pools of the thread's own.
    RcPool = Rc;
    /// [`any::Arc`], in pools that all threads share.
    ArcPool = Arc;
}

// SAFETY: an `any::Arc<T>` may be sent where `T: Send + Sync`, and archery asks for both.
unsafe impl Send for ArcPool {}

// SAFETY: as above.
unsafe impl Sync for ArcPool {}
