//! How long frames took, in both kinds of memory.

use std::collections::VecDeque;

use crate::world::Times;

/// Frames that are remembered.
pub const FRAMES: usize = 240;

#[derive(Default)]
pub struct History {
    /// Whether it ran in pools, and its seconds.
    pub frames: VecDeque<(bool, Times)>,
    /// Means of pools, and of `Box`: of the last frames in that memory.
    means: [Option<Times>; 2],
}

impl Times {
    pub fn parts(self) -> [f64; 4] {
        [self.build, self.queries, self.teardown, self.moves]
    }

    pub fn total(self) -> f64 {
        self.parts().iter().sum()
    }

    fn towards(self, other: Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            teardown: mix(self.teardown, other.teardown),
            moves: mix(self.moves, other.moves),
            build: mix(self.build, other.build),
            queries: mix(self.queries, other.queries),
        }
    }
}

pub const PARTS: [&str; 4] = ["build the tree", "query it", "drop it", "move, spawn, die"];

impl History {
    pub fn record(&mut self, in_pools: bool, times: Times) {
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back((in_pools, times));
        let mean = &mut self.means[usize::from(!in_pools)];
        *mean = Some(mean.map_or(times, |mean| mean.towards(times, 0.05)));
    }

    /// Of pools, then of `Box`.
    pub fn means(&self) -> [Option<Times>; 2] {
        self.means
    }
}
