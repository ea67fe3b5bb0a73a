//! Random operations on owned pools of either strategy, against a model.

#![allow(clippy::duplicate_mod, reason = "one model for both strategies")]

#[path = "model/config.rs"]
mod config;

#[path = "model"]
mod free_list {
    pub(crate) use typed_pool::FreeList as Pool;

    /// A free list does not notice that it is empty again of the only slot that was used.
    pub(crate) const ORDERS_ONE_SLOT: bool = false;

    #[path = "operations.rs"]
    mod operations;
    #[path = "suite.rs"]
    mod suite;
}

#[path = "model"]
mod pointer_stack {
    pub(crate) use typed_pool::PointerStack as Pool;

    /// In a pointer stack that slot is the lowest, so there is nothing to notice.
    pub(crate) const ORDERS_ONE_SLOT: bool = true;

    #[path = "operations.rs"]
    mod operations;
    #[path = "suite.rs"]
    mod suite;
}
