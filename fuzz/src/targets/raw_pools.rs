//! Operations on raw pools of either strategy, with elements of any layout.

use std::alloc::Layout;

use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};
use operations::{Operation, run_both};
use typed_pool::{RawFreeList, RawPointerStack};

#[path = "../../../tests/owned/raw/common.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod common;
#[path = "../../../tests/owned/raw/operations.rs"]
mod operations;

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 16)? {
        0..7 => Operation::Alloc(bytes.arbitrary()?),
        7..13 => Operation::Free(index(bytes)?),
        13..15 => Operation::FreeAll,
        _ => Operation::Trim,
    })
}

/// A layout whose size is a multiple of its alignment, and a number of slots.
fn pool(bytes: &mut Unstructured<'_>) -> Result<(Layout, usize)> {
    let (align, multiple) = (1 << below(bytes, 8)?, 1 + below(bytes, 40)?);
    let element = Layout::from_size_align(multiple * align, align).expect("small");
    Ok((element, 1 + below(bytes, 20)?))
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok((element, count)) = pool(&mut bytes) else { return };
    let operations = all(&mut bytes, operation);
    run_both::<RawFreeList>(element, count, &operations);
    run_both::<RawPointerStack>(element, count, &operations);
}
