//! The kernel's number for a thread, which tells it from all others that run.

use core::ffi::{c_int, c_void};
use core::num::NonZeroU32;
use core::sync::atomic::{AtomicU32, Ordering};

unsafe extern "C" {
    fn pthread_self() -> *mut c_void;
    fn pthread_getcpuclockid(thread: *mut c_void, clock: *mut c_int) -> c_int;
}

/// What [`keep`] has kept.
static KEPT: AtomicU32 = AtomicU32::new(0);

/// The number of this thread; `None` if the C library does not tell.
///
/// `gettid` is a call of the system. The number of a thread's clock has the thread's in it, and the C library knows it.
pub(crate) fn current() -> Option<NonZeroU32> {
    let mut clock = 0;
    // SAFETY: it can always be called.
    let this = unsafe { pthread_self() };
    // SAFETY: this thread runs, and the call writes one number.
    let error = unsafe { pthread_getcpuclockid(this, &raw mut clock) };
    // As the kernel reads it: the number's complement, and three bits for the kind of clock.
    let number = u32::try_from(!(clock >> 3)).ok().filter(|_| error == 0);
    number.and_then(NonZeroU32::new)
}

/// Keeps the number of this thread, which is about to `fork`: it has another in the child. By one thread at a time.
pub(crate) fn keep() {
    KEPT.store(current().map_or(0, NonZeroU32::get), Ordering::Relaxed);
}

/// In the child: the number that this thread had in the parent.
pub(crate) fn kept() -> Option<NonZeroU32> {
    NonZeroU32::new(KEPT.load(Ordering::Relaxed))
}
