use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::panic::Location;
use core::ptr;

use super::lines::{MOST_LINES, find_or_enter, location};

/// It fills the table of this process.
#[test]
fn a_line_keeps_its_number_and_one_that_finds_no_place_has_none() {
    // To the table, each copy is a line, as it has an address of its own.
    let copies: &[Location<'static>] = vec![*Location::caller(); 2 * MOST_LINES].leak();
    let number_of = |copy| find_or_enter(ptr::from_ref::<Location<'_>>(copy).cast_mut());
    let lines: Vec<u32> = copies.iter().map(number_of).collect();
    let known: Vec<_> = lines.iter().zip(copies).filter(|(line, _)| **line != 0).collect();
    assert!((MOST_LINES / 2..=MOST_LINES).contains(&known.len()), "{}", known.len());
    let numbers: BTreeSet<u32> = known.iter().map(|(line, _)| **line).collect();
    assert_eq!(numbers.len(), known.len(), "a number is one line's");
    for (line, copy) in known {
        assert!(ptr::eq(location(*line as usize - 1).unwrap(), copy));
    }
    assert!(copies.iter().map(number_of).eq(lines), "they keep their numbers");
}
