//! From a fuzzer's bytes to operations. The operations and their models are those of `tests/`.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// The most operations of a run: what goes wrong after more goes wrong after fewer.
const MOST: usize = 200;

/// As many operations as the bytes make.
pub fn operations<O>(
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
pub fn below(bytes: &mut Unstructured<'_>, end: usize) -> Result<usize> {
    bytes.int_in_range(0..=end - 1)
}

/// An index, modulo something.
pub fn index(bytes: &mut Unstructured<'_>) -> Result<usize> {
    bytes.arbitrary::<u16>().map(usize::from)
}
