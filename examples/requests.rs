//! A service: one thread takes requests, others answer and drop them. All of them use one static pool with a limit.
//!
//! ```text
//! cargo run --release -p typed-pool-examples --example requests
//! ```
//!
//! At the limit a request is refused, and nothing is allocated for it, so a burst cannot take the memory of the rest.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use typed_pool::{PoolBox, Pooled};

const LIMIT: usize = 512;
const WORKERS: u32 = 3;

#[derive(Pooled)]
#[pool(static, max = LIMIT, name = "requests")]
struct Request {
    number: u32,
    text: [u8; 256],
}

/// Returns how many were refused.
fn accept(count: u32, workers: &[SyncSender<PoolBox<Request>>]) -> u32 {
    let mut refused = 0;
    for (number, worker) in (0..count).zip(workers.iter().cycle()) {
        // Built in its slot: nothing of 256 bytes is on this stack.
        match Request::pool_try_alloc_with(|| Request { number, text: [b'?'; 256] }) {
            Ok(request) => worker.send(request).expect("a worker listens until the end"),
            Err(_full) => {
                refused += 1;
                thread::yield_now();
            }
        }
    }
    refused
}

/// Each request is dropped here, in another thread than the one that made it: its slot serves the next one that is made.
fn answer(requests: Receiver<PoolBox<Request>>) -> u32 {
    requests
        .into_iter()
        .filter(|request| request.text.ends_with(b"?") && request.number < u32::MAX)
        .count() as u32
}

fn serve(count: u32) -> (u32, u32) {
    thread::scope(|threads| {
        let (mut senders, mut workers) = (Vec::new(), Vec::new());
        for _ in 0..WORKERS {
            let (sender, receiver) = sync_channel(LIMIT);
            senders.push(sender);
            workers.push(threads.spawn(move || answer(receiver)));
        }
        let refused = accept(count, &senders);
        println!("{}", Request::pool_stats()); // about: the others are at work
        drop(senders);
        (workers.into_iter().map(|worker| worker.join().expect("it answers")).sum(), refused)
    })
}

fn main() {
    let (answered, refused) = serve(200_000);
    println!("{answered} answered, {refused} refused\n");
    assert_eq!(answered + refused, 200_000);

    println!("{}", typed_pool::report());
    assert_eq!(Request::pool_stats().live, 0);
}

#[test]
fn every_request_is_answered_or_refused() {
    main();
}
