//! Names of states.

use core::fmt;

/// The name of a state of a [`Rewind`](crate::Rewind): from [`Rewind::mark`](crate::Rewind::mark). Later ones are greater.
///
/// It is a number, and stands for a state of the rewind that gave it; to another it may mean another state, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    pub(super) number: u64,
    /// Of how many parts it was made together, so that the mark of a part is none of the whole.
    pub(super) parts: u32,
}

/// The state that a [`Mark`] stood for is forgotten: a later mark was confirmed, or an earlier one was gone back to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Forgotten;

impl fmt::Debug for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Forgotten: {self}")
    }
}

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the mark is forgotten: a later one was confirmed, an earlier one was gone back to, or it is another rewind's",
        )
    }
}

impl core::error::Error for Forgotten {}
