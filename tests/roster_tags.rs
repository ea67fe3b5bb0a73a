//! Tags are taken in turn. Alone in its process: every roster that anybody makes takes one.

use typed_pool::Roster;

#[test]
fn any_256_rosters_in_a_row_tell_their_handles_apart() {
    let mut rosters: Vec<Roster<usize>> = (0..300)
        .map(|n| {
            // These have no memory, and take no tag.
            drop((Roster::<u8>::new(), Roster::<u8>::bounded(0)));
            let mut roster = Roster::from_iter([n]);
            // Nor do further chunks.
            roster.reserve(1000 * (n % 4));
            roster
        })
        .collect();
    let handles: Vec<_> = rosters.iter().map(|roster| roster.handles().next().unwrap()).collect();
    for (ours, roster) in rosters.iter_mut().enumerate() {
        for (theirs, &handle) in handles.iter().enumerate() {
            let is_same_tag = ours % 256 == theirs % 256;
            assert_eq!(roster.contains(handle), is_same_tag, "{ours} and {theirs}");
            assert_eq!(roster.get(handle).copied(), is_same_tag.then_some(ours));
            if ours != theirs && !is_same_tag {
                assert_eq!((roster.remove(handle), roster.detach(handle)), (None, None));
            }
        }
    }

    // A clone has its original's handles, and memory that comes back brings no new tag.
    let mut first = rosters.swap_remove(0);
    assert_eq!(first.clone().get(handles[0]), Some(&0));
    first.clear();
    first.shrink_to_fit();
    let mut second = Roster::clone(&first);
    for roster in [&mut first, &mut second] {
        roster.extend(0..10_000);
        assert!(roster.stats().chunks > 1);
        let tag = handles[0].to_bits() >> 56;
        assert!(roster.handles().all(|handle| handle.to_bits() >> 56 == tag));
    }
    #[cfg(feature = "serde")]
    a_tag_that_is_read_is_passed();
}

/// Part of the test above, since that is alone in its process.
#[cfg(feature = "serde")]
fn a_tag_that_is_read_is_passed() {
    let new = || (Roster::from_iter([0_u8]).handles().next().unwrap().to_bits() >> 56) as u8;
    let mut next = new().wrapping_add(1);
    for (ahead, passed) in [(0, 1), (5, 6), (127, 128), (128, 0), (200, 0), (255, 0)] {
        let tag = next.wrapping_add(ahead);
        let text = format!(
            r#"{{"tag":{tag},"limit":null,"slots":[],"detached":[],"order":null,"elements":[]}}"#
        );
        let read: Roster<u8> = serde_json::from_str(&text).unwrap();
        assert!(read.is_empty());
        assert_eq!(new(), next.wrapping_add(passed), "{ahead} ahead");
        next = next.wrapping_add(passed + 1);
    }
}
