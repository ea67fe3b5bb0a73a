//! Worlds of several rewinds and plain state.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::{Forgotten, Mark, Rewind, Rewindable, SecondaryMap};

#[derive(Rewindable, Default)]
struct Inner {
    #[rewind(clone)]
    seed: String,
    things: Rewind<u32>,
    #[rewind(clone)]
    names: SecondaryMap<u32, &'static str>,
}

#[derive(Rewindable, Default)]
struct World<T: Clone> {
    #[rewind(clone)]
    tick: u64,
    inner: Inner,
    others: Rewind<T>,
    #[rewind(clone)]
    title: String,
    #[rewind(skip)]
    drawn: usize,
}

/// Names that the derive must not be misled by.
mod hygiene {
    #![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

    struct Option;
    struct Result;
    struct u64;
    struct usize;
    struct bool;
    struct Mark;
    struct Forgotten;
    trait Rewindable {}

    // The names that the derive uses itself.
    static mark: ::core::primitive::u8 = 0;
    static show: ::core::primitive::u8 = 1;

    #[derive(::typed_pool::Rewindable)]
    pub(super) struct r#World<
        '__a,
        '__a_: '__a,
        const __show: ::core::primitive::usize,
        T: ::core::clone::Clone + '__a,
    >
    where
        T: 'static,
    {
        pub(super) things: ::typed_pool::Rewind<[(&'__a_ ::core::primitive::u8, T); __show]>,
        #[rewind(clone)]
        pub(super) r#type: for<'__a__> fn(&'__a__ T) -> ::core::primitive::u8,
        #[rewind(skip)]
        pub(super) borrowed: &'__a ::core::primitive::str,
    }

    /// A type's own items are found before those of its traits.
    impl World<'_, '_, 1, ::core::primitive::u8> {
        pub(super) fn mark(&self) -> ::core::primitive::u8 {
            mark
        }

        fn __parts(&self) -> ::core::primitive::u8 {
            show
        }
    }
}

#[test]
fn names_do_not_matter() {
    let things = Rewind::from_iter([[(&1, 2)]]);
    let mut world = hygiene::World { things, r#type: |_| 3, borrowed: "text" };
    let mark = Rewindable::mark(&mut world);
    world.things.clear();
    world.r#type = |&number| number;
    Rewindable::rewind(&mut world, mark).unwrap();
    assert_eq!((world.things.len(), (world.r#type)(&4), world.borrowed), (1, 3, "text"));
    assert_eq!(world.mark(), 0);
}

fn step(world: &mut World<String>) {
    world.tick += 1;
    world.drawn += 1;
    world.title = format!("tick {}", world.tick);
    world.inner.seed.push('x');
    let thing = world.inner.things.insert(world.tick as u32);
    world.inner.names.insert(thing, "thing");
    world.others.insert(world.title.clone());
}

#[test]
fn all_parts_go_back_together() {
    let mut world = World::default();
    let mut marks = Vec::new();
    for _ in 0..10 {
        marks.push(world.mark());
        step(&mut world);
    }
    let look = |world: &World<String>| {
        let inner = &world.inner;
        let lens = [inner.seed.len(), inner.things.len(), inner.names.len(), world.others.len()];
        (world.tick, world.title.clone(), lens, world.drawn)
    };
    assert_eq!(look(&world), (10, "tick 10".into(), [10; 4], 10));
    world.rewind(marks[4]).unwrap();
    assert_eq!(look(&world), (4, "tick 4".into(), [4; 4], 10));
    assert_eq!(world.rewind(marks[5]), Err(Forgotten::Rewound));
    // What `unwrap` shows.
    let shown = format!("{:?}", Forgotten::Confirmed);
    assert!(shown.starts_with("Forgotten: the mark is forgotten: a later one"), "{shown}");
    step(&mut world);
    world.rewind(marks[4]).unwrap();
    assert_eq!(look(&world), (4, "tick 4".into(), [4; 4], 11));
    world.confirm(marks[2]);
    assert_eq!(world.rewind(marks[1]), Err(Forgotten::Confirmed));
    world.rewind(marks[2]).unwrap();
    assert_eq!(look(&world), (2, "tick 2".into(), [2; 4], 11));
}

#[test]
fn parts_may_have_marks_of_their_own() {
    let mut world = World::default();
    let before = world.mark();
    step(&mut world);
    let own = world.others.mark();
    world.others.clear();
    let _ = world.inner.mark();
    let _ = world.inner.things.mark();
    let mark = world.mark();
    step(&mut world);
    world.rewind(mark).unwrap();
    assert_eq!((world.others.len(), world.tick), (0, 1));
    world.others.rewind(own).unwrap();
    assert_eq!(world.others.len(), 1);
    // One part has forgotten it, so nothing changes.
    step(&mut world);
    assert_eq!(world.rewind(mark), Err(Forgotten::Rewound));
    assert_eq!((world.tick, world.inner.things.len()), (2, 2));
    world.rewind(before).unwrap();
    assert_eq!((world.tick, world.inner.things.len(), world.others.len()), (0, 0, 0));
}

/// A world under another name, by hand.
struct ByHand(Rewind<u32>);

impl Rewindable for ByHand {
    fn mark(&mut self) -> Mark {
        self.0.mark()
    }

    fn rewind(&mut self, mark: Mark) -> Result<(), Forgotten> {
        self.0.rewind(mark)
    }

    fn confirm(&mut self, mark: Mark) {
        self.0.confirm(mark);
    }
}

#[derive(Rewindable)]
struct Holder {
    first: Rewind<u32>,
    second: ByHand,
}

#[test]
fn parts_by_hand_are_marked_with_the_others() {
    let mut holder = Holder { first: Rewind::new(), second: ByHand(Rewind::new()) };
    let mark = holder.mark();
    holder.first.insert(1);
    holder.second.0.insert(1);
    holder.rewind(mark).unwrap();
    assert_eq!((holder.first.len(), holder.second.0.len()), (0, 0));
    // It has marks of its own, so it does not matter that one part has more of them.
    let _ = holder.first.mark();
    holder.second.0.insert(2);
    let second = holder.mark();
    holder.second.0.clear();
    holder.rewind(second).unwrap();
    assert_eq!((holder.first.len(), holder.second.0.len()), (0, 1));
    // It may refuse, and then nothing has changed.
    holder.first.insert(3);
    holder.second.0.confirm_all();
    assert_eq!(holder.rewind(second), Err(Forgotten::Confirmed));
    assert_eq!((holder.first.len(), holder.second.0.len()), (1, 1));
    holder.confirm(second);
    assert_eq!(holder.rewind(mark), Err(Forgotten::Confirmed));
}

thread_local! {
    /// After how many clones and destructors one panics.
    static FUSE: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A value whose clone and destructor may panic.
#[derive(Debug, PartialEq)]
struct Fragile(u32);

fn burn() {
    let left = FUSE.get();
    FUSE.set(left.wrapping_sub(1));
    assert!(left != 0 || std::thread::panicking(), "made up");
}

impl Clone for Fragile {
    fn clone(&self) -> Self {
        burn();
        Self(self.0)
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        burn();
    }
}

#[derive(Rewindable)]
struct Deepest {
    things: Rewind<Fragile>,
    #[rewind(clone)]
    value: Fragile,
}

#[derive(Rewindable)]
struct Deeper {
    #[rewind(clone)]
    value: Fragile,
    deepest: Deepest,
    things: Rewind<Fragile>,
}

#[derive(Rewindable)]
struct Deep {
    things: Rewind<Fragile>,
    deeper: Deeper,
    #[rewind(clone)]
    value: Fragile,
}

impl Deep {
    fn of(number: u32) -> Self {
        let things = || Rewind::from_iter([Fragile(number)]);
        let deepest = Deepest { things: things(), value: Fragile(number) };
        let deeper = Deeper { value: Fragile(number), deepest, things: things() };
        Self { things: things(), deeper, value: Fragile(number) }
    }

    fn write(&mut self, number: u32) {
        let Self { things, deeper, value } = self;
        for things in [things, &mut deeper.things, &mut deeper.deepest.things] {
            things.values_mut().for_each(|mut thing| thing.0 = number);
        }
        for value in [value, &mut deeper.value, &mut deeper.deepest.value] {
            value.0 = number;
        }
    }

    /// The number that all its values have.
    fn number(&self) -> u32 {
        let things = [&self.things, &self.deeper.things, &self.deeper.deepest.things];
        let values = [&self.value, &self.deeper.value, &self.deeper.deepest.value];
        let all: Vec<u32> = things
            .iter()
            .flat_map(|things| things.values())
            .chain(values)
            .map(|value| value.0)
            .collect();
        assert_eq!(all, [all[0]; 6], "half gone back");
        all[0]
    }
}

#[test]
fn a_world_goes_back_as_a_whole_or_not_at_all() {
    for panics_after in 0.. {
        let mut world = Deep::of(1);
        let first = world.mark();
        world.write(2);
        let second = world.mark();
        world.write(3);
        FUSE.set(panics_after);
        let result = catch_unwind(AssertUnwindSafe(|| {
            world.rewind(second).unwrap();
            world.rewind(first).unwrap();
            let _ = world.mark();
            world.confirm(first);
        }));
        FUSE.set(usize::MAX);
        world.number();
        let known = world.rewind(first);
        assert_eq!((known, world.number()), (Ok(()), 1));
        if result.is_ok() {
            assert!(panics_after > 12, "each clone and each destructor was tried");
            return;
        }
    }
}

#[derive(Rewindable, Default)]
struct Twins {
    one: Rewind<u8>,
    other: Rewind<u8>,
}

#[derive(Rewindable, Default)]
struct TwinTwins(Twins, Twins, #[rewind(clone)] u8);

#[test]
fn marks_that_all_parts_made_alone_are_none_of_the_whole() {
    let mut world = TwinTwins::default();
    let rewinds = |world: &mut TwinTwins| {
        let TwinTwins(a, b, _) = world;
        [&mut a.one, &mut a.other, &mut b.one, &mut b.other].map(Rewind::mark)
    };
    let alone = rewinds(&mut world)[0];
    let in_twos = world.0.mark();
    assert_ne!(world.1.mark(), in_twos);
    world.0.one.insert(1);
    assert_eq!([alone, in_twos].map(|mark| world.rewind(mark)), [Err(Forgotten::Foreign); 2]);
    assert_eq!((world.0.rewind(alone), world.0.one.len()), (Err(Forgotten::Foreign), 1));
    assert_eq!((world.0.rewind(in_twos), world.0.one.len()), (Ok(()), 0));
}

#[test]
fn the_mark_of_a_part_is_none_of_the_whole() {
    let mut world = Deep::of(1);
    // All have a first mark now, which they made alone.
    let [mark, other] = [world.things.mark(), world.deeper.things.mark()];
    let inner = world.deeper.deepest.mark();
    world.write(2);
    for mark in [mark, other, inner] {
        assert_eq!(world.rewind(mark), Err(Forgotten::Foreign));
        world.confirm(mark);
    }
    assert_eq!(world.number(), 2);
    let whole = world.mark();
    assert!(whole > mark);
    assert_eq!(world.deeper.rewind(inner), Err(Forgotten::Foreign));
    // A part knows the mark of the whole.
    world.write(3);
    world.deeper.rewind(whole).unwrap();
    assert_eq!((world.deeper.value.0, world.deeper.deepest.value.0, world.value.0), (2, 2, 3));
    world.things.rewind(whole).unwrap();
    world.rewind(whole).unwrap();
    assert_eq!(world.number(), 2);
}
