use alloc::vec::Vec;
use core::panic::Location;
use core::ptr::{self, NonNull};

use super::lines::{Line, PLACES, bucket};
use super::{enter, leave};

fn slot(address: usize) -> NonNull<u8> {
    NonNull::new(ptr::without_provenance_mut(address)).unwrap()
}

#[test]
fn a_slot_has_the_line_that_took_it_last_until_it_is_given_back() {
    let slots: Vec<_> = (1..2000).map(|number| slot(number * 8)).collect();
    let location = Location::caller();
    slots.iter().for_each(|&slot| Line(Some(location)).enter(slot));
    assert!(slots.iter().all(|&slot| Line::of(slot) == Line(Some(location))));
    enter(slots[7]);
    assert_eq!(Line::of(slots[7]).0.unwrap().line(), line!() - 1);
    slots.iter().for_each(|&slot| leave(slot));
    assert!(slots.iter().all(|&slot| Line::of(slot) == Line(None)));
}

#[test]
fn a_slot_that_finds_no_place_has_no_line_until_another_leaves() {
    let all: Vec<_> =
        (1 << 20..).filter(|&at| ptr::eq(bucket(at), bucket(1 << 20))).take(PLACES + 1).collect();
    let all: Vec<_> = all.into_iter().map(slot).collect();
    let last = all[PLACES];
    all.iter().for_each(|&slot| enter(slot));
    assert!(all[..PLACES].iter().all(|&slot| Line::of(slot) != Line(None)));
    assert_eq!(Line::of(last), Line(None));
    leave(last);
    leave(all[3]);
    enter(last);
    assert_eq!(Line::of(last).0.unwrap().line(), line!() - 1);
    assert_eq!(Line::of(all[3]), Line(None));
    all.iter().for_each(|&slot| leave(slot));
}
