//! Boxes in files: as their element.

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::pointer::boxed::{PoolBox, Vacant};
use crate::pointer::{Pool, PoolMarker};

/// Serialises the element, as `Box` does.
impl<T: Serialize + ?Sized, P: Pool<T>> Serialize for PoolBox<T, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Reads an element into a slot of the pool that the box's type names. The slot is reserved first, so the slot of a parent comes
/// before those of its children.
///
/// A full pool is an error, with the text of [`Exhausted`](crate::Exhausted). If reading fails, all slots taken so far go back.
///
/// To read over an existing value (`deserialize_in_place`) takes no slot: the value stays in its own.
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

/// Reads an element into the reserved slot, in any kind of pool.
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
