//! What holds for the sources themselves.

mod graph;
mod listed;
mod readme;
