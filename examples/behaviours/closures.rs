//! The tree as closures. A closure's type has no name, so nothing can be derived for it; a pool by layout takes it as it
//! is, whatever it captures.

use typed_pool::{any, unsize};

use super::world::{Failure, Running, Status, Success, World};

/// Two words, and called like a function.
pub(crate) type Behaviour = any::Box<dyn FnMut(&mut World) -> Status>;

fn behaviour(tick: impl FnMut(&mut World) -> Status + 'static) -> Behaviour {
    unsize!(any::Box::new(tick) => dyn FnMut(&mut World) -> Status)
}

/// All children, one after the other, until one fails.
fn sequence(mut children: Vec<Behaviour>) -> Behaviour {
    let mut current = 0;
    behaviour(move |world| {
        while let Some(child) = children.get_mut(current) {
            match child(world) {
                Success => current += 1,
                Running => return Running,
                Failure => {
                    current = 0;
                    return Failure;
                }
            }
        }
        current = 0;
        Success
    })
}

/// The first child that does not fail.
fn selector(mut children: Vec<Behaviour>) -> Behaviour {
    behaviour(move |world| {
        let mut statuses = children.iter_mut().map(|child| child(world));
        statuses.find(|&status| status != Failure).unwrap_or(Failure)
    })
}

/// Takes a few ticks.
fn nap(ticks: u32) -> Behaviour {
    let mut slept = 0;
    behaviour(move |world| {
        world.rest();
        slept += 1;
        if slept < ticks {
            return Running;
        }
        slept = 0;
        Success
    })
}

pub(crate) fn guard() -> Behaviour {
    selector(vec![
        sequence(vec![
            behaviour(World::sees_a_thief),
            behaviour(World::chase),
            behaviour(World::catch),
        ]),
        sequence(vec![behaviour(World::is_tired), behaviour(World::go_home), nap(2)]),
        behaviour(World::patrol),
    ])
}
