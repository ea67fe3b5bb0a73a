//! Zeros for an option of a wide pointer
//!
//! Fix: write `None`: Rust promises that it is all zeros only for pointers to sized types.

#![forbid(unsafe_code)]

use std::ptr::NonNull;
use typed_pool::{FreeList, init};

fn main() {
    let Ok(_text) = FreeList::<Option<&str>>::new().init(init::zeroed());
    let Ok(_text) = FreeList::<Option<&mut [u8]>>::new().init(init::zeroed());
    let Ok(_text) = FreeList::<Option<NonNull<dyn Send>>>::new().init(init::zeroed());
    let Ok(_text) = FreeList::<Option<Box<str>>>::new().init(init::zeroed());
}
