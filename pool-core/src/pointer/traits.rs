//! The traits that a pointer forwards to what it points to.

/// The traits of every pointer of this crate, as `Arc` and `Rc` have them. A doc comment in front of the brackets goes to
/// `PartialEq`.
macro_rules! pointer_traits {
    ($(#[$eq:meta])* [$($parameters:tt)*] $Pointer:ty) => {
        impl<$($parameters)*> AsRef<T> for $Pointer {
            fn as_ref(&self) -> &T {
                self
            }
        }

        impl<$($parameters)*> core::borrow::Borrow<T> for $Pointer {
            fn borrow(&self) -> &T {
                self
            }
        }

        impl<$($parameters)*> core::fmt::Debug for $Pointer
        where
            T: core::fmt::Debug,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<$($parameters)*> core::fmt::Display for $Pointer
        where
            T: core::fmt::Display,
        {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<$($parameters)*> core::fmt::Pointer for $Pointer {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::ptr::from_ref::<T>(self).fmt(f)
            }
        }

        $(#[$eq])*
        impl<$($parameters)*> PartialEq for $Pointer
        where
            T: PartialEq,
        {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl<$($parameters)*> Eq for $Pointer where T: Eq {}

        impl<$($parameters)*> PartialOrd for $Pointer
        where
            T: PartialOrd,
        {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                (**self).partial_cmp(other)
            }
        }

        impl<$($parameters)*> Ord for $Pointer
        where
            T: Ord,
        {
            #[inline]
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                (**self).cmp(other)
            }
        }

        impl<$($parameters)*> core::hash::Hash for $Pointer
        where
            T: core::hash::Hash,
        {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                (**self).hash(state);
            }
        }

        impl<$($parameters)*> core::error::Error for $Pointer
        where
            T: core::error::Error,
        {
            fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                (**self).source()
            }
        }

        // The pointer may move while what it points to stays.
        impl<$($parameters)*> Unpin for $Pointer {}
    };
}
pub(crate) use pointer_traits;
