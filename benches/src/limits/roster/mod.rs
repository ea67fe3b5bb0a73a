//! Pools with handles by hand, put together from parts so that each question is raced alone.
//!
//! | part | choices |
//! |---|---|
//! | where a slot lies ([`Addressing`]) | [`Flat`]: one array; [`Doubling`]: chunks, each as large as all before |
//! | where generation word and dense position lie ([`Layout`]) | [`Apart`]: an array each; [`Entries`]: in one entry; [`Beside`]: the word beside the value |
//! | which vacant slot is next ([`Vacancy`]) | [`Descent`], [`Cursor`], [`Hint`], [`NextFit`], [`WordStack`] |
//! | what index a live slot has ([`Order`]) | [`Counting`] of bits, with [`Blocks`] of counts, [`Dense`] tables |
//! | what tells the live from the vacant | [`Mapped`]: a bitmap; [`SwapDelete`]: a partitioned roster; [`InOrder`]: a list of indices, put in order |
//!
//! Values are not dropped with their pool. Handles are checked as the library has to check them.

mod addressing;
mod in_order;
mod layout;
mod mapped;
mod order;
mod swap_delete;
mod vacancy;

pub use addressing::{Addressing, Class, Doubling, Flat, LeadingZeros, Logarithm, Paged};
pub use in_order::InOrder;
pub use layout::{Apart, Beside, Entries, Layout, WithWord};
pub use mapped::Mapped;
pub use order::{Blocks, Counting, Dense, Order};
pub use swap_delete::SwapDelete;
pub use vacancy::{Cursor, Descent, Hint, NextFit, Vacancy, WordStack};

/// Slots of a new pool: one word of the bitmap.
const FIRST_SLOTS: usize = 64;

/// Names a value: a slot, and the word that the slot had when the value came.
///
/// The words of occupied slots are odd, so no handle fits a vacant one.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    index: u32,
    word: u32,
}

/// The bits of a word from the lowest up.
#[derive(Clone, Copy, Debug)]
struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(lowest as usize)
    }
}
