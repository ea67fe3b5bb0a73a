//! The last five seconds, to be wound back: what was there in each frame, in rosters that remember what changes.

use std::collections::VecDeque;

use typed_pool::{Mark, Rewind, Rewindable};

use crate::memory::Memory;
use crate::tree::Tree;
use crate::world::{AREA, Bullet, Rest, Spark, World};

/// Frames in five seconds.
const LENGTH: usize = 300;

#[derive(Default, Rewindable)]
pub struct Film {
    bullets: Rewind<Bullet>,
    shots: Rewind<Bullet>,
    sparks: Rewind<Spark>,
    #[rewind(clone)]
    rest: Option<Rest>,
    #[rewind(skip)]
    frames: VecDeque<Mark>,
}

impl Film {
    /// Takes a frame, and forgets the one of five seconds ago.
    pub fn record<M: Memory>(&mut self, world: &World<M>) {
        follow(&mut self.bullets, world.bullets.iter().map(|bullet| **bullet));
        follow(&mut self.shots, world.shots.iter().map(|shot| **shot));
        follow(&mut self.sparks, world.sparks.iter().map(|spark| **spark));
        self.rest = Some(world.rest());
        let frame = self.mark();
        self.frames.push_back(frame);
        if self.frames.len() > LENGTH {
            self.frames.pop_front();
            self.confirm(self.frames[0]);
        }
    }

    /// Makes the world as it was a frame ago, until there is none.
    pub fn wind_back<M: Memory>(&mut self, world: &mut World<M>) {
        if self.frames.len() < 2 {
            return;
        }
        self.frames.pop_back();
        let frame = self.frames[self.frames.len() - 1];
        self.rewind(frame).expect("frames are confirmed up to the oldest that is kept");
        let Some(rest) = self.rest else { return };
        // The present objects are dropped first, so that their slots are used again.
        world.tree = None;
        world.bullets.clear();
        world.shots.clear();
        world.sparks.clear();
        world.bullets.extend(self.bullets.values().map(|bullet| M::bullet(*bullet)));
        world.shots.extend(self.shots.values().map(|shot| M::bullet(*shot)));
        world.sparks.extend(self.sparks.values().map(|spark| M::spark(*spark)));
        world.set_rest(rest);
        world.tree = Some(Tree::build(AREA, &world.bullets));
    }
}

/// Writes what is there now over what was, so that the order is the same.
fn follow<T: Copy>(past: &mut Rewind<T>, mut now: impl Iterator<Item = T>) {
    past.retain(|_, element| match now.next() {
        Some(new) => {
            **element = new;
            true
        }
        None => false,
    });
    past.extend(now);
}
