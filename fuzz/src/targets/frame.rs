//! Operations on frame stacks, shared and of one thread, growing and bounded.

use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};
use operations::{Operation, run};
use typed_pool::{FrameStack, LocalFrameStack};

#[path = "../../../tests/frames/model/operations.rs"]
mod operations;
#[path = "../../../tests/frames/model/resize.rs"]
mod resize;

/// A size, and an alignment as a power of two.
fn block(bytes: &mut Unstructured<'_>, most: usize, align: usize) -> Result<(usize, u32)> {
    Ok((below(bytes, most)?, below(bytes, align)? as u32))
}

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 32)? {
        0..9 => {
            let (size, align) = block(bytes, 40, 4)?;
            Operation::Alloc(size, align)
        }
        9 | 10 => {
            let (size, align) = block(bytes, 3000, 13)?;
            Operation::Alloc(size, align)
        }
        11 | 12 => Operation::Slice(below(bytes, 40)?),
        13..16 => Operation::FreeLast,
        16..18 => {
            let (size, align) = block(bytes, 60, 5)?;
            Operation::Resize(index(bytes)?, size, align)
        }
        18 => Operation::Resize(0, below(bytes, 2000)?, 0),
        19 => match below(bytes, 2)? {
            0 => Operation::AllocWithPanic,
            _ => Operation::SliceWithPanic(below(bytes, 9)?, below(bytes, 9)?),
        },
        20..23 => Operation::FreeAny(index(bytes)?),
        23..25 => Operation::Mark,
        25..27 => Operation::Rewind(index(bytes)?),
        27 => Operation::Reset,
        28 => Operation::Trim,
        _ => {
            let count = below(bytes, 8)?;
            let blocks = (0..count).map(|_| block(bytes, 100, 6)).collect::<Result<_>>()?;
            Operation::Scope(blocks, bytes.arbitrary()?)
        }
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let (Ok(kind), Ok(size)) = (below(&mut bytes, 4), below(&mut bytes, 3000)) else { return };
    let operations = all(&mut bytes, operation);
    match kind {
        0 => run(FrameStack::with_capacity(size), usize::MAX, &operations),
        1 => run(LocalFrameStack::with_capacity(size), usize::MAX, &operations),
        2 => run(FrameStack::bounded(size), size, &operations),
        _ => run(LocalFrameStack::bounded(size), size, &operations),
    }
}
