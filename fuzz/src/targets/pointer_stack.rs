//! Operations on a pointer stack: see `tests/owned/model/operations.rs`.

pub use owned::run_bytes;
use typed_pool::PointerStack as Pool;

#[path = "../../../tests/owned/model/operations.rs"]
mod operations;
#[path = "owned.rs"]
mod owned;
