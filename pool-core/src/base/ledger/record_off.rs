//! In place of `record.rs` where the target cannot compare and swap pointers: nothing is kept.

use crate::base::ledger::terms::{Storage, Strategy};
use crate::base::stats::PoolStats;

/// What does not change about the pools of one type.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) name: Option<&'static str>,
    pub(crate) strategy: Strategy,
    pub(crate) storage: Storage,
    /// The figures of this thread's pool, or of the one that all threads share, at this moment. `None` if it cannot be looked
    /// at now, without waiting for a user's code.
    pub(crate) look: fn() -> Option<PoolStats>,
    #[cfg(feature = "sites")]
    pub(crate) show_lines: fn(&mut dyn FnMut(core::num::NonZeroU32)),
    /// Where the totals of its threads are. `None` for a pool that is a value.
    pub(crate) record: fn() -> Option<&'static Record>,
    /// Whether pools of this type have accounts. Others can only be looked at.
    pub(crate) has_accounts: bool,
}

/// What the process keeps of the pools of one type: nothing.
#[derive(Debug, Default)]
pub(crate) struct Record;

impl Record {
    /// Of a type whose pool was never used.
    pub(crate) const fn new() -> Self {
        Self
    }

    pub(crate) fn join(&'static self, _: &'static Facts) {}

    pub(crate) fn refused(&self) {}
}
