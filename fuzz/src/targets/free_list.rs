//! Operations on a free list: see `tests/owned/model/operations.rs`.

pub use owned::run_bytes;
use typed_pool::FreeList as Pool;

#[path = "../../../tests/owned/model/operations.rs"]
mod operations;
#[path = "owned.rs"]
mod owned;
