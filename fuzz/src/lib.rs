//! The programs of the fuzz targets and of the soak: from bytes to operations. The operations and their models are those of
//! `tests/`.

use arbitrary::{Result, Unstructured};

#[path = "targets/by_layout.rs"]
pub mod by_layout;
#[path = "targets/frame.rs"]
pub mod frame;
#[path = "targets/free_list.rs"]
pub mod free_list;
#[path = "targets/pointer_stack.rs"]
pub mod pointer_stack;
#[path = "targets/raw_pools.rs"]
pub mod raw_pools;
#[path = "targets/roster.rs"]
pub mod roster;
#[path = "targets/roster_hostile.rs"]
pub mod roster_hostile;
#[path = "targets/secondary_map.rs"]
pub mod secondary_map;

/// The most operations of a run: what goes wrong after more goes wrong after fewer.
const MOST: usize = 200;

/// As many operations as the bytes make.
pub(crate) fn operations<O>(
    bytes: &mut Unstructured<'_>,
    one: impl Fn(&mut Unstructured<'_>) -> Result<O>,
) -> Vec<O> {
    let mut operations = Vec::new();
    while !bytes.is_empty() && operations.len() < MOST {
        operations.extend(one(bytes));
    }
    operations
}

/// A number below `end`.
pub(crate) fn below(bytes: &mut Unstructured<'_>, end: usize) -> Result<usize> {
    bytes.int_in_range(0..=end - 1)
}

/// An index, modulo something.
pub(crate) fn index(bytes: &mut Unstructured<'_>) -> Result<usize> {
    bytes.arbitrary::<u16>().map(usize::from)
}
