//! The workloads of two threads as lanes.

use std::rc::Rc;
use std::sync::Arc;

use crate::contestant::Contestant;
use crate::contestants::shared::VisitShared;
use crate::crew::{Crew, Job};
use crate::objects::Payload;
use crate::race::{Lane, Turn};
use crate::workloads::threads::{PORTION, Which};

/// Portions in a turn: short enough that most turns end before the system takes a core away.
const PORTIONS: u64 = 20;

/// W7.
pub(in crate::race) struct Threads {
    which: Which,
    crew: Rc<Crew>,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Threads {
    pub(in crate::race) fn of(which: Which) -> Self {
        Self { which, crew: Rc::new(Crew::gather()), lanes: Vec::new() }
    }
}

impl VisitShared for Threads {
    fn visit<T: Payload, C: Contestant<T, Object: Send> + Send + Sync>(&mut self) {
        let crew = Rc::clone(&self.crew);
        let workload = self.which.of::<T, C>(C::enter());
        let checked = Arc::clone(&workload);
        let work: Job = Arc::new(move |side| {
            workload.work(side, PORTIONS);
            0
        });
        let check: Job = Arc::new(move |side| checked.check(side));
        self.lanes.push(Lane::new(C::NAME, move |_| {
            let (spent, _) = crew.run(&work);
            let nanos = spent.as_nanos() as f64 / (PORTIONS * u64::from(PORTION)) as f64;
            let (_, checksum) = crew.run(&check);
            Turn { cost: nanos, checksum }
        }));
    }
}
