//! Shared elements in files: as `Arc` and `Rc` with serde's feature `rc`.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::derived::rc::{RefCounted, RefCountedBy, RefCountedWeak};
use crate::pointer::boxed::PoolBox;
use crate::pointer::counter::Count;

/// As its element. Two pointers to one element are written as two.
impl<T: RefCountedBy<C> + Serialize, C: Count> Serialize for RefCounted<T, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Reads an element into a slot of its own, as a [`PoolBox`] does: pointers that shared one share none now.
impl<'de, T: RefCountedBy<C> + Deserialize<'de>, C: Count> Deserialize<'de> for RefCounted<T, C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PoolBox::deserialize(deserializer).map(Self::from)
    }
}

/// As an `Option` of its element.
impl<T: RefCountedBy<C> + Serialize, C: Count> Serialize for RefCountedWeak<T, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.upgrade().serialize(serializer)
    }
}

/// Points to no element, whatever was written: nobody would own it.
impl<'de, T: RefCountedBy<C> + Deserialize<'de>, C: Count> Deserialize<'de>
    for RefCountedWeak<T, C>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<T>::deserialize(deserializer)?;
        Ok(Self::new())
    }
}
