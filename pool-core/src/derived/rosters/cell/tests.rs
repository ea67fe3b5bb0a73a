//! Loans come back.

use core::mem;

use super::*;

/// A guard on a coroutine's stack may come to another thread, or to one whose thread-locals were made anew.
#[test]
fn what_is_lent_goes_back_to_its_own_cell_only() {
    let [cell, other] = [(); 2].map(|()| RosterCell::new(Config::new()));
    let handle = cell.try_borrow_mut().expect("nobody has it").insert(1);
    let mut read = cell.lend::<false>().expect("nobody writes");
    assert_eq!(read.roster.get(handle), Some(&1));
    // SAFETY: nothing ends.
    assert!(!unsafe { read.end(&other) });
    assert!(cell.try_borrow_mut().is_none() && cell.try_borrow().is_some());
    // SAFETY: it is not used afterwards.
    assert!(unsafe { read.end(&cell) });

    let mut taken = cell.lend::<true>().expect("nobody has it");
    taken.roster.insert(2);
    other.number();
    // SAFETY: nothing ends.
    assert!(!unsafe { taken.end(&other) });
    assert!(cell.try_borrow().is_none());
    assert!(other.try_borrow_mut().expect("nobody has it").is_empty());
    // SAFETY: it is not used afterwards.
    assert!(unsafe { taken.end(&cell) });
    let mut roster = cell.try_borrow_mut().expect("nobody has it");
    assert_eq!((roster.len(), roster.get(handle)), (2, Some(&1)));
    drop(mem::take(&mut *roster));
}
