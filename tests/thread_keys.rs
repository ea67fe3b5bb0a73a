//! Pools that are used by the destructors of a thread's keys (`pthread_key_create`). C libraries have such destructors;
//! they run after those of all thread-locals. What registers with std then is never called, so what such a thread keeps is never given back: it
//! is leaked, and nothing else.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::thread;

use typed_pool::{PoolBox, Pooled, SharedByLayout, any, flush_thread};

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
#[pool(static, strategy = free_list)]
struct SharedList([usize; 4]);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Listed(usize);

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct SharedListed(usize);

/// No other test uses its size.
type Block = [usize; 90];

fn use_pools() {
    const MADE: usize = 300;

    macro_rules! boxes {
        ($($Object:ident)*) => {($(
            (0..MADE).map(|number| PoolBox::new($Object([number; 4]))).collect::<Vec<_>>(),
        )*)};
    }
    let (local, shared, list) = boxes!(Local Shared SharedList);
    let blocks: Vec<_> = (0..MADE).map(|n| any::SendBox::<Block>::new([n; 90])).collect();
    for number in 0..MADE {
        let words = [number; 4];
        assert_eq!([local[number].0, shared[number].0, list[number].0], [words; 3]);
        assert_eq!(*blocks[number], [number; 90]);
    }
    let handle = Listed::pool_insert(Listed(1));
    let shared_handle = SharedListed::pool_insert(SharedListed(1));
    assert!(SharedListed::pool_read(|roster| roster.contains(shared_handle)));
    assert_eq!(Listed::pool_remove(handle).map(|listed| listed.0), Some(1));
    assert_eq!(SharedListed::pool_remove(shared_handle).map(|listed| listed.0), Some(1));
}

/// Looks at what all threads keep, and moves it about.
fn look() {
    let blocks = SharedByLayout::stats().find(|stats| stats.slot_bytes == 768).expect("a class");
    for stats in [Shared::pool_stats(), SharedList::pool_stats(), blocks] {
        assert_eq!(stats.live, 0, "{stats}");
    }
    flush_thread();
    Shared::pool_trim();
    SharedList::pool_trim();
    SharedByLayout::trim();
}

fn key() -> c_uint {
    static KEY: OnceLock<c_uint> = OnceLock::new();

    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is there to be written to, and the destructor may be called at any thread's end.
        let result = unsafe { pthread_key_create(&raw mut key, Some(at_the_end)) };
        assert_eq!(result, 0);
        key
    })
}

/// Has pools used in this many rounds of the keys.
fn set(rounds: usize) {
    // SAFETY: the key is there, and its value is never dereferenced.
    let result = unsafe { pthread_setspecific(key(), ptr::without_provenance(rounds)) };
    assert_eq!(result, 0);
}

unsafe extern "C" fn at_the_end(rounds: *mut c_void) {
    use_pools();
    set(rounds.addr() - 1);
}

fn use_pools_at_the_end(is_used_before: bool) {
    for rounds in (1..=4).cycle().take(40) {
        let late = thread::spawn(move || {
            if is_used_before {
                use_pools();
            }
            set(rounds);
        });
        late.join().expect("no panic");
        look();
        // In the memory that the thread has left.
        thread::spawn(use_pools).join().expect("no panic");
        thread::spawn(look).join().expect("no panic");
    }
}

#[test]
fn pools_may_be_used_after_all_thread_locals() {
    use_pools_at_the_end(false);
    use_pools_at_the_end(true);
    // Several threads at a time, whose stacks are used again by each other.
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..50 {
                    thread::spawn(|| set(1)).join().expect("no panic");
                    let _ = Shared::pool_stats();
                    Shared::pool_trim();
                }
            });
        }
    });
}
