//! Boxes in files: as their element.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, PoolMarker};

/// As its element, like `Box`.
impl<T: Serialize + ?Sized, P: Pool<T>> Serialize for PoolBox<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Reads an element into a slot of the pool that the box's type names. The slot is reserved first, so a parent comes before
/// its children.
///
/// A pool that is full is an error, with the text of [`Exhausted`](crate::Exhausted). If reading fails, the slots of all that was
/// read go back.
///
/// A value that is read over another (`deserialize_in_place`) keeps the slot, and takes no other.
impl<'de, T: Deserialize<'de>, P: PoolMarker<T>> Deserialize<'de> for PoolBox<T, P> {
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_in(deserializer, P::HERE)
    }

    fn deserialize_in_place<D: Deserializer<'de>>(
        deserializer: D,
        place: &mut Self,
    ) -> Result<(), D::Error> {
        T::deserialize_in_place(deserializer, place)
    }
}

/// Reads an element into the slot, of whichever pool.
///
/// # Examples
///
/// ```
/// use std::rc::Rc;
/// use serde::de::DeserializeSeed;
/// use typed_pool::{FreeList, PoolBoxIn, Vacant};
///
/// let pool = Rc::new(FreeList::<[u32; 3]>::new());
/// let mut json = serde_json::Deserializer::from_str("[1, 2, 3]");
/// let read = Vacant::new_in(pool.clone()).deserialize(&mut json).unwrap();
/// assert_eq!((*read, PoolBoxIn::pool(&read).stats().live), ([1, 2, 3], 1));
/// ```
impl<'de, T: Deserialize<'de>, P: Pool<T>> DeserializeSeed<'de> for Vacant<T, P> {
    type Value = PoolBox<T, P>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::deserialize(deserializer).map(|value| self.fill(value))
    }
}

/// Reads an element into a slot of `pool`, which may be full.
#[track_caller]
pub(crate) fn deserialize_in<'de, T: Deserialize<'de>, P: Pool<T>, D: Deserializer<'de>>(
    deserializer: D,
    pool: P,
) -> Result<PoolBox<T, P>, D::Error> {
    Vacant::try_new_in(pool).map_err(Error::custom)?.deserialize(deserializer)
}
