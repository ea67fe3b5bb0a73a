//! Derived pools: what the functions of `Pooled` promise, and what each attribute changes.
//!
//! Every test runs in a thread of its own, so every pool starts empty.

use std::cell::{Cell, RefCell};
use std::panic::catch_unwind;
use std::thread;

use typed_pool::{PoolBox, PoolStats, Pooled};

#[test]
fn a_pool_grows_by_doubling_from_its_first_chunk() {
    #[derive(Pooled)]
    #[pool(chunk = 16)]
    struct Bullet([u64; 4]);

    assert_eq!(Bullet::pool_stats().capacity, 0);
    let mut boxes = Vec::new();
    let mut capacities = Vec::new();
    for n in 0..200 {
        boxes.push(PoolBox::new(Bullet([n; 4])));
        capacities.push(Bullet::pool_stats().capacity);
    }
    capacities.dedup();
    assert_eq!(capacities, [16, 32, 64, 128, 256]);
    let stats = Bullet::pool_stats();
    assert_eq!((stats.live, stats.high_water, stats.chunks, stats.limit), (200, 200, 5, None));
    assert!(boxes.iter().zip(0..).all(|(b, n)| b.0 == [n; 4]));
}

#[test]
fn a_capacity_is_one_chunk_that_never_grows() {
    const FEW: usize = 2 + 1;
    #[derive(Pooled, Debug)]
    #[pool(capacity = FEW)]
    struct Boss(u64);

    let before = Boss::pool_stats();
    assert_eq!((before.capacity, before.limit, before.bytes), (3, Some(3), 0));
    let mut bosses: Vec<_> = (0..3).map(|n| PoolBox::new(Boss(n))).collect();
    assert_eq!((Boss::pool_stats().chunks, Boss::pool_stats().capacity), (1, 3));
    assert!(Boss::pool_try_alloc_with(|| unreachable!()).is_err());
    assert!(catch_unwind(|| Boss::pool_alloc_with(|| unreachable!())).is_err());
    bosses.remove(1);
    assert_eq!(PoolBox::new(Boss(7)).0, 7);
    assert!(catch_unwind(|| Boss::pool_reserve(2)).is_err());
    Boss::pool_reserve(1);

    // More than a first chunk has of itself.
    #[derive(Pooled)]
    #[pool(capacity = 1500)]
    struct Minion([u64; 2]);

    assert_eq!(PoolBox::new(Minion([7; 2])).0, [7; 2]);
    let stats = Minion::pool_stats();
    assert_eq!((stats.chunks, stats.capacity), (1, 1500));
    assert!(stats.bytes >= 1500 * size_of::<Minion>(), "all of it at once: {stats}");
}

#[test]
fn a_max_limits_growth() {
    #[derive(Pooled, Debug)]
    #[pool(chunk = 4, max = 10, name = "sparks")]
    struct Spark(u64);

    let sparks: Vec<_> = (0..10).map(|n| PoolBox::new(Spark(n))).collect();
    let stats = Spark::pool_stats();
    assert_eq!(
        (stats.capacity, stats.chunks, stats.limit, stats.name),
        (10, 3, Some(10), "sparks")
    );
    assert_eq!(PoolBox::try_new(Spark(10)).unwrap_err().into_inner().0, 10);
    assert!(catch_unwind(|| Spark::pool_reserve(1)).is_err());
    drop(sparks);
    Spark::pool_reserve(10);
}

#[test]
fn a_padded_element_has_the_slot_of_a_pointer() {
    #[derive(Pooled, Default, Clone, Copy, PartialEq, Debug)]
    #[pool(pad)]
    struct Tile(u8);

    let tiles: Vec<_> = (0..=255).map(|n| PoolBox::new(Tile(n))).collect();
    assert!(tiles.iter().zip(0..=255).all(|(tile, n)| **tile == Tile(n)));
    assert_eq!(Tile::pool_stats().slot_bytes, size_of::<usize>());
    let first = PoolBox::into_raw(Tile::pool_alloc());
    // SAFETY: the pointer has just come from `into_raw`.
    drop(unsafe { PoolBox::from_raw(first) });
}

#[test]
fn a_default_is_made_for_a_slot_that_is_there() {
    thread_local!(static MADE: Cell<u32> = const { Cell::new(0) });

    #[derive(Pooled)]
    #[pool(capacity = 1)]
    struct Reserved {
        live: usize,
    }

    impl Default for Reserved {
        fn default() -> Self {
            MADE.set(MADE.get() + 1);
            Self { live: Self::pool_stats().live }
        }
    }

    let only = Reserved::pool_alloc();
    assert_eq!(only.live, 1);
    assert!(Reserved::pool_try_alloc().is_err());
    assert!(catch_unwind(Reserved::pool_alloc).is_err());
    assert_eq!(MADE.get(), 1);
    drop(only);
    assert_eq!(Reserved::pool_try_alloc().unwrap().live, 1);
}

#[test]
fn constructors_and_destructors_may_use_their_own_pool() {
    #[derive(Pooled)]
    struct Ember {
        generation: u64,
        sibling: Option<PoolBox<Ember>>,
    }

    impl Ember {
        fn new(generation: u64) -> PoolBox<Self> {
            Self::pool_alloc_with(|| {
                drop(Self::pool_try_alloc_with(|| Self { generation: 0, sibling: None }));
                let sibling = (generation > 0).then(|| Self::new(generation - 1));
                Self { generation, sibling }
            })
        }
    }

    impl Drop for Ember {
        fn drop(&mut self) {
            // Made in the middle of a destructor, and dropped there.
            if self.generation > 1 {
                drop(Self::new(self.generation / 2 - 1));
            }
        }
    }

    let ember = Ember::new(20);
    assert_eq!(ember.sibling.as_ref().map(|sibling| sibling.generation), Some(19));
    assert_eq!(Ember::pool_stats().live, 21);
    drop(ember);
    assert_eq!(Ember::pool_stats().live, 0);
    assert!(Ember::pool_stats().high_water > 21);
}

#[test]
fn a_panic_in_a_constructor_or_a_destructor_costs_no_slot() {
    #[derive(Pooled)]
    #[pool(capacity = 3)]
    struct Fuse {
        is_armed: bool,
        next: Option<PoolBox<Fuse>>,
    }

    impl Drop for Fuse {
        fn drop(&mut self) {
            assert!(!self.is_armed, "boom");
        }
    }

    let fuse = |is_armed, next| PoolBox::new(Fuse { is_armed, next });
    for _ in 0..5 {
        assert!(catch_unwind(|| Fuse::pool_alloc_with(|| panic!("no"))).is_err());
        assert!(catch_unwind(|| Fuse::pool_try_alloc_with(|| panic!("no"))).is_err());
        // The middle one explodes: the first is being dropped, the last has still to be.
        let chain = fuse(false, Some(fuse(true, Some(fuse(false, None)))));
        assert!(catch_unwind(|| Fuse::pool_free(chain)).is_err());
        assert_eq!(Fuse::pool_stats().live, 0);
    }
    assert!(fuse(false, Some(fuse(false, None))).next.is_some());
    let all = [fuse(false, None), fuse(false, None), fuse(false, None)];
    assert_eq!(Fuse::pool_stats().live, all.len());
}

#[test]
fn a_capacity_and_a_limit_are_those_of_each_thread() {
    #[derive(Pooled)]
    #[pool(capacity = 3)]
    struct Fixed(#[expect(dead_code)] [u64; 2]);
    #[derive(Pooled)]
    #[pool(max = 3)]
    struct Growing(#[expect(dead_code)] [u64; 2]);

    fn fill() {
        let fixed: Vec<_> = (0..3).map(|n| PoolBox::new(Fixed([n; 2]))).collect();
        let growing: Vec<_> = (0..3).map(|n| PoolBox::new(Growing([n; 2]))).collect();
        assert!(PoolBox::try_new(Fixed([3; 2])).is_err());
        assert!(PoolBox::try_new(Growing([3; 2])).is_err());
        if thread::current().name() != Some("the other") {
            // While these live.
            let other = thread::Builder::new().name("the other".into()).spawn(fill);
            other.unwrap().join().unwrap();
        }
        drop((fixed, growing));
    }
    fill();
}

#[test]
fn a_destructor_runs_with_the_pool_at_rest() {
    thread_local!(static SEEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) });
    #[derive(Pooled)]
    struct Curious([u64; 2]);
    impl Drop for Curious {
        fn drop(&mut self) {
            SEEN.with_borrow_mut(|seen| seen.push(Curious::pool_stats().live));
            Curious::pool_trim();
            Curious::pool_reserve(10);
        }
    }

    let curious: Vec<_> = (0..3).map(|n| PoolBox::new(Curious([n; 2]))).collect();
    assert!(curious.iter().zip(0..).all(|(one, n)| one.0 == [n; 2]));
    drop(curious);
    // Its own slot counts as live until the destructor is through.
    assert_eq!(SEEN.take(), [3, 2, 1]);
    assert_eq!(Curious::pool_stats().live, 0);
}

#[test]
fn a_deep_chain_drops_as_deep_as_a_box_would() {
    #[derive(Pooled)]
    struct Link(u64, Option<PoolBox<Link>>);

    let mut chain = None;
    for n in 0..5_000 {
        chain = Some(PoolBox::new(Link(n, chain)));
    }
    let depth = std::iter::successors(chain.as_ref(), |link| link.1.as_ref()).count();
    assert_eq!((depth, chain.as_ref().map(|link| link.0)), (5_000, Some(4_999)));
    drop(chain);
    assert_eq!(Link::pool_stats().live, 0);
}

#[test]
fn a_rebuilt_tree_lies_where_it_lay_and_neighbours_ascend() {
    #[derive(Pooled)]
    struct Node(Vec<PoolBox<Node>>);
    fn tree(depth: u32, addresses: &mut Vec<usize>) -> PoolBox<Node> {
        let mut node = PoolBox::new(Node(Vec::new()));
        addresses.push(PoolBox::as_ptr(&node).addr());
        node.0.extend((0..if depth == 0 { 0 } else { 4 }).map(|_| tree(depth - 1, addresses)));
        node
    }

    let mut at_first = Vec::new();
    let mut root = tree(5, &mut at_first);
    let PoolStats { slot_bytes, chunks, .. } = Node::pool_stats();
    let apart = at_first.windows(2).filter(|pair| pair[0] + slot_bytes != pair[1]);
    assert!(apart.count() < chunks, "within a chunk");
    for _ in 0..3 {
        // In whatever order its parts are dropped.
        fastrand::Rng::with_seed(3).shuffle(&mut root.0);
        drop(root);
        let mut addresses = Vec::new();
        root = tree(5, &mut addresses);
        assert_eq!(addresses, at_first);
    }
}

#[cfg(all(target_pointer_width = "64", not(pool_asan)))]
mod a_heap_without_room_for_a_first_chunk {
    use std::{env, process};

    use super::*;

    macro_rules! is_asked_for_all_of_it {
        ($($test:ident: ($($pool:tt)*);)*) => {$(
            #[test]
            #[cfg_attr(miri, ignore = "it starts processes")]
            fn $test() {
                #[derive(Pooled)]
                #[pool(chunk = 100_000_000_000_000, $($pool)*)]
                struct Pooling(#[expect(dead_code)] [u64; 4]);

                let name = concat!("pooled::a_heap_without_room_for_a_first_chunk::", stringify!($test));
                if let Some(said) = ends(name, || drop(PoolBox::new(Pooling([0; 4])))) {
                    let (_, bytes) = said.split_once("memory allocation of ").expect(&said);
                    let bytes: u64 = bytes.split(' ').next().unwrap().parse().unwrap();
                    assert!(bytes > 3_200_000_000_000_000, "{said}");
                }
            }
        )*};
    }

    is_asked_for_all_of_it! {
        by_a_thread: ();
        by_a_static_pool: (static);
        by_a_static_free_list: (static, strategy = free_list);
    }

    /// Runs `run` in a process, which it ends, and returns the output; `None` in that process, if it does not end it.
    fn ends(test: &str, run: impl FnOnce()) -> Option<String> {
        const CHILD: &str = "POOL_CHILD";
        if env::var_os(CHILD).is_some() {
            run();
            eprintln!("went on");
            return None;
        }
        let mut child = process::Command::new(env::current_exe().expect("this program"));
        let output = child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").output();
        let output = output.expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && !said.contains("went on"), "{said}");
        Some(said)
    }
}
