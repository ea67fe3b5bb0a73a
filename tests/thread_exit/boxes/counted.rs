//! Shared elements at the end of their thread, in a pool of any kind.

use std::cell::RefCell;

use super::{Counted, CountedWeak, PoolBox, Pooled};

/// As `in_thread` of the crate, which is told what pools of this kind leave.
fn in_thread<R: Send>(f: impl FnOnce() -> R + Send) -> (R, isize) {
    crate::boxes::in_thread(super::HAS_ARRAY, super::THEN, f)
}

pooled! {
    #[pool(rc)]
    struct Node {
        id: u64,
        next: Option<Counted<Node>>,
    }
}

fn node(id: u64, next: Option<Counted<Node>>) -> Counted<Node> {
    Counted::new(Node { id, next })
}

/// Drops and makes shared elements at the end of the thread, and boxes too.
#[derive(Default)]
struct AtExit {
    nodes: Vec<Counted<Node>>,
    weak: Vec<CountedWeak<Node>>,
}

impl Drop for AtExit {
    fn drop(&mut self) {
        assert!(self.nodes.iter().zip(0..).all(|(node, id)| node.id == id));
        let clones = self.nodes.clone();
        self.nodes.clear();
        assert!(self.weak.iter().all(|weak| weak.upgrade().is_some()));
        drop(clones);
        assert!(self.weak.iter().all(|weak| weak.upgrade().is_none()));

        let again: Vec<_> = (0..500).map(|id| node(id, None)).collect();
        let boxed: Vec<_> =
            again.iter().map(|e| PoolBox::new(Node { id: 0, next: Some(e.clone()) })).collect();
        drop(again);
        assert!(boxed.iter().zip(0..).all(|(b, id)| b.next.as_ref().unwrap().id == id));
        assert!(Node::pool_stats().live >= 1000);
    }
}

thread_local! {
    /// One is touched before the pool's clean-up is registered, and one after.
    static EARLIER: RefCell<AtExit> = RefCell::default();
    static LATER: RefCell<AtExit> = RefCell::default();
}

#[test]
fn a_thread_leaves_nothing_behind() {
    let (live, left) = in_thread(|| {
        let before = Node::pool_stats().live;
        let chain = (0..5000).fold(None, |next, id| Some(node(id, next)));
        let live = Node::pool_stats().live - before;
        // One by one: a chain of owners recurses.
        let mut rest = chain;
        while let Some(first) = rest {
            rest = Counted::try_unwrap(first).ok().and_then(|node| node.next);
        }
        live
    });
    assert_eq!((live, left), (5000, 0));
}

#[test]
fn pointers_in_other_thread_locals_may_die_first_or_last() {
    let ((), left) = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        drop(node(0, None));
        let fill = |holder: &mut AtExit| {
            holder.nodes = (0..1000).map(|id| node(id, None)).collect();
            holder.weak = holder.nodes.iter().map(Counted::downgrade).collect();
        };
        LATER.with_borrow_mut(fill);
        EARLIER.with_borrow_mut(fill);
    });
    assert_eq!(left, 0);
}

#[test]
fn a_pool_may_have_its_first_shared_element_at_the_end() {
    let ((), left) = in_thread(|| {
        EARLIER.with_borrow_mut(|_| {});
        // Boxes alone, before.
        drop(PoolBox::new(Node { id: 0, next: None }));
    });
    assert_eq!(left, 0);
    let ((), left) = in_thread(|| LATER.with_borrow_mut(|_| {}));
    assert_eq!(left, 0);
}
