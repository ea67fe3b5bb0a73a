//! Operations on a roster that is written down, read again, and goes on as if nothing had been.

use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};
use game::{Operation, play};
use typed_pool::Roster;

#[path = "../../../tests/serde/game.rs"]
mod game;
#[path = "../../../tests/serde/walk.rs"]
mod walk;

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 32)? {
        0..12 => Operation::Insert,
        12 => Operation::Release(index(bytes)?),
        13..20 => Operation::Remove(index(bytes)?),
        20 | 21 => Operation::Detach(index(bytes)?),
        22 | 23 => Operation::Reattach(index(bytes)?),
        24 => Operation::InsertWithPanic,
        25 => Operation::IndexOf(index(bytes)?),
        26 => Operation::HandleAt(index(bytes)?),
        27 => Operation::Retain(2 + below(bytes, 3)? as u32),
        28 => Operation::Drain(below(bytes, 10)?),
        29 => Operation::Clear,
        30 => Operation::Reserve(below(bytes, 100)?),
        _ => Operation::Shrink,
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let (Ok(limit), Ok(before)) = (below(&mut bytes, 100), below(&mut bytes, 150)) else { return };
    let operations = all(&mut bytes, operation);
    let (before, after) = operations.split_at(before.min(operations.len()));
    let roster = if limit < 80 { Roster::bounded(limit) } else { Roster::new() };
    play(roster, before, after);
}
