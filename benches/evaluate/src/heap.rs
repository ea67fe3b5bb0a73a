//! The programs on std's pointers.

mod pointers {
    use std::pin::Pin;

    pub(super) use std::boxed::Box;
    pub(super) use std::rc::{Rc, Weak};

    pub(super) type Task = Pin<Box<dyn Future<Output = u64>>>;

    pub(super) fn task(future: impl Future<Output = u64> + 'static) -> Task {
        Box::pin(future)
    }

    #[allow(clippy::boxed_local, reason = "the pools' boxes are taken apart by a function")]
    pub(super) fn unboxed<T>(b: Box<T>) -> T {
        *b
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
