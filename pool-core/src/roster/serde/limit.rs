//! A roster's limit: the number of slots, and what set it.

use core::fmt;

use serde::de::{Deserialize, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::base::config::{Bound, Config};
use crate::roster::serde::name::OneOf;

/// The most slots, and what has set that limit.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    bound: Bound,
    slots: u32,
}

/// The names of limits, by their number in a binary format.
const NAMES: &[&str] = &["bounded", "max", "capacity"];
const BOUNDS: [Bound; 3] = [Bound::Bounded, Bound::Max, Bound::Capacity];

impl Limit {
    pub(super) fn of(config: &Config) -> Option<Self> {
        let slots = u32::try_from(config.max).unwrap_or(u32::MAX);
        (config.bound != Bound::None).then_some(Self { bound: config.bound, slots })
    }

    /// A roster with this limit that grows up to it by chunks.
    ///
    /// The input is not trusted with the size of an allocation, so a roster that had one chunk of a fixed size
    /// grows by chunks, too.
    pub(super) fn config(limit: Option<Self>) -> Config {
        match limit {
            Some(Self { bound, slots }) => Config { bound, max: slots as usize, ..Config::new() },
            None => Config::new(),
        }
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = BOUNDS.iter().position(|&bound| bound == self.bound).unwrap_or_default();
        serializer.serialize_newtype_variant("Limit", number as u32, NAMES[number], &self.slots)
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Variants;

        impl<'de> Visitor<'de> for Variants {
            type Value = Limit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a roster's limit")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Limit, A::Error> {
                let (number, slots) = data.variant_seed(OneOf(NAMES))?;
                Ok(Limit { bound: BOUNDS[number], slots: slots.newtype_variant()? })
            }
        }

        deserializer.deserialize_enum("Limit", NAMES, Variants)
    }
}
