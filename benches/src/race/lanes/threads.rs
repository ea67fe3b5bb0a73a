//! The workloads of two threads as lanes.

use std::rc::Rc;
use std::sync::Arc;

use super::lanes;
use crate::contestant::Contestant;
use crate::contestants::shared::{VisitShared, shared_peers};
use crate::crew::{Crew, Job};
use crate::objects::Payload;
use crate::race::{Lane, Turn};
use crate::workloads::threads::{PORTION, Which};

/// Portions in a turn: short enough that most turns end before the system takes a core away.
const PORTIONS: u64 = 20;

lanes! {
    /// W7.
    fn in_crew(which: Which, crew: Rc<Crew>) by VisitShared [T: Payload, C: Contestant<T, Object: Send> + Send + Sync]
    of shared_peers; |lanes| {
        let workload = which.of::<T, C>(C::enter());
        let checked = Arc::clone(&workload);
        let work: Job = Arc::new(move |side| {
            workload.work(side, PORTIONS);
            0
        });
        let check: Job = Arc::new(move |side| checked.check(side));
        lanes.push(Lane::new(C::NAME, move |_| {
            let (spent, _) = crew.run(&work);
            let cost = spent.as_nanos() as f64 / (PORTIONS * u64::from(PORTION)) as f64;
            let (_, checksum) = crew.run(&check);
            Turn { cost, checksum }
        }));
    }
}

pub(in crate::race) fn threads(which: Which) -> Vec<Lane> {
    in_crew(which, Rc::new(Crew::gather()))
}
