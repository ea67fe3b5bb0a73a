//! The kernel's number for a thread, which tells it from all others that run, and its name.
//!
//! To ask the system for the name takes longer than a thread's first object should. So an account has the number of its thread,
//! and who looks at the account asks. A thread that leaves something notes its name as it ends: later there is nobody to ask
//! about.
//!
//! Where it is not known how to ask, threads have neither.
//!
//! std knows the whole name, but cannot be asked here: `thread::current` may allocate, and a heap that is a user of pools may be
//! the one that asks; and once a thread's locals are destroyed, it panics.

use core::ffi::{c_int, c_void};
use core::num::NonZeroU32;
use core::str;
use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};

/// Whether this is Linux. Elsewhere nothing refers to the functions below, which need not be there.
const IS_KNOWN: bool = cfg!(all(any(target_os = "linux", target_os = "android"), not(miri)));

unsafe extern "C" {
    fn prctl(option: c_int, ...) -> c_int;
    safe fn pthread_self() -> *mut c_void;
    fn pthread_getcpuclockid(thread: *mut c_void, clock: *mut c_int) -> c_int;
}

/// The number of this thread; `None` if the C library does not tell.
///
/// `gettid` is a call of the system. The number of a thread's clock has the thread's in it, and the C library knows it.
pub(crate) fn current() -> Option<NonZeroU32> {
    let mut clock = -1;
    if IS_KNOWN {
        // SAFETY: this thread runs, and the call writes one number.
        unsafe { pthread_getcpuclockid(pthread_self(), &raw mut clock) };
    }
    // As the kernel reads it: the number's complement, and three bits for the kind of clock.
    u32::try_from(!(clock >> 3)).ok().and_then(NonZeroU32::new)
}

const PR_GET_NAME: c_int = 16;

/// The name of this thread, or its first 15 bytes.
pub(crate) fn current_name() -> [u8; 16] {
    let mut name = [0; 16];
    if IS_KNOWN {
        // SAFETY: the call writes at most 16 bytes, with a zero at the end.
        unsafe { prctl(PR_GET_NAME, name.as_mut_ptr()) };
    }
    name
}

/// The name of the thread that has this number now, if there is one. Does not call the heap.
#[inline]
pub(crate) fn name_of(number: NonZeroU32) -> [u8; 16] {
    let mut path = Cursor::new([0; 48]);
    // There is room for any number.
    let _ = write!(path, "/proc/self/task/{number}/comm");
    let path = str::from_utf8(&path.get_ref()[..path.position() as usize]).unwrap_or_default();
    let mut name = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read(&mut name));
    // The end of the line.
    if let Some(end) = read.unwrap_or(0).checked_sub(1) {
        name[end] = 0;
    }
    name
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests;
