//! A call when a thread has all but ended.
//!
//! glibc runs the destructors of a thread's thread-locals once, and then those of its keys (`pthread_key_create`). The
//! latter are foreign code, which may use pools. What registers with std at that time is never called: std does not know
//! that its time has passed. So pools have a key, too.

use core::ffi::{c_int, c_uint, c_void};
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// Whether there is one.
pub(super) const IS_CALLED: bool = true;

/// In how many rounds to be called. glibc goes through the keys of a thread four times, as long as one is set
/// (`PTHREAD_DESTRUCTOR_ITERATIONS`). By the last, ThreadSanitizer has forgotten the thread.
pub(super) const ROUNDS: u8 = 3;

type Destructor = unsafe extern "C" fn(*mut c_void);

unsafe extern "C" {
    fn pthread_key_create(key: *mut c_uint, destructor: Option<Destructor>) -> c_int;
    fn pthread_key_delete(key: c_uint) -> c_int;
    fn pthread_setspecific(key: c_uint, value: *const c_void) -> c_int;
}

static KEY: OnceLock<Option<c_uint>> = OnceLock::new();

/// Whether the key is about to be deleted, and may become somebody else's.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Sees to it that `call` is called in the next round of this thread's keys; `false` if the system has no more keys, or
/// the process is ending.
///
/// Always the same function, which is safe to call.
pub(super) fn in_next_round(call: extern "C" fn(*mut c_void)) -> bool {
    let key = KEY.get_or_init(|| {
        let (mut key, call): (_, Destructor) = (0, call);
        // SAFETY: the key is there to be written to, and the function is safe to call.
        let created = unsafe { pthread_key_create(&raw mut key, Some(call)) };
        (created == 0).then_some(key)
    });
    if IS_OVER.load(Ordering::Relaxed) {
        return false;
    }
    // Any value but null.
    let value = ptr::dangling::<c_void>();
    // SAFETY: nobody reads the value.
    key.is_some_and(|key| unsafe { pthread_setspecific(key, value) } == 0)
}

/// Before a library is unloaded, the function with it; and when the process ends.
extern "C" fn forget() {
    IS_OVER.store(true, Ordering::Relaxed);
    if let Some(&Some(key)) = KEY.get() {
        // SAFETY: the key was created, and is not deleted twice: this runs once.
        unsafe { pthread_key_delete(key) };
    }
}

#[used]
// SAFETY: the section is a list of such functions.
#[unsafe(link_section = ".fini_array")]
static FORGET: extern "C" fn() = forget;
