//! Tags are taken in turn. Alone in its process, since every new roster takes one.

use std::thread;

use typed_pool::{Pooled, Roster};

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
        let tag = handles[0].tag();
        assert!(roster.handles().all(|handle| handle.tag() == tag));
    }
    a_thread_after_255_others_has_the_tag_of_the_first();
    #[cfg(feature = "serde")]
    those_that_are_read_are_told_apart_from_those_that_are_made();
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Local(u32);

/// Part of the test above, since that is alone in its process.
fn a_thread_after_255_others_has_the_tag_of_the_first() {
    let ours = Local::pool_insert(Local(1));
    for nth in 1..=256 {
        let found = thread::spawn(move || {
            Local::pool_insert(Local(2));
            Local::pool_get(ours, |local| local.0)
        });
        // An element of the right type, in the same slot and of the same generation.
        assert_eq!(found.join().unwrap(), (nth == 256).then_some(2), "thread {nth}");
    }
    assert_eq!(Local::pool_get(ours, |local| local.0), Some(1));
}

/// Part of the test above, too.
#[cfg(feature = "serde")]
fn those_that_are_read_are_told_apart_from_those_that_are_made() {
    fn tag(roster: &Roster<u32>) -> u8 {
        roster.handles().next().unwrap().tag()
    }
    let read = |tag: u8| -> Roster<u32> {
        let text = format!("[{tag},null,false,[[0,1,0]],[]]");
        serde_json::from_str(&text).unwrap()
    };
    // One after another, the tag of each, and whether it was made.
    let mut tags: Vec<(u8, bool)> = Vec::new();
    let mut rng = fastrand::Rng::with_seed(14);
    // Few that are read, and many; of any tags, and of those that come next.
    for (percent, ahead) in [(0, 256), (1, 256), (1, 3), (10, 3), (10, 256), (50, 20), (90, 256)] {
        for _ in 0..2000 {
            let last = tags.last().map_or(0, |&(tag, _)| tag);
            let is_made = rng.u32(..100) >= percent;
            let roster = if is_made {
                Roster::from_iter([1])
            } else {
                read(last.wrapping_add(1).wrapping_add(rng.u32(..ahead) as u8))
            };
            let tag = tag(&roster);
            let before = tags.len().saturating_sub(255);
            let is_new = tags[before..].iter().all(|&(other, _)| other != tag);
            assert!(is_new || !is_made, "tag {tag} after {:?}", &tags[before..]);
            tags.push((tag, is_made));
        }
    }
    // What is refused has brought nothing along.
    let next = tag(&Roster::from_iter([1])).wrapping_add(1);
    assert!(serde_json::from_str::<Roster<u32>>(&format!(r#"{{"tag":{next}}}"#)).is_err());
}
