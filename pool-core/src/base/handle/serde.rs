//! Serialised handles.

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::handle::{Handle, TAG_SHIFT, with_tag};

/// The last generation that fits into a handle.
const MOST: u32 = (1 << (TAG_SHIFT - 1)) - 1;

/// In a human-readable format the string `slot:generation:tag`, such as `"17:3:0"`: it can be a key in JSON, and is
/// not rounded, as many readers round numbers over 2^53. In a binary format the number from [`Handle::to_bits`].
impl<T> Serialize for Handle<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            let (index, generation, tag) = (self.index(), self.generation(), self.tag());
            serializer.collect_str(&format_args!("{index}:{generation}:{tag}"))
        } else {
            serializer.serialize_u64(self.to_bits())
        }
    }
}

/// Any slot, any generation that a handle may have, and any tag make a handle, as with
/// [`Handle::from_bits`].
impl<'de, T> Deserialize<'de> for Handle<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(TextVisitor(PhantomData))
        } else {
            let bits = u64::deserialize(deserializer)?;
            Handle::from_bits(bits).ok_or_else(|| {
                let name = type_name::<T>();
                Error::custom(format_args!("{bits} is not the number of a handle to a `{name}`"))
            })
        }
    }
}

struct TextVisitor<T>(PhantomData<Handle<T>>);

impl<T> Visitor<'_> for TextVisitor<T> {
    type Value = Handle<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = type_name::<T>();
        write!(
            f,
            "a handle to a `{name}`, \"slot:generation:tag\" with a generation of 1 to {MOST}"
        )
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Handle<T>, E> {
        parse(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

fn parse<T>(text: &str) -> Option<Handle<T>> {
    // `parse` would take a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') {
        return None;
    }
    let mut parts = text.split(':');
    let (index, generation, tag) = (parts.next()?, parts.next()?, parts.next()?);
    let generation =
        generation.parse().ok().filter(|generation| (1..=MOST).contains(generation))?;
    let word = with_tag(generation << 1 | 1, tag.parse().ok()?);
    let handle = Handle::new(index.parse().ok()?, NonZeroU32::new(word)?);
    parts.next().is_none().then_some(handle)
}
