//! The programs on pools: the same source, with other imports.

mod pointers {
    use std::pin::Pin;

    use typed_pool::{any, unsize};

    pub(super) use typed_pool::{PoolBox as Box, PoolRc as Rc, PoolRcWeak as Weak};

    pub(super) type Task = Pin<any::Box<dyn Future<Output = u64>>>;

    pub(super) fn task(future: impl Future<Output = u64> + 'static) -> Task {
        unsize!(any::Box::pin(future) => dyn Future<Output = u64>)
    }

    pub(super) fn unboxed<T: typed_pool::Pooled>(b: Box<T>) -> T {
        Box::into_inner(b)
    }
}

#[path = "ast.rs"]
pub(crate) mod ast;
#[path = "dom.rs"]
pub(crate) mod dom;
#[path = "executor.rs"]
pub(crate) mod executor;
#[path = "lru.rs"]
pub(crate) mod lru;
#[path = "timers.rs"]
pub(crate) mod timers;
