//! Boxes of any type in files: as their element.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::derived::any::AnyBox;
use crate::derived::by_layout::AnyLength;
use crate::pointer::boxed::PoolBox;
use crate::pointer::pool::Pool;

/// As its element.
impl<T: Serialize + ?Sized, P: Pool<T>> Serialize for AnyBox<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Reads an element into a slot, as a [`PoolBox`] does.
impl<'de, T: Deserialize<'de>, P: Pool<T> + Copy + Default> Deserialize<'de> for AnyBox<T, P> {
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PoolBox::deserialize(deserializer).map(Self::from)
    }

    fn deserialize_in_place<D: Deserializer<'de>>(
        deserializer: D,
        place: &mut Self,
    ) -> Result<(), D::Error> {
        T::deserialize_in_place(deserializer, place)
    }
}

/// Reads the elements on the heap, and moves them into one slot.
#[allow(private_bounds, reason = "that is what seals it")]
impl<'de, T: Deserialize<'de>, P: AnyLength + Pool<[T]>> Deserialize<'de> for AnyBox<[T], P> {
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A call, not `map`, whose line it would be.
        Ok(Self::from(Vec::deserialize(deserializer)?))
    }
}

#[allow(private_bounds, reason = "that is what seals it")]
impl<'de, P: AnyLength + Pool<str>> Deserialize<'de> for AnyBox<str, P> {
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(String::deserialize(deserializer)?))
    }
}
