//! The common traits of a rewind: its roster's.

use core::fmt;

use crate::base::handle::Handle;
use crate::rewind::{IterMut, Rewind, Touched};
use crate::roster::iter::borrowed;
use crate::roster::{Iter, Roster};

impl<T> Default for Rewind<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<Roster<T>> for Rewind<T> {
    /// Takes over the roster as it is, without its dense order. The rewind remembers from its first mark on.
    fn from(mut roster: Roster<T>) -> Self {
        roster.forget_order();
        Self::of(roster)
    }
}

impl<T: Clone> Clone for Rewind<T> {
    /// Clones the roster. The marks and what they remember are not cloned.
    #[track_caller]
    fn clone(&self) -> Self {
        Self::of(self.roster.clone())
    }
}

/// Two rewinds are equal, as rosters are, if the same handles find equal elements in both.
impl<T: PartialEq> PartialEq for Rewind<T> {
    fn eq(&self, other: &Self) -> bool {
        self.roster == other.roster
    }
}

impl<T: Eq> Eq for Rewind<T> {}

impl<T> Extend<T> for Rewind<T> {
    /// Inserts every element.
    ///
    /// # Panics
    ///
    /// As [`Rewind::insert`].
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<T> FromIterator<T> for Rewind<T> {
    /// The first element is in slot 0, the next in slot 1, and so on.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::of(elements.into_iter().collect())
    }
}

impl<T: fmt::Debug> fmt::Debug for Rewind<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roster.fmt(f)
    }
}

borrowed!(['a, T] &'a Rewind<T>, iter, Iter<'a, T>, (Handle<T>, &'a T));
borrowed!(['a, T: Clone] &'a mut Rewind<T>, iter_mut, IterMut<'a, T>, (Handle<T>, Touched<'a, T>));

#[cfg(feature = "serde")]
mod serde {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::rewind::Rewind;
    use crate::roster::Roster;

    /// Serialises the roster, without marks and what they remember.
    impl<T: Serialize> Serialize for Rewind<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            (**self).serialize(serializer)
        }
    }

    /// Reads a roster; the rewind has no mark.
    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rewind<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Roster::deserialize(deserializer).map(Self::from)
        }
    }
}
