//! Sequences with a known greatest length.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Up to how many bytes of items a sequence is trusted to be as long as it says.
const TRUSTED: usize = 4096;

/// Reads a sequence of at most `most` items.
///
/// Items may take no bytes to send or hold, so a length alone could keep the reader busy for ever.
pub(super) struct BoundedSequence<T> {
    most: usize,
    marker: PhantomData<T>,
}

impl<T> BoundedSequence<T> {
    pub(super) fn new(most: usize) -> Self {
        Self { most, marker: PhantomData }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for BoundedSequence<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedSequence<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of at most {} items", self.most)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let trusted = self.most.min(TRUSTED / size_of::<T>().max(1));
        let mut list = Vec::with_capacity(items.size_hint().unwrap_or(0).min(trusted));
        while let Some(item) = items.next_element()? {
            if list.len() == self.most {
                return Err(A::Error::invalid_length(self.most.saturating_add(1), &self));
            }
            list.push(item);
        }
        Ok(list)
    }
}

/// Writes the items of an iterator as a sequence.
pub(super) struct Sequence<I>(pub(super) I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Sequence<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}
