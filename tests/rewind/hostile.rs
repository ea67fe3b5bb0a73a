//! Programs that do what none should: thousands of marks.

use fastrand::Rng;
use typed_pool::{Forgotten, Handle, Mark, Rewind};

fn change(world: &mut Rewind<String>, random: &mut Rng) {
    let handles: Vec<_> = world.handles().collect();
    for _ in 0..random.usize(..4) {
        let handle = handles.get(random.usize(..24)).copied().unwrap_or(Handle::DANGLING);
        match random.usize(..6) {
            0 | 1 if handles.len() < 24 => _ = world.insert(format!("new {}", random.usize(..100))),
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
    let mut random = Rng::with_seed(7);
    let mut world = Rewind::<String>::new();
    let mut marks: Vec<(Mark, State)> = Vec::new();
    let rounds = if cfg!(miri) { 200 } else { 20_000 };
    let mut most = 0;
    for round in 0..rounds {
        let state = world.iter().map(|(handle, text)| (handle, text.clone())).collect();
        marks.push((world.mark(), state));
        most = most.max(marks.len());
        change(&mut world, &mut random);
        match random.usize(..2_000) {
            0 => {
                let (first, _) = marks.remove(0);
                marks.drain(..random.usize(..marks.len().max(1)));
                if let Some((mark, _)) = marks.first() {
                    world.confirm(*mark);
                    assert_eq!(world.rewind(first), Err(Forgotten::Confirmed));
                }
            }
            1 => {
                let at = random.usize(..marks.len());
                world.rewind(marks[at].0).unwrap();
                assert!(world.iter().map(|(h, text)| (h, text.clone())).eq(marks[at].1.clone()));
                marks.truncate(at + 1);
            }
            _ => {}
        }
        if round % 1_000 == 0 {
            assert!(world.changes(marks[0].0).count() <= 2 * world.capacity());
        }
    }
    assert!(most > 1_000 || cfg!(miri), "{most} marks at once");
    // All of them, one after the other.
    for (mark, state) in marks.iter().rev() {
        world.rewind(*mark).unwrap();
        assert!(world.iter().map(|(handle, text)| (handle, text.clone())).eq(state.clone()));
    }
}
