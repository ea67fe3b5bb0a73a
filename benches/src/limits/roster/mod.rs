//! Pools with handles by hand, in chunks that double the pool.
//!
//! [`InOrder`] has a list of its live slots in the order of memory, which is the least that iteration can cost. [`SwapDelete`]
//! keeps such a list up to date, in the order of insertions and removals.
//!
//! Values are not dropped with their pool. Handles are checked as the library has to check them.

mod chunks;
mod in_order;
mod swap_delete;

pub use in_order::InOrder;
pub use swap_delete::SwapDelete;

use chunks::Chunks;

/// Slots of a new pool.
const FIRST_SLOTS: usize = 64;

/// Names a value: a slot, and the word that the slot had when the value came.
///
/// The words of occupied slots are odd, so no handle fits a vacant one.
#[derive(Clone, Copy)]
pub struct Key {
    index: u32,
    word: u32,
}
