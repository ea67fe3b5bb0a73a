use super::Ahead;
use crate::base::lock::in_fork;
use crate::roster::Roster;

#[test]
fn who_forks_has_the_lock() {
    static AHEAD: Ahead = Ahead::new();
    let mut roster = Roster::<u8>::with_capacity(10);
    let asked = AHEAD.ask(&roster).unwrap().unwrap();
    assert!(in_fork(|| AHEAD.lock.try_lock().is_none()));
    AHEAD.settle(&mut roster);
    assert!(roster.release(asked));
}
