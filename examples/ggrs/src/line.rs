//! A line within the process: messages are lost, late, and in another order.

use std::cell::RefCell;
use std::rc::Rc;

use ggrs::{Message, NonBlockingSocket};

use crate::game::Random;

#[derive(Clone)]
pub(crate) struct Line(Rc<RefCell<State>>);

struct State {
    now: u64,
    random: Random,
    /// When it arrives, at whom, from whom.
    under_way: Vec<(u64, usize, usize, Message)>,
}

impl Line {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(State { now: 0, random: Random(seed), under_way: Vec::new() })))
    }

    pub(crate) fn tick(&self) {
        self.0.borrow_mut().now += 1;
    }

    /// The end of the peer with this address.
    pub(crate) fn end(&self, address: usize) -> Socket {
        Socket { line: self.clone(), address }
    }
}

pub(crate) struct Socket {
    line: Line,
    address: usize,
}

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let State { now, random, under_way } = &mut *self.line.0.borrow_mut();
        let delay = 1 + random.next(6);
        if random.next(10) > 0 {
            under_way.push((*now + delay, *to, self.address, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let State { now, under_way, .. } = &mut *self.line.0.borrow_mut();
        let arrived =
            under_way.extract_if(.., |(when, to, ..)| *when <= *now && *to == self.address);
        arrived.map(|(_, _, from, message)| (from, message)).collect()
    }
}
