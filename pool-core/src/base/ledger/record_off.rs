//! In place of `record.rs` where the target cannot compare and swap pointers: nothing is kept.

use core::marker::PhantomData;

/// What the process keeps of the pools of one type: nothing.
#[derive(Debug)]
pub(crate) struct Record<F>(PhantomData<fn() -> F>);

impl<F> Record<F> {
    /// Of a type whose pool was never used.
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }

    pub(crate) fn refused(&self) {}
}

impl<F> Default for Record<F> {
    fn default() -> Self {
        Self::new()
    }
}
