//! What a slot can be: detached, retired, in a frame stack, without a size.

use typed_pool::pools::SlotUse;
use typed_pool::{FrameStack, LocalFrameStack, Pooled, Roster};

use crate::slots_in;

#[test]
fn a_detached_slot_is_occupied() {
    let mut roster = Roster::bounded(4);
    let handles = [1, 2].map(|n| roster.insert(n));
    roster.detach(handles[0]);
    let map = roster.map();
    assert_eq!((map.live(), map.vacant()), (1, 2));
    assert_eq!(slots_in(&map, |slot| slot == SlotUse::Detached).len(), 1);
    assert_eq!(map.chunks().next().unwrap().occupied(), 2);
    roster.release(handles[0]);
    assert_eq!(roster.map().vacant(), 3);
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
fn the_blocks_of_a_frame_stack() {
    fn check(used: usize, map: &typed_pool::pools::PoolMap) {
        assert!(map.is_of_bytes());
        assert_eq!((map.slot_bytes(), map.live()), (1, used));
        assert_eq!(map.live() + map.vacant(), map.slots());
    }

    let mut frame = LocalFrameStack::with_capacity(1000);
    check(0, &frame.map());
    assert_eq!(frame.map().chunks().len(), 0);
    frame.alloc_slice(&[0_u8; 700]);
    check(700, &frame.map());
    assert_eq!(frame.map().slots(), 1000);
    let start = frame.alloc_slice(&[0_u8; 100]).as_ptr().addr();
    assert_eq!(frame.map().slot_at(start), Some(SlotUse::Live));
    assert_eq!(frame.map().slot_at(start + 100), Some(SlotUse::Vacant));
    assert_eq!(frame.map().longest_vacant_run(), 200);
    frame.alloc_slice(&[0_u8; 3000]);
    check(frame.used(), &frame.map());
    assert_eq!((frame.map().chunks().len(), frame.map().slots()), (2, frame.capacity()));
    let all = frame.map().returnable_bytes();
    assert_eq!(frame.trim(), all);

    let shared = FrameStack::bounded(64);
    shared.alloc(1_u64);
    check(8, &shared.map());
}

#[test]
fn elements_without_a_size() {
    let mut roster: Roster<()> = std::iter::repeat_n((), 10).collect();
    let first = roster.handles().next().unwrap();
    roster.remove(first);
    let map = roster.map();
    assert_eq!((map.slot_bytes(), map.live(), map.vacant()), (0, 9, roster.capacity() - 9));
    assert_eq!(map.slot_at(8), None);
}
