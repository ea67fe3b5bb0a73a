use alloc::format;
use alloc::string::String;
use std::env;
use std::process::Command;

use super::{Atomic, Count, Counts, MOST, Plain};

/// Takes a count from the most to one more, by the name of the kind of counter and of the way.
fn overflow<C: Count>(way: &str) {
    let counts = Counts { strong: C::with_count(MOST), weak: C::with_count(MOST) };
    let one_more = || match way {
        "inc_strong" => counts.inc_strong(),
        "inc_weak" => counts.inc_weak(),
        "downgrade" => counts.downgrade(),
        "upgrade" => assert!(counts.upgrade()),
        other => panic!("no way: {other}"),
    };
    one_more();
    std::println!("there is room for one that is found out about");
    one_more();
    std::println!("and for another");
}

/// Ends the process: each way in a child of its own.
#[test]
#[cfg_attr(miri, ignore = "it starts processes")]
fn too_many_pointers_end_the_program() {
    const NAME: &str = "pointer::ref_counts::tests::too_many_pointers_end_the_program";
    const KEY: &str = "POOL_CORE_TEST_OVERFLOW";

    if let Ok(asked) = env::var(KEY) {
        match asked.split_once(' ') {
            Some(("plain", way)) => overflow::<Plain>(way),
            Some((_, way)) => overflow::<Atomic>(way),
            None => panic!("not asked for anything"),
        }
        return;
    }
    for kind in ["plain", "atomic"] {
        for way in ["inc_strong", "inc_weak", "downgrade", "upgrade"] {
            let mut child = Command::new(env::current_exe().expect("the path of this program"));
            let child = child.args([NAME, "--exact", "--nocapture"]);
            let output = child.env(KEY, format!("{kind} {way}")).output().expect("a child");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(!output.status.success(), "{kind} {way}");
            assert!(said.contains("there is room"), "{kind} {way}: {said}");
            assert!(!said.contains("and for another"), "{kind} {way}: {said}");
        }
    }
}

#[test]
fn a_thread_that_looks_while_the_count_is_locked_sees_no_weak_pointer() {
    let counts = Counts { strong: Plain::with_count(1), weak: Plain::with_count(super::LOCKED) };
    assert_eq!((counts.strong(), counts.weak()), (1, 0));
}
