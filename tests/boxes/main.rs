//! Elements of derived pools, each owned by a box or by shared pointers.

mod boxed;
mod counted;
mod made;
mod pooled;
