//! What a mark costs a frame, beside what copying everything costs.
//!
//! A frame looks at all elements and writes to a share of them. Eight states are kept. Each contestant's time, less that of
//! the frame alone, is divided by the time that clones of the roster take. The least of many rounds, which are interleaved.
//!
//! `cargo run --profile measured --bin rewind`

use std::collections::{HashMap, VecDeque};
use std::hint::black_box;
use std::time::Instant;

use typed_pool::{Handle, Mark, Rewind, Roster};

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

trait Contestant<T> {
    fn new(count: u64) -> Self;
    fn frame(&mut self, frame: u64, share: u64);
}

struct Alone<T>(Roster<T>);

fn roster<T: Element>(count: u64) -> Roster<T> {
    (0..count).map(T::new).collect()
}

fn write_to_roster<T: Element>(roster: &mut Roster<T>, frame: u64, share: u64) {
    for element in roster.values_mut() {
        if is_due(element.number(), frame, share) {
            element.write();
        }
    }
}

impl<T: Element> Contestant<T> for Alone<T> {
    fn new(count: u64) -> Self {
        Self(roster(count))
    }

    fn frame(&mut self, frame: u64, share: u64) {
        write_to_roster(&mut self.0, frame, share);
    }
}

struct Marks<T> {
    rewind: Rewind<T>,
    marks: VecDeque<Mark>,
}

impl<T: Element> Contestant<T> for Marks<T> {
    fn new(count: u64) -> Self {
        Self { rewind: roster(count).into(), marks: VecDeque::new() }
    }

    fn frame(&mut self, frame: u64, share: u64) {
        self.marks.push_back(self.rewind.mark());
        if self.marks.len() > KEPT {
            self.marks.pop_front();
            self.rewind.confirm(self.marks[0]);
        }
        for mut element in self.rewind.values_mut() {
            if is_due(element.number(), frame, share) {
                element.write();
            }
        }
    }
}

struct Clones<T> {
    roster: Roster<T>,
    kept: VecDeque<Roster<T>>,
}

impl<T: Element> Contestant<T> for Clones<T> {
    fn new(count: u64) -> Self {
        Self { roster: roster(count), kept: VecDeque::new() }
    }

    fn frame(&mut self, frame: u64, share: u64) {
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(self.roster.clone());
        write_to_roster(&mut self.roster, frame, share);
    }
}

struct ClonesFrom<T> {
    roster: Roster<T>,
    kept: VecDeque<Roster<T>>,
}

impl<T: Element> Contestant<T> for ClonesFrom<T> {
    fn new(count: u64) -> Self {
        Self { roster: roster(count), kept: VecDeque::new() }
    }

    fn frame(&mut self, frame: u64, share: u64) {
        let mut last =
            if self.kept.len() == KEPT { self.kept.pop_front() } else { None }.unwrap_or_default();
        last.clone_from(&self.roster);
        self.kept.push_back(last);
        write_to_roster(&mut self.roster, frame, share);
    }
}

struct Options<T> {
    elements: Vec<Option<T>>,
    kept: VecDeque<Vec<Option<T>>>,
}

impl<T: Element> Contestant<T> for Options<T> {
    fn new(count: u64) -> Self {
        Self {
            elements: (0..count).map(|number| Some(T::new(number))).collect(),
            kept: VecDeque::new(),
        }
    }

    fn frame(&mut self, frame: u64, share: u64) {
        let mut last =
            if self.kept.len() == KEPT { self.kept.pop_front() } else { None }.unwrap_or_default();
        last.clone_from(&self.elements);
        self.kept.push_back(last);
        for element in self.elements.iter_mut().flatten() {
            if is_due(element.number(), frame, share) {
                element.write();
            }
        }
    }
}

/// As rollback in an entity component system does.
struct Components<T> {
    roster: Roster<T>,
    kept: VecDeque<HashMap<Handle<T>, T>>,
}

impl<T: Element> Contestant<T> for Components<T> {
    fn new(count: u64) -> Self {
        Self { roster: roster(count), kept: VecDeque::new() }
    }

    fn frame(&mut self, frame: u64, share: u64) {
        let mut last =
            if self.kept.len() == KEPT { self.kept.pop_front() } else { None }.unwrap_or_default();
        last.clear();
        last.extend(self.roster.iter().map(|(handle, element)| (handle, element.clone())));
        self.kept.push_back(last);
        write_to_roster(&mut self.roster, frame, share);
    }
}

/// The least time of a frame, in nanoseconds.
struct Timed<C> {
    contestant: C,
    frame: u64,
    least: f64,
}

impl<C> Timed<C> {
    fn new<T>(count: u64, share: u64) -> Self
    where
        C: Contestant<T>,
    {
        let mut timed = Self { contestant: C::new(count), frame: 0, least: f64::MAX };
        for _ in 0..3 * KEPT {
            timed.frame += 1;
            timed.contestant.frame(timed.frame, share);
        }
        timed
    }

    fn round<T>(&mut self, frames: u64, share: u64)
    where
        C: Contestant<T>,
    {
        let start = Instant::now();
        for _ in 0..frames {
            self.frame += 1;
            black_box(&mut self.contestant).frame(self.frame, share);
        }
        self.least = self.least.min(start.elapsed().as_nanos() as f64 / frames as f64);
    }
}

fn frames<T: Element>(name: &str, count: u64, share: u64) {
    let mut alone = Timed::<Alone<T>>::new(count, share);
    let mut marks = Timed::<Marks<T>>::new(count, share);
    let mut clones = Timed::<Clones<T>>::new(count, share);
    let mut clones_from = Timed::<ClonesFrom<T>>::new(count, share);
    let mut options = Timed::<Options<T>>::new(count, share);
    let mut components = Timed::<Components<T>>::new(count, share);
    let frames = (200_000 / count).max(2);
    for _ in 0..31 {
        alone.round(frames, share);
        marks.round(frames, share);
        clones.round(frames, share);
        clones_from.round(frames, share);
        options.round(frames, share);
        components.round(frames, share);
    }
    let clone = clones.least - alone.least;
    let of = |least: f64| (least - alone.least) / clone;
    println!(
        "{name:8} {count:6} {:4.0} % {:10.0} {:10.0} {:8.3} {:8.3} {:8.3} {:8.3}",
        share as f64 / 2.56,
        alone.least,
        clone,
        of(marks.least),
        of(clones_from.least),
        of(options.least),
        of(components.least),
    );
}

/// Eight frames back, and one clone restored.
fn back<T: Element>(name: &str, count: u64, share: u64) {
    let mut least = [f64::MAX; 3];
    let mut marks = Timed::<Marks<T>>::new(count, share);
    let kept: Roster<T> = marks.contestant.rewind.clone().into_roster();
    let mut restored = kept.clone();
    for _ in 0..31 {
        for _ in 0..2 * KEPT {
            marks.frame += 1;
            marks.contestant.frame(marks.frame, share);
        }
        let first = marks.contestant.marks[0];
        let start = Instant::now();
        marks.contestant.rewind.rewind(first).unwrap();
        least[0] = least[0].min(start.elapsed().as_nanos() as f64);
        marks.contestant.marks.truncate(1);
        let start = Instant::now();
        restored = black_box(&kept).clone();
        least[1] = least[1].min(start.elapsed().as_nanos() as f64);
        let start = Instant::now();
        restored.clone_from(black_box(&kept));
        least[2] = least[2].min(start.elapsed().as_nanos() as f64);
    }
    black_box(&restored);
    println!(
        "{name:8} {count:6} {:4.0} % {:10.0} {:10.0} {:8.3} {:8.3}",
        share as f64 / 2.56,
        least[0],
        least[1],
        least[0] / least[1],
        least[0] / least[2],
    );
}

fn main() {
    let shares = [3, 26, 128, 192, 256];
    println!("element   count  share   frame ns   clone ns    marks clone_from options components");
    for share in shares {
        for count in [1_000, 10_000, 100_000] {
            frames::<Plain>("plain", count, share);
        }
    }
    for share in shares {
        for count in [1_000, 10_000, 100_000] {
            frames::<WithVec>("with Vec", count, share);
        }
    }
    println!("eight frames back: rewind ns, clone ns, of a clone, of clone_from");
    for share in [3, 26] {
        for count in [1_000, 10_000, 100_000] {
            back::<Plain>("plain", count, share);
            back::<WithVec>("with Vec", count, share);
        }
    }
}
