//! Static pools: one for the whole process, with a capacity, growing, and as rosters.

mod fixed;
mod growing;
mod roster;
