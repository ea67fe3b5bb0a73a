//! Uses without a panic: leaks, orders of marks, elements without a size, other threads, saving.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use typed_pool::{ChangeKind, Rewind, Roster};

#[test]
fn destructors_wait_for_the_confirmation() {
    let rc = Rc::new(());
    let count = || Rc::strong_count(&rc) - 1;
    let mut world: Rewind<Rc<()>> = (0..8).map(|_| rc.clone()).collect();
    let handles: Vec<_> = world.handles().collect();
    let first = world.mark();
    world.remove(handles[0]);
    let second = world.mark();
    world.remove(handles[1]);
    let transient = world.insert(rc.clone());
    world.remove(transient);
    assert_eq!(count(), 8, "nobody can get back what came and went");
    world.confirm(first);
    assert_eq!(count(), 8);
    world.confirm(second);
    assert_eq!(count(), 7, "what was removed before the second mark");
    world.rewind(second).unwrap();
    assert_eq!(count(), 7);
    assert!(world.contains(handles[1]));
    world.remove(handles[1]);
    world.confirm_all();
    assert_eq!((count(), world.len()), (6, 6));
    world.remove(handles[2]);
    assert_eq!(count(), 5, "without a mark, at once");
}

#[test]
fn rewound_removals_cost_no_clone() {
    struct NoClone(u32);

    impl Clone for NoClone {
        fn clone(&self) -> Self {
            panic!("{}", self.0)
        }
    }

    let mut world: Rewind<NoClone> = (0..100).map(NoClone).collect();
    let mark = world.mark();
    world.retain(|_, element| element.0 % 3 == 0);
    world.clear();
    world.extend((0..10).map(NoClone));
    world.rewind(mark).unwrap();
    assert!(world.values().map(|element| element.0).eq(0..100));
}

#[test]
fn elements_may_have_no_size() {
    let mut world: Rewind<()> = (0..100).map(|_| ()).collect();
    let mark = world.mark();
    world.retain(|handle, _| handle.index() % 2 == 0);
    world.values_mut().for_each(|mut element| *element = ());
    assert_eq!(world.changes(mark).filter(|change| change.kind == ChangeKind::Removed).count(), 50);
    let _ = world.mark();
    world.clear();
    world.rewind(mark).unwrap();
    assert_eq!(world.len(), 100);
    assert!((1..100_000).contains(&world.stats().log_bytes), "{}", world.stats());
}

#[test]
#[should_panic = "no changes of the rewind of `u32`: the mark is forgotten: a later one was confirmed"]
fn changes_since_a_forgotten_mark_are_refused() {
    let mut world: Rewind<u32> = Rewind::new();
    let (first, second) = (world.mark(), world.mark());
    world.confirm(second);
    let _ = world.changes(first);
}

#[cfg(feature = "view")]
#[test]
fn the_log_is_among_the_bytes_that_are_reported() {
    let mut world: Rewind<[u64; 8]> = (0..100).map(|number| [number; 8]).collect();
    let _ = world.mark();
    let before = world.stats().bytes;
    world.values_mut().for_each(|mut numbers| numbers[0] += 1);
    let _ = world.mark();
    let stats = world.stats();
    assert!(stats.bytes >= before + 100 * 64);
    assert!(stats.log_bytes > 100 * 64 && stats.to_string().contains("in a log"));
    let report = typed_pool::report().with(stats);
    let row = report.rows().iter().find(|row| row.type_name == stats.name).unwrap();
    assert_eq!((row.bytes, row.live), (stats.bytes, Some(100)));
}

#[test]
fn threads_may_have_it() {
    fn is_sync<T: Send + Sync>(_: &T) {}

    let mut world: Rewind<u32> = (0..10).collect();
    let mark = world.mark();
    world.values_mut().for_each(|mut number| *number += 1);
    is_sync(&world);
    std::thread::scope(|scope| {
        scope.spawn(|| assert_eq!(world.changes(mark).count(), 10));
        scope.spawn(|| assert_eq!(world.values().sum::<u32>(), 55));
    });
}

#[test]
fn a_clone_has_no_marks() {
    let mut world: Rewind<u32> = Rewind::from(Roster::from_iter(0..10));
    let mark = world.mark();
    let copy = world.clone();
    assert!(!copy.knows(mark));
    assert_eq!(copy, world);
    assert_eq!(copy.stats().log_bytes, 0);
    world.clear();
    assert_ne!(copy, world);
}

#[cfg(feature = "serde")]
#[test]
fn is_saved_as_its_roster() {
    let mut world: Rewind<u32> = (0..10).collect();
    let mark = world.mark();
    world.retain(|_, number| **number > 4);
    let saved = serde_json::to_string(&world).unwrap();
    assert_eq!(saved, serde_json::to_string(&*world).unwrap());
    let read: Rewind<u32> = serde_json::from_str(&saved).unwrap();
    assert!(!read.knows(mark));
    assert_eq!(read, world);
}

#[test]
fn elements_that_are_taken_out_are_clones_where_a_rewind_needs_them() {
    let rc = Rc::new(());
    let mut world: Rewind<(u32, Rc<()>)> = (0..6).map(|number| (number, rc.clone())).collect();
    let taken: Vec<_> = world.extract_if(|_, element| element.0 < 2).collect();
    assert_eq!((taken.len(), world.len(), Rc::strong_count(&rc)), (2, 4, 7));
    drop(taken);

    let mark = world.mark();
    let transient = world.insert((9, rc.clone()));
    let mut all = world.extract_if(|handle, element| handle == transient || element.0 == 3);
    assert_eq!((all.next().unwrap().1.0, all.next().unwrap().1.0), (9, 3));
    assert!(all.next().is_none() && all.next().is_none());
    drop(all);
    assert_eq!((world.len(), Rc::strong_count(&rc)), (3, 5), "the log has one");
    assert!(world.extract_if(|_, _| true).next().is_some());
    assert_eq!(world.len(), 2, "what the iterator does not come to stays");
    world.rewind(mark).unwrap();
    assert!(world.values().map(|element| element.0).eq(2..6));

    let panics = AssertUnwindSafe(|| world.extract_if(|_, _| panic!("no")).next());
    assert!(catch_unwind(panics).is_err());
    assert_eq!(world.len(), 4);
}

#[test]
fn elements_that_no_rewind_needs_are_not_cloned() {
    struct Counted(Rc<Cell<u32>>);
    impl Clone for Counted {
        fn clone(&self) -> Self {
            self.0.set(self.0.get() + 1);
            Self(self.0.clone())
        }
    }
    let clones = Rc::new(Cell::new(0));
    let mut world: Rewind<Counted> = (0..3).map(|_| Counted(clones.clone())).collect();
    let _mark = world.mark();
    (0..5).for_each(|_| _ = world.insert(Counted(clones.clone())));
    assert_eq!((world.extract_if(|handle, _| handle.index() >= 3).count(), clones.get()), (5, 0));
    assert_eq!((world.extract_if(|_, _| true).count(), clones.get()), (3, 3));
}
