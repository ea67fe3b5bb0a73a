//! Elements that are read into a pool that is a value: the pool is the seed.

use serde::de::{Deserialize, DeserializeSeed, Deserializer};

use crate::pointer::boxed::PoolBox;
use crate::pointer::boxed::serde::deserialize_in;
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

/// Reads an element into a slot of the pool, as a `PoolBox<T>` does for a derived type. (Where the pool is in an `Rc`, a
/// [`Vacant`](crate::Vacant) of it does that.)
///
/// # Examples
///
/// ```
/// use serde::de::DeserializeSeed;
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u32; 3]>::bounded(1);
/// let mut json = serde_json::Deserializer::from_str("[1, 2, 3] [4, 5, 6]");
/// let first = pool.deserialize(&mut json).unwrap();
/// assert_eq!(*first, [1, 2, 3]);
///
/// let error = pool.deserialize(&mut json).unwrap_err().to_string();
/// assert!(error.starts_with("the pool of `[u32; 3]` is exhausted: its only slot is occupied"));
/// ```
impl<'de, T: Deserialize<'de>, S: Strategy> DeserializeSeed<'de> for &TypedPool<T, S> {
    type Value = PoolBox<T, Self>;

    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserialize_in(deserializer, self)
    }
}
