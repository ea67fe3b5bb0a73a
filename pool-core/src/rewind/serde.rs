//! A rewind in serialised form: its roster.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rewind::Rewind;
use crate::roster::Roster;

/// As the roster: what is remembered is left out.
impl<T: Serialize> Serialize for Rewind<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// As the roster; there is no mark.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rewind<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Roster::deserialize(deserializer).map(Self::from)
    }
}
