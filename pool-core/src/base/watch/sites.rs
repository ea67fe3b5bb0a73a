//! Which line has made an element: the feature `sites`.
//!
//! The first line to make an element is entered in a table of the process, and from then on known by its number (a `Line`). Each
//! slot's mark has the number of the line whose element lies there, or 0; beside a roster's slots stand such numbers alone. A number is
//! written when the slot is taken, and cleared when the slot is given back, so there is one for each slot that counts as live.
//!
//! Without the feature nothing is left of this: what is passed on has no size. The rest of the crate has no `cfg` for it but where
//! lines are asked for. Functions that make an element tell their caller's line in every build (`#[track_caller]`), which costs nothing
//! where it is not read: no count in `benches/instructions.txt` differs.

#[cfg(feature = "sites")]
pub(crate) mod lines;

/// Whether each live element knows the line that made it.
pub(crate) const IS_SITED: bool = cfg!(feature = "sites");

/// The number of a line, which is its place in the table and one; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line([u32; IS_SITED as usize]);

impl Line {
    pub(crate) const NONE: Self = Self([0; IS_SITED as usize]);

    /// The line that calls the function that asks. (With the feature it is in `lines`.)
    #[cfg(not(feature = "sites"))]
    #[inline(always)]
    pub(crate) fn of_caller() -> Self {
        Self::NONE
    }

    pub(crate) fn with_number(number: u32) -> Self {
        Self([number; IS_SITED as usize])
    }

    pub(crate) fn number(self) -> u32 {
        self.0.first().copied().unwrap_or(0)
    }
}
