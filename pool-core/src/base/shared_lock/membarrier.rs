//! A fence in every thread of the process, which the system puts there. Where it does not, and in models, each thread has
//! its own.

use core::ffi::{c_int, c_long};
use core::sync::atomic::{Ordering, compiler_fence};

use crate::base::atomic::atomic::fence;

/// Whether this is Linux. Elsewhere nothing refers to [`syscall`], which need not be there.
const IS_SYSTEMS: bool = cfg!(all(target_os = "linux", not(miri), not(all(loom, test))));

const PRIVATE_EXPEDITED: c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: c_int = 1 << 4;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

fn membarrier(command: c_int) -> bool {
    // What the kernel calls it by, or -1.
    const NUMBER: c_long = match () {
        () if cfg!(all(target_arch = "x86_64", target_pointer_width = "64")) => 324,
        () if cfg!(target_arch = "x86") => 375,
        () if cfg!(target_arch = "arm") => 389,
        () if cfg!(target_arch = "s390x") => 356,
        () if cfg!(target_arch = "powerpc64") => 365,
        () if cfg!(any(target_arch = "aarch64", target_arch = "loongarch64")) => 283,
        () if cfg!(any(target_arch = "riscv32", target_arch = "riscv64")) => 283,
        () => -1,
    };
    // SAFETY: the call takes numbers, and changes no memory. A number that the kernel does not know is an error.
    IS_SYSTEMS && unsafe { syscall(NUMBER, command, 0 as c_int, 0 as c_int) == 0 }
}

/// Stands between what a reader writes and what it looks at then, where the system has put the fence if there is to be one.
#[inline(always)]
pub(super) fn fence_reader() {
    if IS_SYSTEMS {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
}

/// Whether [`fence_all`] will do what it says. To be called before others rely on it.
pub(super) fn can_fence_all() -> bool {
    if IS_SYSTEMS { membarrier(REGISTER_PRIVATE_EXPEDITED) } else { true }
}

/// A full fence in this thread and in each that runs; `false` if the system refuses.
pub(super) fn fence_all() -> bool {
    if IS_SYSTEMS {
        membarrier(PRIVATE_EXPEDITED)
    } else {
        fence_reader();
        true
    }
}
