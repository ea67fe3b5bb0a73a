//! Owning pointers into a pool, generic over [`Pool`](pool::Pool), and the counts of those that share.

pub(crate) mod boxed;
pub(crate) mod pool;
pub(crate) mod ref_counts;
pub(crate) mod unsize;
