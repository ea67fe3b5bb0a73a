//! Pools that are used by the destructors of a thread's keys (`pthread_key_create`). C libraries have such destructors;
//! they run after those of all thread-locals. A process of its own, for the order in which the keys are made.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::cell::Cell;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use typed_pool::{PoolBox, Pooled};

unsafe extern "C" {
    fn pthread_key_create(
        key: *mut c_uint,
        destructor: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> c_int;
    fn pthread_setspecific(key: c_uint, value: *const c_void) -> c_int;
}

#[derive(Pooled)]
struct Local([usize; 4]);

#[derive(Pooled)]
#[pool(static)]
struct Shared([usize; 4]);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Listed(usize);

static LISTED: AtomicUsize = AtomicUsize::new(0);

impl Listed {
    fn insert(number: usize) {
        LISTED.fetch_add(1, Ordering::Relaxed);
        Self::pool_insert(Self(number));
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        assert!(self.0 < 300);
        LISTED.fetch_sub(1, Ordering::Relaxed);
    }
}

fn use_pools() {
    (0..300).for_each(Listed::insert);
    use_pools_of_boxes();
}

fn use_pools_of_boxes() {
    let local: Vec<_> = (0..300).map(|number| PoolBox::new(Local([number; 4]))).collect();
    let shared: Vec<_> = (0..300).map(|number| PoolBox::new(Shared([number; 4]))).collect();
    for (number, (local, shared)) in local.iter().zip(&shared).enumerate() {
        assert_eq!((local.0, shared.0), ([number; 4], [number; 4]));
    }
}

thread_local! {
    static IS_USED_BEFORE: Cell<bool> = const { Cell::new(false) };
}

static KEYS: [OnceLock<c_uint>; 2] = [OnceLock::new(), OnceLock::new()];

/// Uses the pools in this many rounds of the keys.
///
/// The roster not in the last two: elements that are inserted there, or after a thread's first use in these rounds,
/// stay.
fn set(key: usize, rounds: usize) {
    let value = ptr::without_provenance::<c_void>(rounds);
    // SAFETY: the key is there, and nobody dereferences its value.
    let result = unsafe { pthread_setspecific(*KEYS[key].get().expect("it was made"), value) };
    assert_eq!(result, 0);
}

unsafe extern "C" fn at_the_end<const KEY: usize>(rounds: *mut c_void) {
    if rounds.addr() > 2 && IS_USED_BEFORE.get() {
        use_pools();
    } else {
        use_pools_of_boxes();
    }
    set(KEY, rounds.addr() - 1);
}

fn make<const KEY: usize>() {
    KEYS[KEY].get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is there to be written to, and the destructor may be called at any thread's end.
        let result = unsafe { pthread_key_create(&raw mut key, Some(at_the_end::<KEY>)) };
        assert_eq!(result, 0);
        key
    });
}

#[test]
fn pools_may_be_used_after_all_thread_locals() {
    // The pools' own key is between the two.
    make::<0>();
    thread::spawn(use_pools).join().expect("no panic");
    make::<1>();
    for repetition in 0..40 {
        for is_used_before in [false, true] {
            for (key, rounds) in (0..2).flat_map(|key| (1..=4).map(move |rounds| (key, rounds))) {
                let late = thread::spawn(move || {
                    if is_used_before {
                        use_pools();
                        IS_USED_BEFORE.set(true);
                    }
                    set(key, rounds);
                });
                late.join().expect("no panic");
                // In the memory that the thread has left.
                thread::spawn(use_pools).join().expect("no panic");
                let stats = Shared::pool_stats();
                assert_eq!(stats.live, 0, "{repetition} {is_used_before} {key} {rounds}: {stats}");
            }
        }
    }

    assert_eq!(LISTED.load(Ordering::Relaxed), 0);
}
