//! A guard with a behaviour tree. Its nodes are trait objects, each in the pool of its type. The actions of its leaves are closures, which
//! have no type to derive a pool for, so they lie in pools by layout.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example behaviours
//! ```

use Status::{Failure, Running, Success};
use typed_pool::{PoolBox, PoolObject, Pooled, any, unsize};

/// The result of a node's tick.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Status {
    Success,
    Failure,
    /// Go on here next time.
    Running,
}

/// The supertrait [`PoolObject`] lets a `PoolBox<dyn Node>` return its slot to the pool of its type.
trait Node: PoolObject {
    fn tick(&mut self, world: &mut World) -> Status;
}

/// All children, one after the other, until one fails.
#[derive(Pooled)]
struct Sequence {
    children: Vec<PoolBox<dyn Node>>,
    current: usize,
}

impl Node for Sequence {
    fn tick(&mut self, world: &mut World) -> Status {
        while let Some(child) = self.children.get_mut(self.current) {
            match child.tick(world) {
                Success => self.current += 1,
                Running => return Running,
                Failure => {
                    self.current = 0;
                    return Failure;
                }
            }
        }
        self.current = 0;
        Success
    }
}

/// The first child that does not fail.
#[derive(Pooled)]
struct Selector {
    children: Vec<PoolBox<dyn Node>>,
}

impl Node for Selector {
    fn tick(&mut self, world: &mut World) -> Status {
        let mut statuses = self.children.iter_mut().map(|child| child.tick(world));
        statuses.find(|&status| status != Failure).unwrap_or(Failure)
    }
}

/// Something to see or to do. `any::Box` takes any closure, whatever it captures.
#[derive(Pooled)]
struct Leaf {
    act: any::Box<dyn FnMut(&mut World) -> Status>,
}

impl Node for Leaf {
    fn tick(&mut self, world: &mut World) -> Status {
        (self.act)(world)
    }
}

fn sequence(children: Vec<PoolBox<dyn Node>>) -> PoolBox<dyn Node> {
    unsize!(PoolBox::new(Sequence { children, current: 0 }) => dyn Node)
}

fn leaf(act: impl FnMut(&mut World) -> Status + 'static) -> PoolBox<dyn Node> {
    let act = unsize!(any::Box::new(act) => dyn FnMut(&mut World) -> Status);
    unsize!(PoolBox::new(Leaf { act }) => dyn Node)
}

/// Catches thieves, sleeps when tired, and patrols otherwise.
fn guard() -> PoolBox<dyn Node> {
    let sees_a_thief = leaf(|world| if world.thief.is_some() { Success } else { Failure });
    let chase = leaf(|world| {
        world.energy -= 1;
        world.thief.map_or(Failure, |thief| world.walk(thief))
    });
    let catch = leaf(|world| {
        world.caught += 1;
        world.thief.take().map_or(Failure, |_| Success)
    });
    let is_tired = leaf(|world| if world.energy <= 2 { Success } else { Failure });
    let go_home = leaf(|world| world.walk(HOME));
    let mut slept = 0;
    let nap = leaf(move |world| {
        world.energy += 3;
        slept += 1;
        if slept % 2 == 0 { Success } else { Running }
    });
    let mut goal = GATE;
    let patrol = leaf(move |world| {
        if world.walk(goal) == Success {
            goal = HOME + GATE - goal;
            world.energy -= 1;
        }
        Running
    });
    let children = vec![
        sequence(vec![sees_a_thief, chase, catch]),
        sequence(vec![is_tired, go_home, nap]),
        patrol,
    ];
    unsize!(PoolBox::new(Selector { children }) => dyn Node)
}

const HOME: i32 = 0;
const GATE: i32 = 4;

/// One guard in a lane, and now and then a thief.
struct World {
    guard: i32,
    thief: Option<i32>,
    energy: i32,
    caught: u32,
}

impl World {
    /// A step; two on the run.
    fn walk(&mut self, goal: i32) -> Status {
        self.guard += (goal - self.guard).clamp(-2, 2);
        if self.guard == goal { Success } else { Running }
    }
}

fn main() {
    let mut tree = guard();
    let mut world = World { guard: HOME, thief: None, energy: 9, caught: 0 };
    let mut night = String::new();
    for hour in 0..24 {
        if hour % 8 == 3 {
            world.thief = Some(7);
        }
        let status = tree.tick(&mut world);
        night += &format!("{hour:2}: at {}, energy {}: {status:?}\n", world.guard, world.energy);
    }
    println!("{night}{} thieves caught", world.caught);
    assert_eq!(world.caught, 3);
    assert!(night.contains(" 5: at 7, energy 5: Success\n"));
    assert!(night.contains("18: at 0, energy 7: Success\n"));

    let live = || [Leaf::pool_stats().live, Sequence::pool_stats().live];
    println!("\n{}", typed_pool::report());
    assert_eq!(live(), [7, 2]);
    drop(tree);
    assert_eq!(live(), [0, 0]);
}

#[test]
fn the_guard_does_its_duty() {
    main();
}
