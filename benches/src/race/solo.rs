//! Races in which every turn is a process of its own: what a heap keeps would warm up the next turn, and
//! memory could not be attributed.

use std::env;
use std::fs;
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::lanes::first;
use super::{Lane, Turn};
use crate::contestant::Contestant;
use crate::contestants::roll::{self, Flat, VisitFlat};
use crate::objects::{Obj16, Obj64};
use crate::random::Random;
use crate::workloads::Seats;

/// Tells a child what it was started for: an errand (in JSON), a size, and a contestant's name.
pub const SOLO: &str = "--solo";

/// How many objects have their memory counted.
const CROWD: u32 = 1_000_000;

/// The measurement that a child makes.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Errand {
    /// Nanoseconds an object, for this many that are the first of the process.
    Cold(u32),
    /// The same where they were announced before: `reserve`, outside of the clock.
    Reserved(u32),
    /// The same where their memory was brought in before, too.
    Prefaulted(u32),
    /// Nanoseconds an object of this many types, in the second thread of the process. See `lanes::first`.
    Thread(u32),
    /// Resident bytes an object, with a million of them alive.
    Live,
    /// Resident bytes an object when all have been freed, and what can be given back has been.
    Freed,
}

impl Errand {
    fn run<T: Flat, C: Contestant<T>>(self) -> f64 {
        let count = match self {
            Self::Cold(count) | Self::Reserved(count) | Self::Prefaulted(count) => count,
            _ => CROWD,
        };
        let contestant = C::enter();
        let mut seats = Seats::<C::Object>::empty(count as usize);
        let mut row = seats.row();
        // Their memory is not in question.
        row.touch();
        let order = Random::new(7).permutation(count);
        if matches!(self, Self::Reserved(_) | Self::Prefaulted(_)) {
            contestant.reserve(count as usize);
        }
        if matches!(self, Self::Prefaulted(_)) {
            contestant.prefault();
        }
        let before = resident();
        let start = Instant::now();
        row.fill(|number| contestant.alloc(|| T::written(number as u64)));
        let nanos = start.elapsed().as_nanos() as f64;
        let result = match self {
            Self::Cold(_) | Self::Reserved(_) | Self::Prefaulted(_) => nanos,
            Self::Thread(_) => unreachable!("not run here"),
            Self::Live => resident() - before,
            Self::Freed => {
                for &place in &order {
                    // SAFETY: all places are taken, and a permutation names each once.
                    contestant.free(unsafe { row.leave(place as usize) });
                }
                // SAFETY: every object is gone.
                unsafe { contestant.reset() };
                contestant.trim();
                resident() - before
            }
        };
        result / f64::from(count)
    }
}

/// Resident bytes of this process.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|status| status.strip_prefix("VmRSS:"));
    let kibibytes = value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes * 1024.0)
}

/// Enters all contestants, with a process for each turn.
pub(super) struct Solos {
    errand: Errand,
    bytes: usize,
    small_pages: bool,
    pub(super) lanes: Vec<Lane>,
}

impl Solos {
    pub(super) fn of<T>(errand: Errand) -> Self {
        Self { errand, bytes: size_of::<T>(), small_pages: false, lanes: Vec::new() }
    }

    /// Without the huge pages that our pools would take by themselves.
    pub(super) fn on_small_pages(self) -> Self {
        Self { small_pages: true, ..self }
    }
}

impl<T: Flat> VisitFlat<T> for Solos {
    fn visit<C: Contestant<T>>(&mut self) {
        let is_prepared = matches!(self.errand, Errand::Reserved(_) | Errand::Prefaulted(_));
        if is_prepared && !C::RESERVES {
            return;
        }
        let small_pages = self.small_pages.then_some(("TYPED_POOL_HUGE_PAGES", "0"));
        self.lanes.push(lane(self.errand, self.bytes, C::NAME, small_pages));
    }
}

/// A process for each turn.
pub(super) fn lane(
    errand: Errand,
    bytes: usize,
    name: &'static str,
    variable: Option<(&'static str, &'static str)>,
) -> Lane {
    let program = env::current_exe().expect("the path of this program");
    let errand = serde_json::to_string(&errand).expect("an errand is plain data");
    let arguments = [SOLO.to_owned(), errand, bytes.to_string(), name.to_owned()];
    Lane::new(name, move |_| {
        let mut child = Command::new(&program);
        let output = child.args(&arguments).envs(variable).output().expect("a process");
        let printed = String::from_utf8_lossy(&output.stdout);
        let cost = printed
            .trim()
            .parse()
            .unwrap_or_else(|_| panic!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
        Turn { cost, checksum: 0 }
    })
}

/// Runs as a child.
///
/// # Panics
///
/// If the errand, the size or the name is unknown.
pub fn run_errand(errand: &str, bytes: &str, name: &str) {
    struct Find<'n>(Errand, &'n str, Option<f64>);

    impl<T: Flat> VisitFlat<T> for Find<'_> {
        fn visit<C: Contestant<T>>(&mut self) {
            if C::NAME == self.1 {
                self.2 = Some(self.0.run::<T, C>());
            }
        }
    }

    let errand = serde_json::from_str(errand).expect("an errand");
    if let Errand::Thread(types) = errand {
        println!("{}", first::run(types, name));
        return;
    }
    let mut find = Find(errand, name, None);
    match bytes {
        "16" => roll::flat_peers::<Obj16>(&mut find),
        "64" => roll::flat_peers::<Obj64>(&mut find),
        other => panic!("no objects of {other} bytes"),
    }
    println!("{}", find.2.expect("a contestant"));
}
