//! Random operations on owned pools of either strategy, against a model.

#![allow(clippy::duplicate_mod, reason = "one model for both strategies")]

#[path = "model"]
pub(crate) mod free_list {
    pub(crate) use typed_pool::FreeList as Pool;

    #[path = "operations.rs"]
    pub(crate) mod operations;
    #[path = "suite.rs"]
    mod suite;
}

#[path = "model"]
pub(crate) mod pointer_stack {
    pub(crate) use typed_pool::PointerStack as Pool;

    #[path = "operations.rs"]
    pub(crate) mod operations;
    #[path = "suite.rs"]
    mod suite;
}
