//! Tests of the sources themselves.

mod graph;
mod links;
mod listed;
mod seeds;
