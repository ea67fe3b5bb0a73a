//! Random layouts in pools by layout, of the thread and of the process.

use crate::{below, operations as all};
use arbitrary::{Result, Unstructured};
use operations::{Operation, run};
use typed_pool::{ByLayout, SharedByLayout};

#[path = "../../../tests/by_layout/operations.rs"]
mod operations;

fn size(bytes: &mut Unstructured<'_>) -> Result<u16> {
    let most = [200, 200, 2100, 10_000][below(bytes, 4)?];
    Ok(below(bytes, most)? as u16)
}

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 14)? {
        0..6 => {
            let (size, align, zeroed) = (size(bytes)?, bytes.arbitrary()?, bytes.arbitrary()?);
            Operation::Allocate { size, align, zeroed }
        }
        6..10 => Operation::Free { which: bytes.arbitrary()? },
        10..13 => {
            let (which, size) = (bytes.arbitrary()?, size(bytes)?);
            let (align, zeroed) = (bytes.arbitrary()?, bytes.arbitrary()?);
            Operation::Resize { which, size, align, zeroed }
        }
        _ => Operation::Trim,
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let operations = all(&mut Unstructured::new(bytes), operation);
    run(operations.iter().copied(), ByLayout, || _ = ByLayout::trim());
    assert!(ByLayout::stats().all(|pool| pool.live == 0));
    run(operations, SharedByLayout, || _ = SharedByLayout::trim());
    assert!(SharedByLayout::stats().all(|pool| pool.live == 0));
}
