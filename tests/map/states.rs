//! States of a slot: detached, retired, without a size.

use typed_pool::pools::SlotUse;
use typed_pool::{Pooled, Roster};

use crate::{count, is_free, slots_in};

#[test]
fn a_detached_slot_is_occupied() {
    let mut roster = Roster::bounded(4);
    let handles = [1, 2].map(|n| roster.insert(n));
    let _ = roster.detach(handles[0]);
    let map = roster.map();
    assert_eq!((map.live(), count(&map, is_free)), (1, 2));
    assert_eq!(slots_in(&map, |slot| slot == SlotUse::Detached).len(), 1);
    roster.release(handles[0]);
    assert_eq!(slots_in(&roster.map(), |slot| slot == SlotUse::Vacant).len(), 1);
    assert_eq!(slots_in(&roster.map(), |slot| slot == SlotUse::NeverUsed).len(), 2);
}

#[test]
fn a_lent_roster_is_mapped_by_its_argument() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Lent(u64);

    Lent::pool_insert(Lent(1));
    assert_eq!(Lent::pool_with(|all| all.map().live()), 1);
    let guard = Lent::pool_borrow();
    assert_eq!((guard.map().live(), Lent::pool_map().live()), (1, 1));
    drop(guard);
    Lent::pool_clear();
}

#[test]
#[should_panic(expected = "is in use")]
fn a_roster_in_use_has_no_map() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct InUse(u64);

    InUse::pool_with(|_| InUse::pool_map());
}

#[test]
fn elements_without_a_size() {
    let mut roster: Roster<()> = std::iter::repeat_n((), 10).collect();
    let first = roster.handles().next().unwrap();
    roster.remove(first);
    let map = roster.map();
    assert_eq!((map.slot_bytes(), map.live(), count(&map, is_free)), (0, 9, roster.capacity() - 9));
}
