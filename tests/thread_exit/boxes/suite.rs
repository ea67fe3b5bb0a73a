//! Pools of either strategy at the end of their thread.

use std::cell::RefCell;

use super::{PoolBox, Pooled, leak};

/// As `in_thread` of the crate, which is told what pools of this kind leave.
fn in_thread<R: Send>(f: impl FnOnce() -> R + Send) -> (R, isize) {
    crate::boxes::in_thread(super::HAS_ARRAY, super::THEN, f)
}

pooled! {
    #[derive(Debug, PartialEq)]
    struct Node {
        id: u64,
        children: Vec<PoolBox<Node>>,
    }
}

fn leaf(id: u64) -> PoolBox<Node> {
    PoolBox::new(Node { id, children: Vec::new() })
}

fn tree(depth: u64) -> PoolBox<Node> {
    let children = (0..4).filter(|_| depth > 0).map(|_| tree(depth - 1)).collect();
    PoolBox::new(Node { id: depth, children })
}

/// The contents of a thread-local, and its work at the end of the thread.
#[derive(Default)]
pub(super) struct AtExit {
    boxes: Vec<PoolBox<Node>>,
    pub(super) then: Option<Box<dyn FnOnce()>>,
}

impl Drop for AtExit {
    fn drop(&mut self) {
        assert!(self.boxes.iter().zip(1..).all(|(node, id)| node.id == id));
        self.boxes.clear();
        if let Some(then) = self.then.take() {
            then();
        }
    }
}

thread_local! {
    /// Thread-locals are destroyed in an order that depends on which was touched first. Of these
    /// two one is touched before the pool's clean-up is registered, and one after.
    static EARLIER: RefCell<AtExit> = RefCell::default();
    static LATER: RefCell<AtExit> = RefCell::default();
}

/// Touches everything in order, and lets `set` fill both thread-locals.
pub(super) fn in_both_orders(set: impl Fn(&mut AtExit) + Send + Sync) -> isize {
    around(|| drop(leaf(0)), set)
}

/// The same, with `touch` in place of the first use of a node's pool.
fn around(touch: fn(), set: impl Fn(&mut AtExit) + Send + Sync) -> isize {
    let ((), left) = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        touch();
        LATER.with_borrow_mut(&set);
        EARLIER.with_borrow_mut(&set);
    });
    left
}

#[test]
fn a_thread_leaves_nothing_behind() {
    let (stats, left) = in_thread(|| {
        let kept = tree(6);
        let stats = Node::pool_stats();
        drop(kept);
        stats
    });
    assert_eq!((stats.live, left), ((4_usize.pow(7) - 1) / 3, 0));
    assert!(stats.chunks > 3);
}

#[test]
fn a_thread_that_only_reserves_leaves_nothing_behind() {
    let (capacity, left) = in_thread(|| {
        Node::pool_reserve(1000);
        Node::pool_stats().capacity
    });
    assert_eq!((capacity, left), (1000, 0));
}

#[test]
fn boxes_in_other_thread_locals_may_die_first_or_last() {
    let left = in_both_orders(|holder| {
        holder.boxes = (1..=5000).map(leaf).collect();
        holder.boxes[0].children.push(tree(5));
    });
    assert_eq!(left, 0);
}

#[test]
fn destructors_of_thread_locals_may_allocate() {
    let left = in_both_orders(|holder| {
        holder.boxes = vec![leaf(1)];
        holder.then = Some(Box::new(|| {
            let mut again: Vec<_> = (0..3000).map(leaf).collect();
            again.truncate(10);
            again.extend((10..20).map(leaf));
            assert!(again.iter().zip(0..).all(|(node, id)| node.id == id));
            let tree = tree(4);
            assert!(Node::pool_stats().live >= 20 + 341);
            drop(again);
            drop(tree);
        }));
    });
    assert_eq!(left, 0);
}

#[test]
fn destructors_of_thread_locals_may_reserve() {
    for count in [0, 100, 5000] {
        let left = in_both_orders(|holder| {
            holder.boxes = vec![leaf(1)];
            holder.then = Some(Box::new(move || {
                Node::pool_reserve(5000);
                let before = Node::pool_stats();
                assert!(before.capacity - before.live >= 5000);
                let boxes: Vec<_> = (0..count).map(leaf).collect();
                assert!(boxes.iter().zip(0..).all(|(node, id)| node.id == id));
                assert_eq!(Node::pool_stats().capacity, before.capacity);
            }));
        });
        assert_eq!(left, 0);
    }
}

#[test]
fn a_pool_may_be_used_for_the_first_time_at_the_end() {
    pooled! {
        struct Late([u64; 9]);
    }

    let use_it = |holder: &mut AtExit| {
        holder.then = Some(Box::new(|| {
            assert_eq!(Late::pool_stats().capacity, 0);
            let boxes: Vec<_> = (0..1000).map(|n| PoolBox::new(Late([n; 9]))).collect();
            assert!(boxes.iter().zip(0..).all(|(late, n)| late.0 == [n; 9]));
            drop(boxes);
            let stats = Late::pool_stats();
            assert_eq!((stats.live, stats.high_water.min(1000)), (0, 1000));
            // Never-used slots leave a pool of all threads by the batch.
            assert!(stats.high_water == 1000 || super::IN_BATCHES);
            Late::pool_reserve(5000);
        }));
    };
    let ((), left) = in_thread(|| {
        EARLIER.with_borrow_mut(use_it);
        drop(leaf(0));
    });
    assert_eq!(left, 0);
    let ((), left) = in_thread(|| {
        drop(leaf(0));
        LATER.with_borrow_mut(use_it);
    });
    assert_eq!(left, 0);
}

#[test]
fn only_the_chunk_of_a_leaked_box_stays() {
    // Of sizes that no other element has: in a pool by layout of the process, what is leaked is counted for good.
    pooled! {
        struct Plain([u64; 2]);
    }
    pooled! {
        struct Late(#[expect(dead_code, reason = "it has a size")] [u64; 3]);
    }

    let (leaked, left) = in_thread(|| {
        let leaked = PoolBox::new(Plain([77; 2]));
        drop((0..5000).map(|n| PoolBox::new(Plain([n; 2]))).collect::<Vec<_>>());
        leak(leaked)
    });
    assert_eq!(left, 1);
    assert_eq!(leaked.0, [77; 2], "the element of a leaked box lives on");

    let late = |n| PoolBox::new(Late([n; 3]));
    let left = around(
        || drop(PoolBox::new(Late([0; 3]))),
        |holder| {
            let boxes: Vec<_> = (1..=5000).map(late).collect();
            holder.then = Some(Box::new(move || drop(boxes)));
            if EARLIER.try_with(|_| ()).is_ok() && Late::pool_stats().live == 5000 {
                leak(late(78));
            }
        },
    );
    assert_eq!(left, 1);
}
