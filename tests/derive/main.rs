//! What can be derived, and where.

mod hygiene;
mod shapes;
