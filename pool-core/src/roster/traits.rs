//! The common traits of a roster.

use core::fmt;

use crate::base::watch::sites::Line;
use crate::roster::Roster;

impl<T> Default for Roster<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Two rosters are equal if the same handles find equal elements in both.
///
/// So a roster equals its clone, and what is read from its serialised form, for as long as the same happens to both:
/// what is vacant, detached or reserved, and the order of dense indices, make no difference. Two rosters that were
/// filled apart have handles of their own, and are equal only if both are empty: compare their
/// [`values`](Roster::values).
///
/// # Examples
///
/// ```
/// use typed_pool::Roster;
///
/// let mut roster: Roster<u32> = (1..=3).collect();
/// let copy = roster.clone();
/// assert_eq!(roster, copy);
/// roster.insert(4);
/// assert_ne!(roster, copy);
///
/// let apart: Roster<u32> = (1..=3).collect();
/// assert_ne!(copy, apart);
/// assert!(copy.values().eq(apart.values()));
/// ```
impl<T: PartialEq> PartialEq for Roster<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<T: Eq> Eq for Roster<T> {}

impl<T> Extend<T> for Roster<T> {
    /// Inserts every element.
    ///
    /// # Panics
    ///
    /// As [`Roster::insert`].
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let line = Line::of_caller();
        elements.into_iter().for_each(|element| {
            self.insert_from(element, line);
        });
    }
}

impl<T> FromIterator<T> for Roster<T> {
    /// The first element is in slot 0, the next in slot 1, and so on.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut roster = Self::new();
        roster.extend(elements);
        roster
    }
}

impl<T: fmt::Debug> fmt::Debug for Roster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}
