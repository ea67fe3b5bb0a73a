//! A program that uses pools of every kind, and says what came of it in one number: the same on every machine.
//!
//! For `wasm32-unknown-unknown`, where it is called from JavaScript, and for all others, where it is a program.

use std::fmt::Write as _;

use typed_pool::frame::{self, FrameStack};
use typed_pool::{
    ByLayout, Handle, PoolArc, PoolBox, PoolRc, Pooled, SecondaryMap, SharedByLayout, any,
};

/// A box in each thread, and shared by pointers that count.
#[derive(Pooled)]
#[pool(rc)]
struct Node {
    key: u64,
    children: [Option<PoolBox<Node>>; 2],
}

/// A box in a static pool that grows.
#[derive(Pooled)]
#[pool(static, rc)]
struct Message(u64, String);

/// A box in a static pool with a capacity.
#[derive(Pooled)]
#[pool(static, capacity = 100)]
struct Packet([u8; 40]);

/// In a roster of each thread.
#[derive(Pooled)]
#[pool(strategy = roster)]
struct Unit {
    life: u64,
    target: Option<Handle<Unit>>,
}

/// In a roster for all threads.
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Sound(u64);

struct Sum(u64);

impl Sum {
    fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(17);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn tree(random: &mut Random, sum: &mut Sum) {
    let mut root: Option<PoolBox<Node>> = None;
    for _ in 0..5000 {
        let key = random.below(1 << 20);
        let mut place = &mut root;
        while let Some(node) = place {
            let side = usize::from(key < node.key);
            place = &mut node.children[side];
        }
        *place = Some(PoolBox::new(Node { key, children: [None, None] }));
    }
    let mut waiting: Vec<_> = root.into_iter().collect();
    while let Some(mut node) = waiting.pop() {
        sum.add(node.key);
        waiting.extend(node.children.iter_mut().filter_map(Option::take));
    }
    assert_eq!(Node::pool_stats().live, 0);
    assert!(Node::pool_trim() > 0);
    let shared = PoolRc::new(Node { key: 7, children: [None, None] });
    let weak = PoolRc::downgrade(&shared);
    sum.add(shared.clone().key + PoolRc::strong_count(&shared) as u64);
    drop(shared);
    assert!(weak.upgrade().is_none());
}

fn messages(random: &mut Random, sum: &mut Sum) {
    let mut kept = Vec::new();
    for n in 0..20_000 {
        if random.below(3) > 0 {
            kept.push(PoolBox::new(Message(n, format!("message {n}"))));
        } else if !kept.is_empty() {
            let message = kept.swap_remove(random.below(kept.len() as u64) as usize);
            sum.add(message.0 + message.1.len() as u64);
        }
    }
    sum.add(Message::pool_stats().live as u64);
    let shared = PoolArc::new(Message(1, String::new()));
    sum.add(shared.0 + PoolArc::strong_count(&shared) as u64);
    let packets: Vec<_> = (0..150).filter_map(|n| PoolBox::try_new(Packet([n; 40])).ok()).collect();
    packets.iter().for_each(|packet| sum.add(packet.0.iter().map(|&byte| u64::from(byte)).sum()));
    assert_eq!(packets.len(), 100);
}

fn units(random: &mut Random, sum: &mut Sum) {
    let mut names = SecondaryMap::new();
    let mut known: Vec<Handle<Unit>> = Vec::new();
    for life in 0..10_000 {
        if random.below(5) < 3 || known.is_empty() {
            let target = known.last().copied();
            let unit = Unit::pool_insert(Unit { life, target });
            names.insert(unit, format!("unit {life}"));
            known.push(unit);
        } else {
            let unit = known[random.below(known.len() as u64) as usize];
            let removed = Unit::pool_remove(unit);
            sum.add(removed.map_or(1, |unit| unit.life));
        }
    }
    Unit::pool_with(|all| {
        for (handle, unit) in all.iter() {
            let target = unit.target.and_then(|target| all.get(target));
            let name = names.get(handle).map_or(0, String::len) as u64;
            sum.add(handle.to_bits() ^ target.map_or(0, |target| target.life) ^ name);
        }
    });
    let sounds: Vec<_> = (0..100).map(|n| Sound::pool_insert(Sound(n))).collect();
    Sound::pool_read(|all| sounds.iter().for_each(|&sound| sum.add(all[sound].0)));
    Sound::pool_clear();
}

fn frames(sum: &mut Sum) {
    let stack = FrameStack::new();
    for n in 0..100 {
        let slice = stack.alloc_iter((0..n).map(|n| n * n));
        sum.add(slice.iter().sum());
    }
    frame::scratch(|frame| {
        let text = frame.alloc_fmt(format_args!("{} bytes", stack.used()));
        sum.add(text.len() as u64);
    });
}

fn layouts(sum: &mut Sum) {
    let word = any::Box::new(7_u64);
    let bytes = any::SendBox::new([1_u8; 100]);
    sum.add(*word + u64::from(bytes[99]));
    let (here, there) = (ByLayout::stats(), SharedByLayout::stats());
    let mut figures = String::new();
    for stats in here.into_iter().chain(there) {
        let _ = write!(figures, "{} ", stats.live);
    }
    figures.bytes().for_each(|byte| sum.add(byte.into()));
}

/// Returns the checksum.
#[unsafe(no_mangle)]
pub extern "C" fn checksum(seed: u32) -> u64 {
    let (mut random, mut sum) = (Random(seed.into()), Sum(0xcbf2_9ce4_8422_2325));
    tree(&mut random, &mut sum);
    messages(&mut random, &mut sum);
    units(&mut random, &mut sum);
    frames(&mut sum);
    layouts(&mut sum);
    sum.0
}
