//! Names of states, and why one is no longer good.

use core::fmt;

use crate::base::atomic::swap::new_number;

/// The name of a state of a [`Rewind`](crate::Rewind): from [`Rewind::mark`](crate::Rewind::mark). Later ones are greater.
///
/// Any other rewind refuses it as [`Forgotten::Foreign`]; but the mark of a world is good for each of the world's parts
/// ([`Rewindable`](crate::Rewindable)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    pub(super) number: u64,
    /// The rewind, or the world, that made it.
    pub(super) origin: usize,
}

impl Mark {
    pub(super) const NONE: Self = Self { number: 0, origin: 0 };
}

/// The number by which the rewinds and worlds of one process are told apart: this one, or a new one if it is 0.
#[inline]
pub(super) fn get_or_make(origin: &mut usize) -> usize {
    if *origin == 0 {
        *origin = new_number();
    }
    *origin
}

/// The reason why a [`Mark`] is not good: from [`Rewind::rewind`](crate::Rewind::rewind).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Forgotten {
    /// A later mark was [confirmed](crate::Rewind::confirm), or all were.
    Confirmed,
    /// A [rewind](crate::Rewind::rewind) went back to an earlier mark.
    Rewound,
    /// The mark was made by another rewind, by another world, or by a mere part of this world.
    Foreign,
}

impl fmt::Debug for Forgotten {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Forgotten: {self}")
    }
}

impl fmt::Display for Forgotten {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Confirmed => "the mark is forgotten: a later one was confirmed, or all were",
            Self::Rewound => "the mark is forgotten: an earlier one was gone back to",
            Self::Foreign => {
                "the mark is of another rewind or world, or of a part of this one alone"
            }
        })
    }
}

impl core::error::Error for Forgotten {}
