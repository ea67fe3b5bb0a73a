//! The word of each thread that leads to its table, kept by the system to the thread's very end: a key without a destructor.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use system::this_thread;
use system::{Key, create, delete, is_done};

/// One more than the key; 0 before there is one.
static KEY: AtomicUsize = AtomicUsize::new(0);

fn key() -> Option<Key> {
    let key = KEY.load(Ordering::Acquire).checked_sub(1);
    key.map(|key| key as Key)
}

/// Returns the word that this thread has set last; null at first.
#[inline(always)]
pub(super) fn get() -> *mut c_void {
    // SAFETY: the key was created, and is never deleted.
    key().map_or(ptr::null_mut(), |key| unsafe { system::get(key) })
}

/// Sets it; `false` if the system has no more keys, or no memory.
pub(super) fn set(value: *mut c_void) -> bool {
    // SAFETY: the key was created, and is never deleted.
    key().or_else(make).is_some_and(|key| is_done(unsafe { system::set(key, value) }))
}

#[cold]
fn make() -> Option<Key> {
    let key = create()?;
    let new = (key as usize).checked_add(1)?;
    match KEY.compare_exchange(0, new, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(key),
        Err(theirs) => {
            // SAFETY: it was created here, and no other code knows it.
            unsafe { delete(key) };
            Some((theirs - 1) as Key)
        }
    }
}

#[cfg(unix)]
mod system {
    use core::ffi::{c_int, c_void};

    #[cfg(any(
        target_os = "redox",
        target_os = "cygwin",
        target_os = "vxworks",
        target_vendor = "apple"
    ))]
    pub(super) type Key = usize;
    #[cfg(not(any(
        target_os = "redox",
        target_os = "cygwin",
        target_os = "vxworks",
        target_vendor = "apple"
    )))]
    pub(super) type Key = core::ffi::c_uint;

    unsafe extern "C" {
        fn pthread_key_create(
            key: *mut Key,
            destructor: Option<extern "C" fn(*mut c_void)>,
        ) -> c_int;
        #[link_name = "pthread_key_delete"]
        pub(super) fn delete(key: Key) -> c_int;
        #[link_name = "pthread_getspecific"]
        pub(super) fn get(key: Key) -> *mut c_void;
        #[link_name = "pthread_setspecific"]
        pub(super) fn set(key: Key, value: *const c_void) -> c_int;
        safe fn pthread_self() -> *mut c_void;
    }

    /// Tells this thread from all others that run, to its very end. An address, and so not 0.
    pub(crate) fn this_thread() -> usize {
        pthread_self().addr()
    }

    extern "C" fn put_back(value: *mut c_void) {
        crate::thread::keyed::word::set(value);
    }

    /// glibc and musl clear the value of a key without a destructor, too. So the key has one, which puts the value back: they
    /// call it at once, and give up after a few rounds.
    pub(super) fn create() -> Option<Key> {
        let destructor = cfg!(target_os = "linux").then_some(put_back as extern "C" fn(_));
        let mut key = 0;
        // SAFETY: the key is there to be written to, and the function is safe to call.
        (unsafe { pthread_key_create(&raw mut key, destructor) } == 0).then_some(key)
    }

    /// Returns whether `set` has succeeded, by its answer.
    pub(super) fn is_done(error: c_int) -> bool {
        error == 0
    }
}

#[cfg(windows)]
mod system {
    use core::ffi::{c_int, c_void};

    pub(super) type Key = u32;

    const TLS_OUT_OF_INDEXES: Key = u32::MAX;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn TlsAlloc() -> Key;
        #[link_name = "TlsFree"]
        pub(super) fn delete(key: Key) -> c_int;
        #[link_name = "TlsGetValue"]
        pub(super) fn get(key: Key) -> *mut c_void;
        #[link_name = "TlsSetValue"]
        pub(super) fn set(key: Key, value: *const c_void) -> c_int;
        safe fn GetCurrentThreadId() -> u32;
    }

    /// As for Unix. No thread of the system's has the number 0.
    pub(crate) fn this_thread() -> usize {
        GetCurrentThreadId() as usize
    }

    pub(super) fn create() -> Option<Key> {
        let key = TlsAlloc();
        (key != TLS_OUT_OF_INDEXES).then_some(key)
    }

    /// Returns whether `set` has succeeded, by its answer.
    pub(super) fn is_done(answer: c_int) -> bool {
        answer != 0
    }
}

#[cfg(not(any(unix, windows)))]
compile_error!(
    "typed-pool does not know how this target keeps what belongs to a thread; build it with `default-features = false` and \
     the feature `derive`, and use `static` pools with a `capacity`"
);
