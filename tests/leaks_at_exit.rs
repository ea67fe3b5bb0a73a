//! Leaks are told when a thread ends, and when the process does: in processes of their own, which this one starts.

#![cfg(any(unix, windows))]

use std::process::{Command, Output};
use std::{env, thread};

use typed_pool::{PoolBox, Pooled};

use leak::leak;

#[path = "common/leak.rs"]
mod leak;

#[derive(Pooled)]
#[pool(name = "kept")]
struct Kept(#[allow(dead_code)] [u64; 4]);

#[derive(Pooled)]
#[pool(static)]
struct Shared(#[allow(dead_code)] [u64; 4]);

/// Runs the test of this name once more, in a process of its own.
fn child(test: &str) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env("ROLE", "leaks");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn leaks_are_told_at_the_end_of_their_thread_and_of_the_process() {
    const NAME: &str = "leaks_are_told_at_the_end_of_their_thread_and_of_the_process";
    if env::var("ROLE").is_ok() {
        use std::cell::RefCell;
        thread_local! {
            static LATE: RefCell<Option<PoolBox<Kept>>> = const { RefCell::new(None) };
        }
        typed_pool::on_leak(|_| unreachable!("the last counts"));
        typed_pool::on_leak(|leak| eprintln!("told: {leak}"));
        thread::spawn(|| leak(PoolBox::new(Kept([0; 4])))).join().unwrap();
        eprintln!("joined");
        // No leak: it is dropped late.
        let keep = || LATE.with(|kept| *kept.borrow_mut() = Some(PoolBox::new(Kept([1; 4]))));
        thread::spawn(move || {
            LATE.with(|_| ());
            keep();
        })
        .join()
        .unwrap();
        leak(PoolBox::new(Shared([0; 4])));
        return;
    }
    let printed = text(&child(NAME));
    let told: Vec<_> =
        printed.lines().filter(|line| line.contains("told: ") || line.contains("joined")).collect();
    assert_eq!(told.len(), 3, "{printed}");
    assert!(
        told[0]
            .contains("told: 1 element of `leaks_at_exit::Kept` in \"kept\", 32 bytes, in thread "),
        "{printed}"
    );
    let (what, made_at) = told[0].split_once("; made at ").unwrap_or((told[0], ""));
    assert!(what.ends_with(", which has ended"), "{printed}");
    assert_eq!(made_at.contains("leaks_at_exit.rs:"), cfg!(feature = "sites"), "{printed}");
    assert!(told[1].contains("joined"), "{printed}");
    assert!(
        told[2].contains("told: 1 element of `leaks_at_exit::Shared`, 32 bytes, in a static pool"),
        "{printed}"
    );
}
