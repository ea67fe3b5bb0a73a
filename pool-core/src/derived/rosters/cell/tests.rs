//! Loans come back.

use super::*;

/// A guard on a coroutine's stack may come to another thread, or to one whose thread-locals were made anew.
#[test]
fn what_is_lent_goes_back_to_its_own_cell_only() {
    let [cell, other] = [(); 2].map(|()| RosterCell::new(Config::new()));
    let handle = cell.borrow::<true>().expect("nobody has it").insert(1);
    let read = cell.lend::<false>().expect("nobody writes");
    assert_eq!(read.roster.get(handle), Some(&1));
    let read = read.end(&other).expect("it is another's");
    assert!(cell.borrow::<true>().is_none() && cell.borrow::<false>().is_some());
    assert!(read.end(&cell).is_none());

    let mut taken = cell.lend::<true>().expect("nobody has it");
    taken.roster.insert(2);
    assert!(other.lend::<false>().expect("nobody writes").end(&other).is_none());
    let taken = taken.end(&other).expect("it is another's");
    assert!(cell.borrow::<false>().is_none());
    assert!(other.borrow::<true>().expect("nobody has it").is_empty());
    assert!(taken.end(&cell).is_none());
    let mut roster = cell.borrow::<true>().expect("nobody has it");
    assert_eq!((roster.len(), roster.get(handle)), (2, Some(&1)));
    drop(mem::take(&mut *roster));
}
