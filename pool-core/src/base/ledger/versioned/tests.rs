use core::ptr;
use core::sync::atomic::Ordering;

use super::Versioned;

#[test]
fn what_nobody_goes_on_writing_is_nothing() {
    let words = Versioned::<2>::new();
    let place = ptr::dangling_mut();
    words.write([place; 2], [1, 2]);
    words.abandon();
    assert_eq!(words.read(), ([place; 2], [1, 2]), "it has been written");
    // Where the first word was written, the thread was lost.
    words.version.fetch_add(1, Ordering::Relaxed);
    words.words[0].store(7, Ordering::Relaxed);
    words.abandon();
    assert_eq!(words.read(), ([ptr::null_mut(); 2], [0; 2]));
    words.write([place; 2], [3, 4]);
    assert_eq!(words.read(), ([place; 2], [3, 4]));
}
