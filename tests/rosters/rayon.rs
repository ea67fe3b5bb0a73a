//! Iteration on all cores: every element once, whatever the occupancy.

#![cfg(feature = "rayon")]

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use typed_pool::Roster;

/// Rosters with this many slots: all live, one in a few, or a run.
fn rosters<T>(make: impl Fn(usize) -> T) -> Vec<Roster<T>> {
    let mut rosters = Vec::new();
    for slots in [0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000, 20_000] {
        let kept: [fn(usize, usize) -> bool; 7] = [
            |_, _| true,
            |_, _| false,
            |at, _| at % 2 == 0,
            |at, _| at % 97 == 5,
            |at, slots| at == slots - 1,
            |at, slots| at < slots / 3,
            |at, _| at / 64 % 2 == 1,
        ];
        for kept in kept {
            let mut roster: Roster<T> = (0..slots).map(&make).collect();
            roster.retain(|handle, _| kept(handle.index(), slots));
            rosters.push(roster);
        }
    }
    let mut reserved = Roster::with_capacity(100_000);
    reserved.extend((0..10).map(make));
    rosters.push(reserved);
    rosters
}

fn in_pools(test: impl Fn() + Sync) {
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&test);
    }
}

#[test]
fn every_element_once_and_in_order() {
    in_pools(|| {
        for mut roster in rosters(|n| n.to_string()) {
            let expected: Vec<_> = roster.iter().map(|(handle, s)| (handle, s.clone())).collect();
            let handles: Vec<_> = expected.iter().map(|(handle, _)| *handle).collect();
            let pairs: Vec<_> = roster.par_iter().map(|(handle, s)| (handle, s.clone())).collect();
            assert_eq!(pairs, expected);
            let values: Vec<_> = roster.par_values().collect();
            assert!(values.into_iter().eq(roster.values()));
            assert_eq!(roster.par_values().count(), roster.len());
            assert_eq!(roster.par_iter().count(), expected.len());
            assert_eq!(roster.par_iter_mut().count(), expected.len());

            let addresses = roster.par_values_mut().map(|s| (&raw const *s).addr());
            assert_eq!(addresses.collect::<HashSet<_>>().len(), expected.len(), "distinct");
            roster.par_values_mut().for_each(|s| s.push('!'));
            roster.par_iter_mut().for_each(|(handle, s)| s.push_str(&handle.index().to_string()));
            for (handle, s) in expected {
                assert_eq!(roster[handle], format!("{s}!{}", handle.index()));
            }
            let changed: Vec<_> = roster.par_iter_mut().map(|(handle, _)| handle).collect();
            assert_eq!(changed, handles);
        }
    });
}

/// The first element waits for the last, which another thread reaches if it has a part of its own.
#[test]
fn two_threads_share_the_elements() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let roster: Roster<usize> = (0..1000).collect();
    let deadline = Instant::now() + Duration::from_secs(60);
    let has_come = AtomicBool::new(false);
    let is_met = AtomicBool::new(false);
    pool.install(|| {
        roster.par_values().for_each(|&at| match at {
            0 => {
                while !has_come.load(Ordering::Relaxed) && Instant::now() < deadline {
                    std::thread::yield_now();
                }
                is_met.store(has_come.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            999 => has_come.store(true, Ordering::Relaxed),
            _ => {}
        });
    });
    assert!(is_met.into_inner());
}

#[test]
fn elements_without_size() {
    in_pools(|| {
        for mut roster in rosters(|_| ()) {
            assert_eq!(roster.par_values().count(), roster.len());
            let mut handles: Vec<_> = roster.par_iter_mut().map(|(handle, ())| handle).collect();
            handles.dedup();
            assert!(handles.into_iter().eq(roster.handles()));
        }
    });
}

/// Can be sent and not be shared: the owner of a `&mut` may use it on any thread.
#[test]
fn elements_that_are_send_alone() {
    let mut roster: Roster<std::cell::Cell<u32>> = (0..1000).map(std::cell::Cell::new).collect();
    roster.par_values_mut().for_each(|cell| cell.set(cell.get() + 1));
    assert!(roster.values().map(std::cell::Cell::get).eq(1..=1000));
}

#[test]
fn a_panic_comes_through_and_the_roster_is_whole() {
    let mut roster: Roster<String> = (0..5000).map(|n| n.to_string()).collect();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        roster.par_values_mut().for_each(|s| {
            s.push('!');
            assert_ne!(s, "2500!");
        });
    }));
    assert!(caught.is_err());
    assert_eq!(roster.par_values().count(), 5000);
    roster.clear();
}

#[test]
fn a_search_stops() {
    let roster: Roster<usize> = (0..100_000).collect();
    in_pools(|| {
        let looked_at = AtomicUsize::new(0);
        let found = roster.par_iter().find_any(|&(_, &n)| {
            looked_at.fetch_add(1, Ordering::Relaxed);
            n == 70
        });
        assert_eq!(found.map(|(handle, _)| handle.index()), Some(70));
        // Several threads may be through with the rest before the one that finds it comes to it.
        assert!(looked_at.into_inner() < 100_000 || rayon::current_num_threads() > 1);
    });
}
