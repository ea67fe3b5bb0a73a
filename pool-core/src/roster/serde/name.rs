//! One of a few names, or its number.

use core::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// The place among `names` of the one that comes next.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
    names: &'static [&'static str],
) -> Result<usize, D::Error> {
    deserializer.deserialize_identifier(Names(names))
}

struct Names(&'static [&'static str]);

impl Visitor<'_> for Names {
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
