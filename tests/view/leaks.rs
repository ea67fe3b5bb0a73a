//! What is alive where nothing should be.

use std::panic::catch_unwind;
use std::thread;

use typed_pool::pools::{self, Watch};
use typed_pool::{PoolBox, Pooled};

use crate::leak::leak;

fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = catch_unwind(f).unwrap_err();
    payload.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn leaks_are_named() {
    #[derive(Pooled)]
    struct Lost([u64; 4]);
    #[derive(Pooled)]
    #[pool(static, name = "lost and found")]
    struct LostToAll([u64; 4]);

    let of = |name: &'static str| pools::leaks().filter(move |leak| leak.type_name.ends_with(name));
    assert_eq!(of("::Lost").count(), 0);
    (0..3).for_each(|_| leak(PoolBox::new(Lost([0; 4]))));
    leak(PoolBox::new(LostToAll([0; 4])));
    let leak = of("::Lost").next().unwrap();
    assert_eq!((leak.live, leak.bytes), (3, 96));
    assert!(leak.thread.unwrap().is_current);
    assert!(
        leak.to_string().starts_with(
            "3 elements of `view::leaks::leaks_are_named::Lost`, 96 bytes, in thread "
        )
    );
    let leak = of("::LostToAll").next().unwrap();
    let said = leak.to_string();
    let (what, made_at) = said.split_once("; made at ").unwrap_or((&said, ""));
    let is_sited = cfg!(all(feature = "sites", not(feature = "passthrough")));
    assert_eq!(made_at.contains(file!()), is_sited, "{said}");
    assert_eq!(
        what,
        "1 element of `view::leaks::leaks_are_named::LostToAll` in \"lost and found\", 32 bytes, in a static pool"
    );
}

#[test]
fn a_watch_finds_what_its_thread_has_leaked() {
    #[derive(Pooled)]
    struct Watched([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct WatchedToo(u64);

    let before = PoolBox::new(Watched([0; 4]));
    let watch = Watch::new();
    drop(PoolBox::new(Watched([0; 4])));
    watch.assert_none_leaked();
    drop(before);
    watch.assert_none_leaked();

    let watch = Watch::new();
    (0..2).for_each(|_| leak(PoolBox::new(Watched([0; 4]))));
    let handle = WatchedToo::pool_insert(WatchedToo(7));
    let found = message(std::panic::AssertUnwindSafe(|| watch.assert_none_leaked()));
    assert!(found.starts_with("leaked: "), "{found}");
    assert!(found.contains("2 elements of `view::leaks::a_watch_finds_what_its_thread_has_leaked::Watched`, 64 bytes"), "{found}");
    assert!(
        found.contains(
            "1 element of `view::leaks::a_watch_finds_what_its_thread_has_leaked::WatchedToo`"
        ),
        "{found}"
    );
    assert_eq!(WatchedToo::pool_remove(handle).unwrap().0, 7);
}

/// As tests do, in parallel.
#[test]
fn watches_of_different_threads_do_not_disturb_each_other() {
    #[derive(Pooled)]
    struct Common([u64; 4]);

    let workers: Vec<_> = (0..8)
        .map(|n| {
            thread::spawn(move || {
                let watch = Watch::new();
                for _ in 0..100 {
                    let kept: Vec<_> = (0..10).map(|n| PoolBox::new(Common([n; 4]))).collect();
                    if n % 2 == 0 {
                        kept.into_iter().for_each(leak);
                    }
                }
                let watch = std::panic::AssertUnwindSafe(watch);
                catch_unwind(|| watch.assert_none_leaked()).is_err()
            })
        })
        .collect();
    for (n, worker) in workers.into_iter().enumerate() {
        assert_eq!(worker.join().unwrap(), n % 2 == 0, "{n}");
    }
}
