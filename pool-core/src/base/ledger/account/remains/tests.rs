use alloc::vec::Vec;

use super::{MOST, add, forget, remove, show};
use crate::base::watch::sites::Line;

fn shown(account: usize) -> Vec<u32> {
    let mut lines = Vec::new();
    show(account, &mut |line| lines.push(line.number()));
    lines
}

/// It fills the table of this process.
#[test]
fn what_finds_no_place_is_not_kept_and_a_pool_that_is_forgotten_makes_room() {
    // Accounts of no pool.
    let (one, other) = (1, 2);
    let most = MOST as u32;
    (1..=most + 10).for_each(|line| add(one, Line::with_number(line)));
    assert!(shown(one).into_iter().eq(1..=most), "each line once, as long as there are places");
    add(one, Line::with_number(7));
    remove(one, Line::with_number(1));
    remove(one, Line::with_number(most + 1));
    add(other, Line::with_number(7));
    let expected = (2..=7).chain(7..=most);
    assert!(shown(one).into_iter().eq(expected) && shown(other).is_empty());
    forget(one);
    add(other, Line::with_number(7));
    assert_eq!((shown(one), shown(other)), (Vec::new(), Vec::from([7])));
    forget(other);
}
