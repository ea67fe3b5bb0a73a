//! Packets on a device without an operating system: no `std`, no heap, and no allocator to link.
//!
//! An interrupt takes a slot for each packet that comes in, and queues it; the main loop answers packets
//! and frees them. The pool in `.bss` is all the memory that packets have, so a sender of too many is told
//! at once, and nothing else runs short of memory.
//!
//! Here the interrupt is a function, and the program runs on the host:
//! `cargo run --manifest-path examples/no_std_static/Cargo.toml`. It says what it did, and returns 0 if all went well.

#![no_std]
#![no_main]

use core::cell::RefCell;
use core::ffi::c_int;
use core::fmt::{self, Write};

use typed_pool::{PoolBox, PoolStats, Pooled};

// The platform's start-up code, `memcpy`, and, in place of a serial line:
#[link(name = "c")]
unsafe extern "C" {
    safe fn putchar(byte: c_int) -> c_int;
}

struct Line;

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| _ = putchar(byte.into()));
        Ok(())
    }
}

/// The precompiled `core` refers to it from its unwinding tables. Nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// How many packets may be waiting.
const PACKETS: usize = 1024;

#[derive(Pooled)]
#[pool(static, capacity = PACKETS, name = "packets")]
struct Packet {
    from: u16,
    bytes: [u8; 1022],
}

/// A ring of packets that wait. Boxes are one word each, so a queue of them is small.
struct Queue {
    waiting: [Option<PoolBox<Packet>>; 2 * PACKETS],
    first: usize,
    count: usize,
}

impl Queue {
    const fn new() -> Self {
        Self { waiting: [const { None }; 2 * PACKETS], first: 0, count: 0 }
    }

    fn push(&mut self, packet: PoolBox<Packet>) {
        let last = (self.first + self.count) % self.waiting.len();
        self.waiting[last] = Some(packet);
        self.count += 1;
    }

    fn pop(&mut self) -> Option<PoolBox<Packet>> {
        let packet = self.waiting[self.first].take()?;
        self.first = (self.first + 1) % self.waiting.len();
        self.count -= 1;
        Some(packet)
    }
}

/// A packet came in. Returns whether there was room for it.
fn interrupt(queue: &RefCell<Queue>, from: u16) -> bool {
    let Ok(slot) = Packet::pool_try_vacant() else { return false };
    queue.borrow_mut().push(slot.fill_with(|| Packet { from, bytes: [from as u8; 1022] }));
    true
}

/// One turn of the main loop: how many packets were answered, and whether all were intact.
fn answer(queue: &RefCell<Queue>, most: usize) -> (usize, bool) {
    let (mut answered, mut are_whole) = (0, true);
    while answered < most {
        let Some(packet) = queue.borrow_mut().pop() else { break };
        are_whole &= packet.bytes.iter().all(|&byte| byte == packet.from as u8);
        answered += 1;
    }
    (answered, are_whole)
}

/// Returns 0 if the pool works.
#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    let queue = RefCell::new(Queue::new());
    for round in 0..100 {
        for from in 0..700 {
            if !interrupt(&queue, from + round) {
                return 1;
            }
        }
        if answer(&queue, usize::MAX) != (700, true) {
            return 2;
        }
    }

    // More than there is room for: the rest is refused, and each answered packet makes room at once.
    _ = writeln!(Line, "100 rounds: 700 packets came and were answered in each");
    let accepted = (0..2000).filter(|&from| interrupt(&queue, from)).count();
    let refused = 2000 - accepted;
    _ = writeln!(Line, "2000 packets at once: {accepted} accepted, {refused} refused at once");
    if accepted != PACKETS || answer(&queue, 1) != (1, true) || !interrupt(&queue, 7) {
        return 3;
    }
    if answer(&queue, usize::MAX) != (PACKETS, true) {
        return 4;
    }
    let stats = Packet::pool_stats();
    _ = writeln!(Line, "all answered; {stats}");
    let PoolStats { live, high_water, .. } = stats;
    if (live, high_water) != (0, PACKETS) {
        return 5;
    }
    if !is_listed() {
        return 6;
    }
    0
}

/// Whether the pool is in the list of all, as a report over a serial line would show it.
#[cfg(target_has_atomic = "ptr")]
fn is_listed() -> bool {
    let mut pools = typed_pool::pools();
    let (packets, others) = (pools.next(), pools.next());
    others.is_none()
        && packets
            .is_some_and(|pool| (pool.name, pool.failures) == (Some("packets"), 2000 - PACKETS))
}

/// Without compare-and-swap there is no list.
#[cfg(not(target_has_atomic = "ptr"))]
fn is_listed() -> bool {
    true
}
