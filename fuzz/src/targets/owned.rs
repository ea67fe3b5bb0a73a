//! Shared parts of the targets `free_list` and `pointer_stack`: operations on a `Pool`, growing, bounded or made with
//! a capacity.

use crate::{below, index, operations as all};
use arbitrary::{Result, Unstructured};

use super::Pool;
use super::operations::{Operation, run};

fn operation(bytes: &mut Unstructured<'_>) -> Result<Operation> {
    Ok(match below(bytes, 16)? {
        0..7 => Operation::Alloc(bytes.arbitrary::<u8>()?.into()),
        7..11 => Operation::Free(index(bytes)?),
        11 => match below(bytes, 4)? {
            0 => Operation::InitWithError,
            1 => Operation::Vacant(bytes.arbitrary::<u8>()?.into(), bytes.arbitrary()?),
            2 => Operation::Raw(index(bytes)?),
            _ => Operation::Prefault,
        },
        12 => Operation::AllocWithPanic,
        13 => Operation::FreeAll,
        14 => Operation::Reserve(below(bytes, 40)?),
        _ => Operation::Trim,
    })
}

/// Runs what the bytes say.
pub fn run_bytes(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let (Ok(kind), Ok(slots)) = (below(&mut bytes, 3), below(&mut bytes, 30)) else { return };
    let mut operations = all(&mut bytes, operation);
    match kind {
        0 => run(&Pool::new(), usize::MAX, &operations),
        1 => run(&Pool::with_capacity(slots), usize::MAX, &operations),
        _ => {
            // What exceeds a limit panics, and that ends a fuzzer.
            operations.retain(|operation| !matches!(operation, Operation::Reserve(_)));
            run(&Pool::bounded(slots), slots, &operations);
        }
    }
}
