//! Thread-locals that stay as long as their thread.
//!
//! Where the linker and the system lay them out, std's do, as long as they have no destructor. On other targets std keeps them on
//! the heap, and destroys all of them when a thread ends, in an order of its own: pools would go before the boxes
//! from them. There `thread_local/keyed.rs` takes their place. `build.rs` lists the targets.

#[cfg(not(pool_native_tls))]
mod keyed;

#[cfg(not(pool_native_tls))]
pub use crate::__keyed_thread_local as thread_local;
#[cfg(not(pool_native_tls))]
pub use crate::derived::thread_local::keyed::LocalKey;
#[cfg(pool_native_tls)]
pub use std::thread::LocalKey;
#[cfg(pool_native_tls)]
pub use std::thread_local;

/// What a thread keeps in such a thread-local. It has no destructor.
pub(crate) trait Resident {
    /// Whether nothing is lost if the thread has a new one from now on: it owns nothing, and nothing outside refers to it.
    #[cfg_attr(pool_native_tls, allow(dead_code, reason = "there it is never destroyed"))]
    fn is_spent(&self) -> bool;
}

impl<T: Resident, const N: usize> Resident for [T; N] {
    fn is_spent(&self) -> bool {
        self.iter().all(T::is_spent)
    }
}
