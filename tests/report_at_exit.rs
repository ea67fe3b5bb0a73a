//! What is said when a process ends, and of what its threads have leaked: in processes of their own, which this one starts.

#![cfg(any(unix, windows))]

use std::process::{Command, Output};
use std::{env, thread};

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(name = "kept")]
struct Kept(#[allow(dead_code)] [u64; 4]);

#[derive(Pooled)]
#[pool(static)]
struct Shared(#[allow(dead_code)] [u64; 4]);

/// Runs the test of this name once more, where `ROLE` says what it is to do.
fn child(test: &str, role: &str, report: Option<&str>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env("ROLE", role);
    match report {
        Some(value) => command.env("TYPED_POOL_REPORT", value),
        None => command.env_remove("TYPED_POOL_REPORT"),
    };
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
fn a_report_is_printed_if_the_environment_asks_for_it() {
    const NAME: &str = "a_report_is_printed_if_the_environment_asks_for_it";
    match env::var("ROLE").as_deref() {
        Ok("asks") => {
            typed_pool::report_at_exit();
            typed_pool::report_at_exit();
            drop(PoolBox::new(Kept([0; 4])));
            PoolBox::leak(PoolBox::new(Shared([0; 4])));
        }
        Ok(_) => drop(PoolBox::new(Kept([0; 4]))),
        Err(_) => {
            let printed = text(&child(NAME, "asks", Some("1")));
            let count = |word: &str| printed.lines().filter(|line| line.starts_with(word)).count();
            assert_eq!((count("pool "), count("kept "), count("total ")), (1, 1, 1), "{printed}");
            assert!(printed.contains("report_at_exit::Shared"), "{printed}");
            for (role, report) in [("asks", None), ("asks", Some("0")), ("does not", Some("1"))] {
                let printed = text(&child(NAME, role, report));
                assert!(!printed.contains("total "), "{role}, {report:?}: {printed}");
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri has no processes")]
#[cfg_attr(feature = "passthrough", ignore = "threads have no pools")]
fn leaks_are_told_at_the_end_of_their_thread_and_of_the_process() {
    const NAME: &str = "leaks_are_told_at_the_end_of_their_thread_and_of_the_process";
    if env::var("ROLE").is_ok() {
        use std::cell::RefCell;
        thread_local! {
            static LATE: RefCell<Option<PoolBox<Kept>>> = const { RefCell::new(None) };
        }
        typed_pool::on_leak(|_| unreachable!("the last counts"));
        typed_pool::on_leak(|leak| eprintln!("told: {leak}"));
        thread::spawn(|| std::mem::forget(PoolBox::new(Kept([0; 4])))).join().unwrap();
        eprintln!("joined");
        // No leak: it is dropped late.
        let keep = || LATE.with(|kept| *kept.borrow_mut() = Some(PoolBox::new(Kept([1; 4]))));
        thread::spawn(move || {
            LATE.with(|_| ());
            keep();
        })
        .join()
        .unwrap();
        PoolBox::leak(PoolBox::new(Shared([0; 4])));
        return;
    }
    let printed = text(&child(NAME, "leaks", None));
    let told: Vec<_> =
        printed.lines().filter(|line| line.contains("told: ") || line.contains("joined")).collect();
    assert_eq!(told.len(), 3, "{printed}");
    assert!(
        told[0].contains(
            "told: 1 element of `report_at_exit::Kept` in \"kept\", 32 bytes, in thread "
        ),
        "{printed}"
    );
    let (what, made_at) = told[0].split_once("; made at ").unwrap_or((told[0], ""));
    assert!(what.ends_with(", which has ended"), "{printed}");
    assert_eq!(made_at.contains("report_at_exit.rs:"), cfg!(feature = "sites"), "{printed}");
    assert!(told[1].contains("joined"), "{printed}");
    assert!(
        told[2].contains("told: 1 element of `report_at_exit::Shared`, 32 bytes, in a static pool"),
        "{printed}"
    );
}
