//! How long frames took, in both kinds of memory.

use std::collections::VecDeque;

use crate::world::Times;

/// Frames that are remembered.
pub const FRAMES: usize = 240;

#[derive(Default)]
pub struct History {
    /// Whether it ran in pools, and its seconds.
    pub frames: VecDeque<(bool, Times)>,
    /// For pools and for `Box`: the number of frames, and the mean of the last ones.
    means: [(usize, Times); 2],
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
        // Over many: a browser's clock may tick ten times in a millisecond, and a part of a frame takes less.
        let (count, mean) = &mut self.means[usize::from(!in_pools)];
        *count += 1;
        *mean = mean.towards(times, 1.0 / FRAMES.min(*count) as f64);
    }

    /// The means of pools and of `Box`.
    pub fn means(&self) -> [Option<Times>; 2] {
        self.means.map(|(count, mean)| (count > 0).then_some(mean))
    }
}
