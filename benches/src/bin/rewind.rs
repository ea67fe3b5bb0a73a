//! The cost of a mark in each frame, beside the cost of copying everything.
//!
//! A frame looks at all elements and writes to a share of them. Eight states are kept. Each contestant's time, less that of
//! the frame alone, is divided by the time that clones of the roster take. The least of many rounds, which are interleaved.
//!
//! `cargo run --profile measured --bin rewind`

use std::collections::VecDeque;
use std::hint::black_box;
use std::ops::DerefMut;
use std::time::Instant;

use typed_pool::{Mark, Rewind, Roster};

/// How many states are kept.
const KEPT: usize = 8;

trait Element: Clone {
    fn new(number: u64) -> Self;
    fn number(&self) -> u64;
    fn write(&mut self);
}

/// 64 bytes without a destructor.
#[derive(Clone, Copy)]
struct Plain([u64; 8]);

impl Element for Plain {
    fn new(number: u64) -> Self {
        Self([number; 8])
    }

    fn number(&self) -> u64 {
        self.0[0]
    }

    fn write(&mut self) {
        self.0[1] += 1;
    }
}

/// 64 bytes, and 64 more on the heap.
#[derive(Clone)]
struct WithVec {
    numbers: [u64; 5],
    items: Vec<u64>,
}

impl Element for WithVec {
    fn new(number: u64) -> Self {
        Self { numbers: [number; 5], items: vec![number; 8] }
    }

    fn number(&self) -> u64 {
        self.numbers[0]
    }

    fn write(&mut self) {
        self.numbers[1] += 1;
        self.items[0] += 1;
    }
}

/// Whether an element is written to in a frame, which writes to a share in 256ths: to runs of neighbours, since a branch that the
/// processor cannot predict would be counted as the price of a mark.
#[inline(always)]
fn is_due(number: u64, frame: u64, share: u64) -> bool {
    (number + 37 * frame) % 256 < share
}

/// A frame, which looks at all elements.
fn frame<T: Element>(
    elements: impl Iterator<Item = impl DerefMut<Target = T>>,
    frame: u64,
    share: u64,
) {
    for mut element in elements {
        if is_due(element.number(), frame, share) {
            element.write();
        }
    }
}

fn roster<T: Element>(count: u64) -> Roster<T> {
    (0..count).map(T::new).collect()
}

/// A frame by its number.
type Frame = Box<dyn FnMut(u64)>;

/// Makes frames that keep eight copies of a roster. `copy` gets the oldest of them, to use its memory.
fn copies<T: Element + 'static>(
    count: u64,
    share: u64,
    copy: fn(&Roster<T>, Roster<T>) -> Roster<T>,
) -> Frame {
    let (mut roster, mut kept) = (roster::<T>(count), VecDeque::new());
    Box::new(move |number| {
        let oldest = if kept.len() == KEPT { kept.pop_front() } else { None };
        kept.push_back(copy(&roster, oldest.unwrap_or_default()));
        frame(roster.values_mut(), number, share);
    })
}

struct Marks<T> {
    rewind: Rewind<T>,
    marks: VecDeque<Mark>,
}

impl<T: Element> Marks<T> {
    fn new(count: u64) -> Self {
        Self { rewind: roster(count).into(), marks: VecDeque::new() }
    }

    fn frame(&mut self, number: u64, share: u64) {
        self.marks.push_back(self.rewind.mark());
        if self.marks.len() > KEPT {
            self.marks.pop_front();
            self.rewind.confirm(self.marks[0]);
        }
        frame(self.rewind.values_mut(), number, share);
    }
}

/// The frame alone, with marks, and with copies of two kinds.
fn contestants<T: Element + 'static>(count: u64, share: u64) -> [Frame; 4] {
    let mut alone = roster::<T>(count);
    let mut marks = Marks::<T>::new(count);
    [
        Box::new(move |number| frame(alone.values_mut(), number, share)),
        Box::new(move |number| marks.frame(number, share)),
        copies(count, share, |roster: &Roster<T>, oldest| {
            drop(oldest);
            roster.clone()
        }),
        copies(count, share, |roster: &Roster<T>, mut oldest| {
            oldest.clone_from(roster);
            oldest
        }),
    ]
}

fn frames<T: Element + 'static>(name: &str, count: u64, share: u64) {
    let mut contestants = contestants::<T>(count, share);
    let frames = (200_000 / count).max(2);
    let mut least = [f64::MAX; 4];
    let mut first = 3 * KEPT as u64;
    contestants.iter_mut().for_each(|frame| (0..first).for_each(&mut *frame));
    for _ in 0..31 {
        for (frame, least) in contestants.iter_mut().zip(&mut least) {
            let start = Instant::now();
            (first..first + frames).for_each(&mut *black_box(frame));
            *least = least.min(start.elapsed().as_nanos() as f64 / frames as f64);
        }
        first += frames;
    }
    let [alone, marks, clones, clones_from] = least;
    let of = |least: f64| (least - alone) / (clones - alone);
    let (percent, clone, [marks, clone_from]) =
        (share as f64 / 2.56, clones - alone, [marks, clones_from].map(of));
    println!(
        "{name:8} {count:6} {percent:4.0} % {alone:10.0} {clone:10.0} {marks:8.3} {clone_from:8.3}"
    );
}

/// Eight frames back, and one clone restored.
fn back<T: Element>(name: &str, count: u64, share: u64) {
    let mut least = [f64::MAX; 3];
    let mut marks = Marks::<T>::new(count);
    let kept: Roster<T> = marks.rewind.clone().into_roster();
    let mut restored = kept.clone();
    let timed = |least: &mut f64, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        *least = least.min(start.elapsed().as_nanos() as f64);
    };
    let mut number = 0;
    for _ in 0..31 {
        for _ in 0..2 * KEPT {
            number += 1;
            marks.frame(number, share);
        }
        let first = marks.marks[0];
        timed(&mut least[0], &mut || marks.rewind.rewind(first).unwrap());
        marks.marks.truncate(1);
        timed(&mut least[1], &mut || restored = black_box(&kept).clone());
        timed(&mut least[2], &mut || restored.clone_from(black_box(&kept)));
    }
    black_box(&restored);
    let [rewind, clone, clone_from] = least;
    println!(
        "{name:8} {count:6} {:4.0} % {rewind:10.0} {clone:10.0} {:8.3} {:8.3}",
        share as f64 / 2.56,
        rewind / clone,
        rewind / clone_from,
    );
}

fn main() {
    const COUNTS: [u64; 3] = [1_000, 10_000, 100_000];
    println!("element   count  share   frame ns   clone ns    marks clone_from");
    for (name, frames) in
        [("plain", frames::<Plain> as fn(&str, u64, u64)), ("with Vec", frames::<WithVec>)]
    {
        for share in [3, 26, 128, 192, 256] {
            COUNTS.into_iter().for_each(|count| frames(name, count, share));
        }
    }
    println!("eight frames back: rewind ns, clone ns, of a clone, of clone_from");
    for share in [3, 26] {
        for count in COUNTS {
            back::<Plain>("plain", count, share);
            back::<WithVec>("with Vec", count, share);
        }
    }
}
