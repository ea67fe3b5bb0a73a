//! Boxes of slices are iterated over, by value and by reference, and boxes of iterators are iterators.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use typed_pool::{FrameStack, any, unsize};

/// Elements that count one another, of a type whose destructor may panic.
struct Element(#[allow(dead_code, reason = "for its count")] Rc<()>, u32);

impl Drop for Element {
    fn drop(&mut self) {
        assert!(self.1 != 13, "a destructor");
    }
}

#[test]
fn slices_of_a_frame() {
    let count = Rc::new(());
    let stack = FrameStack::new();
    let numbered =
        |last| stack.alloc_iter((0..=last).map(|n| Element(count.clone(), n)).collect::<Vec<_>>());
    let mut elements = numbered(9).into_iter();
    assert_eq!((elements.len(), Rc::strong_count(&count)), (10, 11));
    let (first, last) = (elements.next().unwrap(), elements.next_back().unwrap());
    assert_eq!((first.1, last.1, elements.len(), Rc::strong_count(&count)), (0, 9, 8, 11));
    drop((first, last));
    assert_eq!(elements.by_ref().take(3).map(|element| element.1).sum::<u32>(), 1 + 2 + 3);
    assert_eq!(Rc::strong_count(&count), 6);
    drop(elements);
    assert_eq!(Rc::strong_count(&count), 1);
    // The others are dropped all the same.
    let fails = || drop(numbered(14).into_iter());
    assert!(catch_unwind(AssertUnwindSafe(fails)).is_err());
    assert_eq!(Rc::strong_count(&count), 1);

    let mut boxed = numbered(2);
    for element in &mut boxed {
        element.1 += 1;
    }
    assert_eq!((&boxed).into_iter().map(|element| element.1).sum::<u32>(), 6);
    assert_eq!((boxed.into_iter().count(), Rc::strong_count(&count)), (3, 1));
}

#[test]
fn a_box_of_an_iterator_is_one() {
    let _alone = crate::alone();
    let mut odd = any::Box::new((1..10).filter(|number| number % 2 == 1));
    assert_eq!((odd.next(), odd.next_back()), (Some(1), Some(9)));
    let object: any::Box<dyn Iterator<Item = u32>> = unsize!(odd => dyn Iterator<Item = u32>);
    assert_eq!(object.collect::<Vec<_>>(), [3, 5, 7]);
    let both = unsize!(any::Box::new(0..4_u8) => dyn DoubleEndedIterator<Item = u8>);
    assert_eq!(both.rev().collect::<Vec<_>>(), [3, 2, 1, 0]);
    let exact = unsize!(any::SendBox::new(0..4_u8) => dyn ExactSizeIterator<Item = u8>);
    assert_eq!((exact.len(), exact.count()), (4, 4));
    let sent = unsize!(any::SendBox::new(0..4_u8) => dyn Iterator<Item = u8> + Send);
    assert_eq!(std::thread::spawn(move || sent.count()).join().unwrap(), 4);
    let frame = FrameStack::new();
    assert_eq!(frame.alloc(0..4).sum::<u8>(), 6);
}
