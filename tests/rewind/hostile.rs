//! Programs that do what none should: thousands of marks, and elements that are leaked while they are lent.

use std::mem::ManuallyDrop;

use typed_pool::{Forgotten, Handle, Mark, Rewind};

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
