//! Rosters have their slots in chunks with the feature, too.

use typed_pool::{Pooled, Roster};

use crate::{MANY, Sum, heap_of};

/// Once there is room, the heap is not asked for an element.
fn elements_lie_in_chunks<T>(roster: &mut Roster<T>, make: impl Fn() -> T) {
    roster.reserve(MANY);
    let chunks = roster.stats().chunks;
    assert!(chunks > 0);
    let fill_and_clear = || {
        roster.extend((0..MANY).map(|_| make()));
        roster.clear();
    };
    let ((), asked, given) = heap_of(fill_and_clear);
    assert_eq!((asked, given), (Sum::NONE, Sum::NONE));
    assert_eq!(roster.stats().chunks, chunks);
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct OfThread(#[expect(dead_code)] [u32; 7]);

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct OfAll(#[expect(dead_code)] [u32; 7]);

#[test]
fn rosters_have_chunks() {
    elements_lie_in_chunks(&mut Roster::new(), || [1_u32; 7]);
    OfThread::pool_with(|roster| elements_lie_in_chunks(roster, || OfThread([1; 7])));
    OfAll::pool_with(|roster| elements_lie_in_chunks(roster, || OfAll([1; 7])));
}
