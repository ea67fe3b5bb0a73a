//! Operations on a secondary map, with the handles of two rosters.

use crate::roster::operations::from_both_ends;
use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};
use operations::{Operation, run};

#[path = "../../../tests/rosters/secondary_map/operations.rs"]
mod operations;

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 32)? {
        0..7 => Operation::Birth(bytes.arbitrary()?),
        7..11 => Operation::Death(index(bytes)?),
        11..20 => Operation::Insert(index(bytes)?, bytes.arbitrary::<u8>()?.into()),
        20..22 => Operation::GetOrInsert(index(bytes)?, bytes.arbitrary::<u8>()?.into()),
        22..28 => Operation::Remove(index(bytes)?),
        28 => Operation::RetainOdd,
        29 => Operation::RetainLive,
        30 => match below(bytes, 4)? {
            0 | 1 => Operation::Drain(below(bytes, 10)?, u64::MAX),
            2 => Operation::Drain(below(bytes, 10)?, bytes.arbitrary()?),
            _ => Operation::Clear,
        },
        _ => Operation::Rebuild,
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    run(all(&mut Unstructured::new(bytes), operation));
}
