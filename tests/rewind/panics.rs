//! Clones and destructors that panic.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{Handle, Rewind};

thread_local! {
    /// How many times each value is alive.
    static ALIVE: RefCell<BTreeMap<u32, usize>> = const { RefCell::new(BTreeMap::new()) };
    /// After how many clones one panics.
    static CLONES: Cell<usize> = const { Cell::new(usize::MAX) };
    /// After how many destructors one panics.
    static DROPS: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn count_down(left: &'static std::thread::LocalKey<Cell<usize>>) {
    let now = left.get();
    left.set(now.wrapping_sub(1));
    if now == 0 && !std::thread::panicking() {
        panic!("made up");
    }
}

#[derive(Debug, PartialEq)]
struct Fragile(u32);

impl Fragile {
    fn new(number: u32) -> Self {
        ALIVE.with_borrow_mut(|alive| *alive.entry(number).or_default() += 1);
        Self(number)
    }
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        count_down(&CLONES);
        Self::new(self.0)
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        ALIVE.with_borrow_mut(|alive| {
            let count = alive.get_mut(&self.0).filter(|count| **count > 0);
            *count.expect("an element is dropped once") -= 1;
        });
        count_down(&DROPS);
    }
}

/// Runs a program with a panic at each point in turn, until there is none.
fn at_each_point(
    fuse: &'static std::thread::LocalKey<Cell<usize>>,
    program: impl Fn(&mut Rewind<Fragile>),
) {
    for point in 0.. {
        let mut world: Rewind<Fragile> = Rewind::new();
        fuse.set(point);
        let result = catch_unwind(AssertUnwindSafe(|| program(&mut world)));
        fuse.set(usize::MAX);
        // It can be used as before.
        let mark = world.mark();
        let len = world.len();
        world.clear();
        world.rewind(mark).unwrap();
        assert_eq!(world.len(), len);
        world.confirm_all();
        drop(world);
        ALIVE.with_borrow(|alive| assert!(alive.values().all(|&count| count == 0), "{alive:?}"));
        if result.is_ok() {
            assert!(point > 0, "nothing was tried");
            return;
        }
    }
}

fn filled(world: &mut Rewind<Fragile>) -> Vec<Handle<Fragile>> {
    (0..20).map(|number| world.insert(Fragile::new(number))).collect()
}

/// Writes without a value that would be dropped.
fn raise(fragile: &mut Fragile) {
    ALIVE.with_borrow_mut(|alive| {
        *alive.entry(fragile.0).or_default() -= 1;
        fragile.0 += 100;
        *alive.entry(fragile.0).or_default() += 1;
    });
}

#[test]
fn a_clone_panics() {
    let program = |world: &mut Rewind<Fragile>| {
        let handles = filled(world);
        let mark = world.mark();
        handles[..4].iter().filter_map(|&handle| world.get_mut(handle).map(raise)).count();
        if let Some([a, b]) = world.get_disjoint_mut([handles[4], handles[5]]) {
            raise(a);
            raise(b);
        }
        world.values_mut().skip(6).step_by(2).for_each(|mut element| raise(&mut element));
        world.retain(|handle, element| {
            if handle.index() % 3 == 0 {
                raise(element);
            }
            handle.index() % 5 != 0
        });
        drop(world.detach(handles[7]));
        world.values_mut().for_each(|mut element| raise(&mut element));
        // Copies.
        let _ = world.mark();
        world.values_mut().for_each(|mut element| raise(&mut element));
        world.rewind(mark).unwrap();
        assert!(world.values().map(|element| element.0).eq(0..20));
    };
    at_each_point(&CLONES, program);
}

#[test]
fn a_clone_that_panics_changes_nothing() {
    for point in 0..60 {
        let mut world = Rewind::new();
        let handles = filled(&mut world);
        let first = world.mark();
        world.values_mut().for_each(|mut element| raise(&mut element));
        let second = world.mark(); // copies
        CLONES.set(point);
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let third = world.mark();
            world.remove(handles[3]);
            world.values_mut().for_each(|mut element| raise(&mut element));
            world.confirm(second);
            let _ = world.mark();
            world.values_mut().for_each(|mut element| raise(&mut element));
            world.rewind(third).unwrap();
        }));
        CLONES.set(usize::MAX);
        world.rewind(second).unwrap();
        assert!(world.values().map(|element| element.0).eq(100..120));
        if world.knows(first) {
            world.rewind(first).unwrap();
            assert!(world.values().map(|element| element.0).eq(0..20));
        }
    }
}

#[test]
fn a_destructor_panics() {
    let program = |world: &mut Rewind<Fragile>| {
        let handles = filled(world);
        let first = world.mark();
        handles[..5].iter().for_each(|&handle| assert!(world.remove(handle)));
        world.values_mut().for_each(|mut element| raise(&mut element));
        let second = world.mark();
        (50..55).for_each(|number| {
            world.insert(Fragile::new(number));
        });
        world.retain(|_, element| element.0 % 2 == 0);
        let _ = world.mark();
        world.rewind(second).unwrap();
        world.clear();
        world.confirm(second);
        assert!(!world.knows(first));
        world.rewind(second).unwrap();
        assert_eq!(world.len(), 15);
        world.clear();
        world.confirm_all();
    };
    at_each_point(&DROPS, program);
}

#[test]
fn a_destructor_that_panics_undoes_nothing() {
    for point in 0..30 {
        let mut world = Rewind::new();
        filled(&mut world);
        let mark = world.mark();
        world.values_mut().for_each(|mut element| raise(&mut element));
        world.insert(Fragile::new(70));
        DROPS.set(point);
        let _ = catch_unwind(AssertUnwindSafe(|| world.rewind(mark)));
        DROPS.set(usize::MAX);
        assert!(world.values().map(|element| element.0).eq(0..20), "all was in order before");
        assert_eq!(world.changes(mark).count(), 0);
    }
}

#[test]
fn what_a_constructor_saw_is_stale() {
    let mut world = Rewind::new();
    let mark = world.mark();
    let mut seen = None;
    let result = catch_unwind(AssertUnwindSafe(|| {
        world.insert_with(|handle| {
            seen = Some(handle);
            panic!("made up")
        })
    }));
    assert!(result.is_err());
    let seen = seen.unwrap();
    assert!(!world.contains(seen));
    assert_ne!(world.insert(Fragile::new(1)), seen);
    // Nothing of it has happened.
    world.rewind(mark).unwrap();
    assert_eq!(world.insert(Fragile::new(2)), seen);
}

/// A destructor has panicked, and another does where a mark takes what the first left over: there is no such mark.
#[test]
fn a_mark_that_panics_is_none() {
    let mut world: Rewind<Fragile> = (0..8).map(Fragile::new).collect();
    let first = world.handles().next().unwrap();
    for _ in 0..4 {
        let _ = world.mark();
        // All are written to, so that the later marks copy.
        world.values_mut().for_each(|mut element| *element = Fragile::new(element.0 + 1));
    }
    let last = world.mark();
    let fails_once = |action: &mut dyn FnMut()| {
        DROPS.set(0);
        let has_panicked = catch_unwind(AssertUnwindSafe(action)).is_err();
        DROPS.set(usize::MAX);
        has_panicked
    };
    assert!(fails_once(&mut || world.confirm(last)));
    assert!(fails_once(&mut || _ = world.mark()));
    world[first] = Fragile::new(50);
    let mark = world.mark();
    world[first] = Fragile::new(60);
    world.rewind(mark).unwrap();
    assert_eq!(world[first], Fragile::new(50));
}
