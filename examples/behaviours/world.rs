//! What the guard sees and does: the leaves of both trees.

use std::fmt;

/// What came of a tick of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Success,
    Failure,
    /// Go on here next time.
    Running,
}

pub(crate) use Status::{Failure, Running, Success};

impl From<bool> for Status {
    fn from(is_so: bool) -> Self {
        if is_so { Success } else { Failure }
    }
}

const TICKS: u32 = 24;
const HOME: i32 = 0;
const GATE: i32 = 4;

/// One guard in a lane, and now and then a thief.
pub(crate) struct World {
    guard: i32,
    goal: i32,
    thief: Option<i32>,
    energy: i32,
    pub(crate) caught: u32,
    log: Vec<String>,
}

impl World {
    /// A night of the guard that `tick` controls.
    pub(crate) fn night(mut tick: impl FnMut(&mut Self) -> Status) -> Self {
        let mut world =
            Self { guard: HOME, goal: GATE, thief: None, energy: 9, caught: 0, log: Vec::new() };
        for hour in 0..TICKS {
            if hour % 8 == 3 {
                world.thief = Some(7);
            }
            let status = tick(&mut world);
            let World { guard, energy, .. } = world;
            world.log.push(format!("{hour:2}: at {guard}, energy {energy}: {status:?}"));
        }
        world
    }

    pub(crate) fn sees_a_thief(&mut self) -> Status {
        self.thief.is_some().into()
    }

    pub(crate) fn is_tired(&mut self) -> Status {
        (self.energy <= 2).into()
    }

    pub(crate) fn chase(&mut self) -> Status {
        let Some(thief) = self.thief else { return Failure };
        self.energy -= 1;
        self.walk(thief)
    }

    pub(crate) fn catch(&mut self) -> Status {
        self.caught += 1;
        self.thief.take().is_some().into()
    }

    pub(crate) fn go_home(&mut self) -> Status {
        self.walk(HOME)
    }

    pub(crate) fn rest(&mut self) {
        self.energy += 3;
    }

    pub(crate) fn patrol(&mut self) -> Status {
        if self.walk(self.goal) == Success {
            self.goal = HOME + GATE - self.goal;
            self.energy -= 1;
        }
        Running
    }

    /// A step; two on the run.
    fn walk(&mut self, goal: i32) -> Status {
        self.guard += (goal - self.guard).clamp(-2, 2);
        if self.guard == goal { Success } else { Running }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.log {
            writeln!(f, "{line}")?;
        }
        write!(f, "{} thieves caught", self.caught)
    }
}
