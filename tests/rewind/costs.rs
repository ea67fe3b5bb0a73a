//! Memory of the log, and which marks it knows.

use std::cell::Cell;

use typed_pool::{Forgotten, Mark, Rewind, Rewindable};

#[test]
fn what_nobody_can_get_back_is_not_kept() {
    let mut world: Rewind<[u64; 8]> = Rewind::new();
    let _ = world.mark();
    for number in 0..100_000 {
        let handle = world.insert([number; 8]);
        world[handle][0] += 1;
        assert!(world.remove(handle));
    }
    assert!(world.stats().log_bytes < 4096, "{}", world.stats());
}

/// Returns the bytes of the log after a steady game of small frames.
fn log_bytes_of_small_frames(world: &mut Rewind<[u64; 8]>) -> usize {
    for frame in 0..1_000 {
        let mark = world.mark();
        world.confirm(mark);
        world.values_mut().skip(frame % 64).step_by(64).for_each(|mut element| element[0] += 1);
        let handle = world.insert([1; 8]);
        world.remove(handle);
    }
    world.stats().log_bytes
}

#[test]
fn memory_goes_back_after_a_burst() {
    let new = || -> Rewind<[u64; 8]> { (0..4_096).map(|number| [number; 8]).collect() };
    let usual = log_bytes_of_small_frames(&mut new());
    for share in [2, 1] {
        let mut world = new();
        let mut last = world.mark();
        for _ in 0..100 {
            world.values_mut().step_by(share).for_each(|mut element| element[1] += 1);
            last = world.mark();
        }
        assert!(world.stats().log_bytes > 100 * 4_096 / share * 64);
        world.confirm(last);
        let after = log_bytes_of_small_frames(&mut world);
        assert!(after <= 2 * usual, "{after} after a burst, {usual} without");
    }
}

#[test]
fn a_mark_of_another_rewind_is_foreign() {
    let mut worlds = [(); 2].map(|()| Rewind::from_iter(0..4));
    let [here, there] = worlds.each_mut().map(Rewind::mark);
    assert_ne!(here, there);
    let [world, other] = &mut worlds;
    world.clear();
    assert_eq!(world.rewind(there), Err(Forgotten::Foreign));
    world.confirm(there);
    assert!(world.knows(here) && !world.knows(there));
    assert_eq!(Rewind::<u32>::new().rewind(here), Err(Forgotten::Foreign));
    let later = other.mark();
    other.confirm(later);
    assert_eq!(other.rewind(there), Err(Forgotten::Confirmed));
    let latest = other.mark();
    other.rewind(later).unwrap();
    assert_eq!(other.rewind(latest), Err(Forgotten::Rewound));
    other.confirm_all();
    assert_eq!(other.rewind(later), Err(Forgotten::Confirmed));
    let whys =
        [Forgotten::Confirmed, Forgotten::Rewound, Forgotten::Foreign].map(|why| why.to_string());
    assert!(whys[0] != whys[1] && whys[1] != whys[2]);
}

/// A part that knows its mark, or says that it does not.
#[derive(Default)]
struct ByHand {
    things: Rewind<u32>,
    refuses: bool,
}

impl Rewindable for ByHand {
    fn mark(&mut self) -> Mark {
        self.things.mark()
    }

    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        if self.refuses { Err(Forgotten::Confirmed) } else { self.things.rewind(mark) }
    }

    fn confirm(&mut self, mark: Mark) {
        self.things.confirm(mark);
    }

    fn knows(&mut self, mark: Mark) -> bool {
        !self.refuses && self.things.knows(mark)
    }
}

#[derive(Rewindable, Default)]
struct Hands {
    host: Rewind<u32>,
    first: ByHand,
    second: ByHand,
}

#[test]
fn if_one_part_refuses_the_others_have_not_changed() {
    let mut world = Hands::default();
    let mark = world.mark();
    for things in [&mut world.host, &mut world.first.things, &mut world.second.things] {
        things.insert(1);
    }
    world.second.refuses = true;
    assert!(!world.knows(mark));
    assert_eq!(world.rewind(mark), Err(Forgotten::Confirmed));
    let lens =
        |world: &Hands| [&world.host, &world.first.things, &world.second.things].map(|t| t.len());
    assert_eq!(lens(&world), [1; 3]);
    world.second.refuses = false;
    assert_eq!((world.knows(mark), world.rewind(mark)), (true, Ok(())));
    assert_eq!(lens(&world), [0; 3]);
}

#[derive(Rewindable)]
struct Watched {
    things: Rewind<u32>,
    #[rewind(clone)]
    value: Alive,
}

thread_local!(static ALIVE: Cell<usize> = const { Cell::new(0) });

struct Alive(u32);

impl Clone for Alive {
    fn clone(&self) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(self.0)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

/// A value beside the rewind is kept once for each mark, and once more for the next rewind.
#[test]
fn values_are_kept_once_a_mark() {
    ALIVE.set(1);
    let mut world = Watched { things: Rewind::new(), value: Alive(0) };
    for round in 0..100 {
        let marks = [(); 8].map(|()| world.mark());
        world.things.insert(round);
        world.value = Alive(round);
        ALIVE.set(ALIVE.get() + 1);
        world.rewind(marks[3]).unwrap();
        assert_eq!(world.value.0, 0);
        world.confirm(marks[0]);
        assert!(ALIVE.get() <= 1 + 4 + 8 + 8, "{}", ALIVE.get());
        world.confirm(marks[3]);
    }
    drop(world);
    assert_eq!(ALIVE.get(), 0);
}
