//! A program with Tracy's client in it: with a viewer and without, with threads that end, it runs and ends as any other.
//!
//! `tracy` has what the client is told.

#![cfg(feature = "tracy")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use typed_pool::{FreeList, PoolBox, Pooled, Roster, any};

#[derive(Pooled)]
#[allow(dead_code, reason = "it takes room")]
struct Node([u64; 3]);

#[derive(Pooled)]
#[pool(static)]
#[allow(dead_code, reason = "it takes room")]
struct Job([u64; 3]);

/// What the program does, until it may stop, in threads that begin and end.
fn work(may_stop: impl Fn() -> bool + Sync) {
    thread_local! {
        static KEPT: std::cell::RefCell<Vec<PoolBox<Node>>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let work = || {
        let nodes: Vec<_> = (0..200).map(|n| PoolBox::new(Node([n; 3]))).collect();
        KEPT.with_borrow_mut(|kept| kept.extend(nodes));
        let jobs: Vec<_> = (0..200).map(|n| PoolBox::new(Job([n; 3]))).collect();
        let roster: Roster<u64> = (0..200).collect();
        let list = FreeList::new();
        let boxes: Vec<_> = (0..200).map(|n| list.alloc(n)).collect();
        drop((roster, boxes, any::Box::new(7)));
        jobs
    };
    loop {
        thread::scope(|scope| {
            let jobs = scope.spawn(work).join().unwrap();
            scope.spawn(move || drop(jobs));
            scope.spawn(work);
        });
        if may_stop() {
            break;
        }
    }
    // Some of it is live when the process ends.
    work();
    assert_eq!(Job::pool_stats().live, 0);
}

/// The work in a process of its own, whose client listens at this port. It goes on until its input ends.
fn spawn(port: u16) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored"])
        .env("TRACY_PORT", port.to_string())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A port that nobody listens at.
fn port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The process ends by itself. (In a minute one that ends can be told from one that hangs.)
#[track_caller]
fn assert_ends(mut child: Child) {
    drop(child.stdin.take());
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return assert!(status.success(), "{status}");
        }
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it hangs");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "a process of its own, which others start"]
fn child() {
    let has_input = AtomicBool::new(true);
    thread::scope(|scope| {
        scope.spawn(|| {
            std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
            has_input.store(false, Ordering::Relaxed);
        });
        work(|| !has_input.load(Ordering::Relaxed));
    });
}

#[test]
fn without_a_viewer() {
    assert_ends(spawn(port()));
}

/// A connection to the client, which has accepted the version of the protocol.
fn connect(port: u16) -> TcpStream {
    let deadline = Instant::now() + Duration::from_secs(60);
    // Those that the client may have; it refuses all but its own.
    let mut versions = (70_u32..120).cycle();
    while Instant::now() < deadline {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else {
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        let version = versions.next().unwrap();
        let mut answer = [0];
        stream.write_all(&[&b"TracyPrf"[..], &version.to_le_bytes()].concat()).unwrap();
        if stream.read_exact(&mut answer).is_ok() && answer == [1] {
            return stream;
        }
    }
    panic!("no client answers at port {port}");
}

#[test]
fn with_viewers_that_come_and_go() {
    let port = port();
    let child = spawn(port);
    for _ in 0..2 {
        let mut stream = connect(port);
        // Without elements to tell of it would take hours to send as much.
        let mut received = 0;
        let mut buffer = vec![0; 1 << 16];
        while received < 1 << 20 {
            let bytes = stream.read(&mut buffer).unwrap();
            assert_ne!(bytes, 0, "the client has gone");
            received += bytes;
        }
    }
    assert_ends(child);
}
