//! The system's number of a thread, where std's thread-locals end before the thread (`build.rs`).

#[cfg(unix)]
mod system {
    use core::ffi::c_void;

    unsafe extern "C" {
        safe fn pthread_self() -> *mut c_void;
    }

    /// Tells this thread from all others that run, to its very end. An address: no small number.
    pub(crate) fn this_thread() -> usize {
        pthread_self().addr()
    }
}

#[cfg(windows)]
mod system {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn GetCurrentThreadId() -> u32;
    }

    /// As for Unix. The system's number may be as small as one that counts reads, so it is the complement.
    pub(crate) fn this_thread() -> usize {
        !(GetCurrentThreadId() as usize)
    }
}

#[cfg(not(any(unix, windows)))]
compile_error!(
    "typed-pool does not know how this target keeps what belongs to a thread; build it with `default-features = false` and \
     the feature `derive`, and use `static` pools with a `capacity`"
);

pub(crate) use system::this_thread;
