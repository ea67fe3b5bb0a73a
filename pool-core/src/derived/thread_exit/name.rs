//! What the system calls a thread.
//!
//! std knows the whole name, but cannot be asked here: `thread::current` may allocate, and a heap that is a user of pools may be
//! the one that asks; and once a thread's locals are destroyed, it panics.

use core::ffi::c_int;

use crate::base::ledger::ThreadName;

unsafe extern "C" {
    fn prctl(option: c_int, ...) -> c_int;
}

const PR_GET_NAME: c_int = 16;

/// This thread's name, or its first 15 bytes.
pub(super) fn thread_name() -> ThreadName {
    let mut name = ThreadName::default();
    // SAFETY: the call writes at most 16 bytes, with a zero at the end.
    unsafe { prctl(PR_GET_NAME, name.bytes.as_mut_ptr()) };
    name
}
