//! Boxes of iterators are iterators.

use typed_pool::{FrameStack, any, unsize};

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
    // A slice is none, and is iterated over by what is in the box.
    let mut slice = frame.alloc_iter(0..4);
    slice.iter_mut().for_each(|number| *number += 1);
    assert_eq!(slice.iter().sum::<u8>(), 10);
}
