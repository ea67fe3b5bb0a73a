//! Leaks, told when a thread or the process ends.

use alloc::sync::Arc;
use core::ffi::c_int;
use std::sync::{Once, PoisonError, RwLock};

use crate::base::ledger::Storage;
use crate::base::ledger::account::entered;
use crate::derived::thread_exit::{self, thread_number};
use crate::pools::info::{Leak, PoolInfo};

unsafe extern "C" {
    safe fn atexit(call: extern "C" fn()) -> c_int;
}

type Listener = Arc<dyn Fn(&Leak) + Send + Sync>;

static LISTENER: RwLock<Option<Listener>> = RwLock::new(None);

/// Calls `f` for each leak: when a thread ends, for what is live in its pools; when the process ends, also for what is live in static
/// pools. A second call of `on_leak` replaces `f`.
///
/// A thread-local that is destroyed late may still own elements of its thread's pools. Where the system says when all
/// have been destroyed (glibc), `f` is called after that; elsewhere, when the pools are closed. What the main thread
/// has leaked is told at the end of the process, on Unix and Windows.
///
/// `f` may use pools. It must not panic: that aborts the process, as in a thread-local's destructor.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use typed_pool::{PoolBox, Pooled};
///
/// static LEAKED: AtomicUsize = AtomicUsize::new(0);
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// typed_pool::on_leak(|leak| {
///     eprintln!("{leak}");
///     LEAKED.fetch_add(leak.live, Ordering::Relaxed);
/// });
/// std::thread::spawn(|| std::mem::forget(PoolBox::new(Texture([0; 4])))).join().unwrap();
/// assert_eq!(LEAKED.load(Ordering::Relaxed), 1);
/// ```
pub fn on_leak(f: impl Fn(&Leak) + Send + Sync + 'static) {
    static ONCE: Once = Once::new();

    #[inline]
    extern "C" fn process_ends() {
        tell(|info| {
            info.storage == Storage::Static
                || info.thread.is_some_and(|thread| thread.is_current && thread.has_ended)
        });
    }

    let f: Listener = Arc::new(f);
    let before = LISTENER.write().unwrap_or_else(PoisonError::into_inner).replace(f);
    drop(before);
    thread_exit::when_it_is_over(|| {
        let number = thread_number();
        // First without more ado: most threads leak nothing.
        if entered().any(|entered| entered.thread == number) {
            tell(|info| info.thread.is_some_and(|thread| thread.is_current && thread.has_ended));
        }
    });
    ONCE.call_once(|| {
        // Miri has none.
        if !cfg!(miri) {
            atexit(process_ends);
        }
    });
}

fn tell(is_over: impl Fn(&PoolInfo) -> bool) {
    // Not while it runs: it may want to be replaced.
    let listener = LISTENER.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(f) = listener {
        let leaks = crate::pools::pools().filter(is_over).filter_map(Leak::of);
        leaks.for_each(|leak| f(&leak));
    }
}
