//! In place of `account.rs` where there is no `std`, and in models: no pool has an account.

use crate::base::ledger::{Facts, Owner};
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;

/// A pool's account: none.
#[derive(Debug)]
pub(crate) struct Account;

/// The account of a roster: none.
pub(crate) type RosterAccount = Account;

impl Account {
    pub(crate) const NONE: Self = Self;

    pub(crate) fn add_remains(&self, _: Line) {}

    pub(crate) fn remove_remains(&self, _: Line) {}

    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        false
    }

    pub(crate) fn get(&self) -> &Self {
        self
    }

    pub(crate) fn with<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        f(self)
    }

    pub(crate) fn set_aside(&mut self) -> Self {
        Self
    }

    pub(crate) fn is_set_aside(&self) -> bool {
        true
    }

    pub(crate) fn put_back(&mut self, _: Self, _: usize) -> bool {
        false
    }

    pub(crate) fn open(&self, _: &'static Facts, _: &'static str, _: Owner) {}

    pub(crate) fn in_turn(&self, f: impl FnOnce(&Self)) {
        f(self);
    }

    pub(crate) fn count_growth(&self) {}

    pub(crate) fn refused(&self) {}

    pub(crate) fn note(&self, _: &PoolStats) {}

    pub(crate) fn tell(&self, _: usize, _: [usize; 2]) {}

    pub(crate) fn observer(&self) -> u32 {
        0
    }

    pub(crate) fn close(&self, _: &PoolStats) {}

    pub(crate) fn leave_behind(&self) {}
}

pub(crate) fn note_lent(_: &str, _: &PoolStats) {}

pub(crate) fn tell(_: u32, _: usize, _: Option<[usize; 2]>) {}
