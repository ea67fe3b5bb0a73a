//! Tags are taken in turn. Alone in its process: every roster that anybody makes takes one.

use typed_pool::Roster;

#[test]
fn any_256_rosters_in_a_row_tell_their_handles_apart() {
    let mut rosters: Vec<Roster<usize>> = (0..300)
        .map(|n| {
            // These have no memory, and take no tag.
            drop((Roster::<u8>::new(), Roster::<u8>::bounded(0)));
            Roster::from_iter([n])
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
    assert_eq!(first.insert(1).to_bits() >> 56, handles[0].to_bits() >> 56);
}
