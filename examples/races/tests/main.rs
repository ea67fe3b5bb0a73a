//! The parts of the programs, each below the name of what it runs.

#[path = "../common/mod.rs"]
mod common;

#[path = "../quadtree"]
mod quadtree {
    use super::common;

    pub(crate) mod heaps;
    pub(crate) mod options;
    pub(crate) mod race;
    pub(crate) mod report;
    pub(crate) mod tree;
    pub(crate) mod world;
}

#[path = "../bullet_hell"]
mod bullet_hell {
    use super::common;

    pub(crate) mod backends;
    pub(crate) mod game;
    pub(crate) mod options;
    pub(crate) mod race;
    pub(crate) mod report;
}

#[path = "../workers"]
mod workers {
    use super::common;

    pub(crate) mod jobs;
    pub(crate) mod options;
    pub(crate) mod report;
}

mod bodies_in_a_quadtree;
mod bullets_that_follow_monsters;
mod workers_of_a_shared_pool;
