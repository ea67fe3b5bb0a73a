//! The end of a thread: what is to be done to the pools that have grown in it.

use core::cell::Cell;

/// A pool's place in the list of those that its thread closes when it ends.
///
/// A list through the pools themselves: to allocate one would make the heap, which may itself be a
/// user of pools, a guest in the middle of a registration.
#[derive(Debug)]
pub(crate) struct Registration {
    is_done: Cell<bool>,
    /// What is to be closed after this pool.
    next: Cell<Option<Close>>,
}

/// Closes a pool, and returns what [`Registration::next`] says is to be closed after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Close(pub(crate) fn() -> Option<Self>);

impl Registration {
    /// That of a pool which has not grown yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const NONE: Self = Self { is_done: Cell::new(false), next: Cell::new(None) };

    /// Whether [`Registration::register`] has been called.
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.is_done.get()
    }

    /// Sees to it that the end of the thread calls `close`; `false` if the end has come already.
    pub(crate) fn register(&self, close: Close) -> bool {
        self.is_done.replace(true)
            || EXIT.try_with(|exit| self.next.set(exit.0.replace(Some(close)))).is_ok()
    }

    /// What is to be closed after this pool.
    pub(crate) fn next(&self) -> Option<Close> {
        self.next.take()
    }
}

/// The pools that have grown in this thread, the latest first.
struct Exit(Cell<Option<Close>>);

impl Drop for Exit {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(Close(close)) = next {
            next = close();
        }
    }
}

std::thread_local! {
    static EXIT: Exit = const { Exit(Cell::new(None)) };
}
