//! Shared elements in files: as `Arc` and `Rc` with serde's feature `rc`.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::derived::rc::{CountedPool, PoolMarker, RefCounted, RefCountedWeak};
use crate::pointer::boxed::serde::deserialize_in;
use crate::pointer::counter::Count;
use crate::pointer::pool::Pool;

/// As its element. Two pointers to one element are written as two.
impl<T, C, P> Serialize for RefCounted<T, C, P>
where
    T: Serialize + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Reads an element into a slot of its own, as a [`PoolBox`](crate::PoolBox) does: pointers that shared one share none now.
impl<'de, T: Deserialize<'de>, C: Count, P: CountedPool<T, C>> Deserialize<'de>
    for RefCounted<T, C, P>
{
    #[cfg_attr(any(feature = "sites", feature = "hardened"), track_caller)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_in(deserializer, P::POOL).map(Self::from)
    }
}

/// As an `Option` of its element.
impl<T, C, P> Serialize for RefCountedWeak<T, C, P>
where
    T: Serialize + ?Sized,
    C: Count,
    P: Pool<T> + PoolMarker,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.upgrade().serialize(serializer)
    }
}

/// Points to no element, whatever was written: nobody would own it.
impl<'de, T: Deserialize<'de>, C: Count, P: CountedPool<T, C>> Deserialize<'de>
    for RefCountedWeak<T, C, P>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<T>::deserialize(deserializer)?;
        Ok(Self::new())
    }
}
