//! Programs that do what nobody should: thousands of marks, and elements that are leaked while they are lent.

use std::mem::ManuallyDrop;

use typed_pool::{Forgotten, Handle, Mark, Rewind, Rewindable};

/// The same numbers each time.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn change(world: &mut Rewind<String>, random: &mut Random) {
    let handles: Vec<_> = world.handles().collect();
    for _ in 0..random.below(4) {
        let handle = handles.get(random.below(24)).copied().unwrap_or(Handle::DANGLING);
        match random.below(6) {
            0 | 1 if handles.len() < 24 => _ = world.insert(format!("new {}", random.below(100))),
            2 => _ = world.remove(handle),
            3 => world.get_mut(handle).into_iter().for_each(|text| text.push('!')),
            4 => world.values_mut().for_each(|mut text| text.truncate(5)),
            _ => _ = world.detach(handle).map(|text| world.reattach(handle, text + "?")),
        }
    }
}

type State = Vec<(Handle<String>, String)>;

#[test]
fn thousands_of_marks() {
    let mut random = Random(7);
    let mut world = Rewind::<String>::new();
    let mut marks: Vec<(Mark, State)> = Vec::new();
    let rounds = if cfg!(miri) { 200 } else { 20_000 };
    let mut most = 0;
    for round in 0..rounds {
        let state = world.iter().map(|(handle, text)| (handle, text.clone())).collect();
        marks.push((world.mark(), state));
        most = most.max(marks.len());
        change(&mut world, &mut random);
        match random.below(2_000) {
            0 => {
                let (first, _) = marks.remove(0);
                marks.drain(..random.below(marks.len().max(1)));
                if let Some((mark, _)) = marks.first() {
                    world.confirm(*mark);
                    assert_eq!(world.rewind(first), Err(Forgotten::Confirmed));
                }
            }
            1 => {
                let at = random.below(marks.len());
                world.rewind(marks[at].0).unwrap();
                assert!(world.iter().map(|(h, text)| (h, text.clone())).eq(marks[at].1.clone()));
                marks.truncate(at + 1);
            }
            _ => {}
        }
        if round % 1_000 == 0 {
            assert!(world.changes(marks[0].0).count() <= 2 * world.capacity());
            world.shrink_to_fit();
        }
    }
    assert!(most > 1_000 || cfg!(miri), "{most} marks at once");
    // All of them, one after the other.
    for (mark, state) in marks.iter().rev() {
        world.rewind(*mark).unwrap();
        assert!(world.iter().map(|(handle, text)| (handle, text.clone())).eq(state.clone()));
    }
}

#[test]
fn what_is_leaked_while_it_is_lent() {
    let mut world: Rewind<String> = (0..20).map(|number| number.to_string()).collect();
    let before = world.clone();
    let first = world.mark();
    for copies in [false, true] {
        let mark = world.mark();
        let middle = world.clone();
        for (number, mut text) in world.values_mut().enumerate() {
            if number % 3 > 0 || copies {
                text.push('x');
            }
            if number % 2 > 0 {
                _ = ManuallyDrop::new(text);
            }
        }
        let mut elements = world.iter_mut();
        _ = ManuallyDrop::new(elements.nth(4));
        _ = ManuallyDrop::new(elements);
        world.retain(|handle, text| {
            text.push('y');
            handle.index() != 7
        });
        _ = ManuallyDrop::new(world.get_mut(world.handle_of_slot(3).unwrap()));
        world.rewind(mark).unwrap();
        assert_eq!(world, middle);
        world.values_mut().for_each(|mut text| text.push('z'));
    }
    world.rewind(first).unwrap();
    assert_eq!(world, before);
}

#[derive(Rewindable, Default)]
struct Outer {
    texts: Rewind<String>,
    inner: Inner,
    #[rewind(clone)]
    frame: usize,
}

#[derive(Rewindable, Default)]
struct Inner {
    texts: Rewind<String>,
    deepest: Deepest,
    #[rewind(clone)]
    log: Vec<usize>,
}

#[derive(Rewindable, Default)]
struct Deepest {
    #[rewind(clone)]
    name: String,
    texts: Rewind<String>,
}

#[test]
fn worlds_in_worlds_with_many_marks() {
    let mut random = Random(11);
    let mut world = Outer::default();
    let mut marks = Vec::new();
    for frame in 0..if cfg!(miri) { 50 } else { 3_000 } {
        let state = (world.texts.clone(), world.inner.texts.clone());
        let deepest = (world.inner.deepest.texts.clone(), world.inner.deepest.name.clone());
        marks.push((world.mark(), state, deepest, world.inner.log.clone(), world.frame));
        change(&mut world.texts, &mut random);
        change(&mut world.inner.texts, &mut random);
        change(&mut world.inner.deepest.texts, &mut random);
        (world.frame, world.inner.deepest.name) = (frame, frame.to_string());
        world.inner.log.push(frame);
        if random.below(20) == 0 {
            // A part alone: the world's marks stay what they were, or are forgotten as a whole.
            let own = world.inner.deepest.mark();
            change(&mut world.inner.deepest.texts, &mut random);
            world.inner.deepest.rewind(own).unwrap();
        }
        if random.below(30) == 0 {
            let at = random.below(marks.len());
            let (mark, state, deepest, log, frame) = &marks[at];
            world.rewind(*mark).unwrap();
            assert_eq!((&world.texts, &world.inner.texts), (&state.0, &state.1));
            assert_eq!(
                (&world.inner.deepest.texts, &world.inner.deepest.name),
                (&deepest.0, &deepest.1)
            );
            assert_eq!((&world.inner.log, world.frame), (log, *frame));
            marks.truncate(at + 1);
        }
        if marks.len() > 200 {
            let (forgotten, ..) = marks.remove(0);
            world.confirm(marks[0].0);
            assert_eq!(world.rewind(forgotten), Err(Forgotten::Confirmed));
        }
    }
}

/// Clones and destructors panic at random, amid marks, rewinds and confirms: each element is dropped once, and the rewind goes on.
#[test]
fn clones_and_destructors_panic() {
    use std::cell::{Cell, RefCell};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    thread_local! {
        static ALIVE: Cell<usize> = const { Cell::new(0) };
        static PANICS: Cell<bool> = const { Cell::new(false) };
        static RANDOM: RefCell<Random> = const { RefCell::new(Random(3)) };
    }

    struct Wild(u32);

    impl Wild {
        fn new(number: u32) -> Self {
            ALIVE.set(ALIVE.get() + 1);
            Self(number)
        }
    }

    impl Clone for Wild {
        fn clone(&self) -> Self {
            may_panic();
            Self::new(self.0)
        }
    }

    impl Drop for Wild {
        fn drop(&mut self) {
            ALIVE.set(ALIVE.get().checked_sub(1).expect("each is dropped once"));
            may_panic();
        }
    }

    fn draw(bound: usize) -> usize {
        RANDOM.with_borrow_mut(|random| random.below(bound))
    }

    fn may_panic() {
        if PANICS.get() && !std::thread::panicking() && draw(40) == 0 {
            std::panic::resume_unwind(Box::new("made up"));
        }
    }

    let (mut world, mut marks) = (Rewind::<Wild>::new(), Vec::new());
    for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
        let mark = (!marks.is_empty()).then(|| marks[draw(marks.len())]);
        let any = draw(8);
        let any = world.handles().nth(any);
        PANICS.set(true);
        let _ = catch_unwind(AssertUnwindSafe(|| match (draw(10), mark, any) {
            (0..=3, ..) => _ = world.insert(Wild::new(1)),
            (4, _, Some(any)) => drop(world.remove(any)),
            (5, _, Some(any)) => world.get_mut(any).into_iter().for_each(|wild| wild.0 += 1),
            (6, Some(mark), _) => _ = world.rewind(mark),
            (7, Some(mark), _) => world.confirm(mark),
            (8, ..) => marks.push(world.mark()),
            (9, ..) if draw(20) == 0 => world.clear(),
            _ => {}
        }));
        PANICS.set(false);
        if marks.len() > 12 {
            marks.drain(..6);
        }
        assert_eq!(world.values().count(), world.len());
    }
    world.confirm_all();
    assert_eq!(ALIVE.get(), world.len(), "nothing is remembered, and what is left is what lives");
    drop(world);
    assert_eq!(ALIVE.get(), 0);
}
