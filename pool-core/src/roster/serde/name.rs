//! One of a few names, or its number.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Unexpected, Visitor};

/// Reads one of these names, or its number; gives its place among them.
pub(super) struct OneOf(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of `{}`", self.0.join("`, `"))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        usize::try_from(number)
            .ok()
            .filter(|&number| number < self.0.len())
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let place = self.0.iter().position(|&known| known == name);
        place.ok_or_else(|| E::unknown_field(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        let place = self.0.iter().position(|known| known.as_bytes() == name);
        place.ok_or_else(|| E::invalid_value(Unexpected::Bytes(name), &self))
    }
}
