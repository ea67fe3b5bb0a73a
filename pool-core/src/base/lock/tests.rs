use core::time::Duration;
use std::sync::Barrier;
use std::thread;

use super::{Lock, parent, prepare};

/// A thread that has one lock waits for another, which stands before it in the list.
#[test]
fn who_forks_keeps_no_lock_while_it_waits_for_another() {
    static HAD: Lock = Lock::new();
    static WANTED: Lock = Lock::new();
    static NOTHING: fn() = || ();
    [&HAD, &WANTED].into_iter().for_each(|lock| lock.follow(&NOTHING));
    let begun = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            let _had = HAD.lock();
            begun.wait();
            thread::sleep(Duration::from_millis(50));
            let _wanted = WANTED.lock();
        });
        begun.wait();
        prepare();
    });
    let are_free = || [&HAD, &WANTED].map(|lock| lock.try_lock().is_some());
    assert_eq!(are_free(), [false; 2]);
    parent();
    assert_eq!(are_free(), [true; 2]);
}
