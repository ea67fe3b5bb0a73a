//! A timer wheel of `any::BoxFnOnce`: callbacks of all sizes, called once or cancelled, which may add timers, and panic.

use std::cell::{Cell, RefCell};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;

use typed_pool::any;

const SLOTS: u64 = 16;

/// Gets the wheel, for timers of its own, and the time.
type Callback = any::BoxFnOnce<(Rc<Wheel>, u64)>;

struct Timer {
    id: u64,
    due: u64,
    callback: Callback,
}

/// Hashed: a slot has the timers of all times that are the same modulo the number of slots.
#[derive(Default)]
struct Wheel {
    slots: [RefCell<Vec<Timer>>; SLOTS as usize],
    now: Cell<u64>,
    timers: Cell<u64>,
}

impl Wheel {
    fn slot(&self, due: u64) -> &RefCell<Vec<Timer>> {
        &self.slots[(due % SLOTS) as usize]
    }

    fn add(&self, delay: u64, callback: Callback) -> u64 {
        let id = self.timers.replace(self.timers.get() + 1);
        let due = self.now.get() + delay;
        self.slot(due).borrow_mut().push(Timer { id, due, callback });
        id
    }

    /// Drops the callback, and with it what it captured.
    fn cancel(&self, id: u64) -> bool {
        let found = self.slots.iter().find_map(|slot| {
            let place = slot.borrow().iter().position(|timer| timer.id == id)?;
            Some(slot.borrow_mut().remove(place))
        });
        found.is_some()
    }

    /// Calls what is due, in the order in which it came, and says how many panicked.
    fn tick(self: &Rc<Self>) -> u32 {
        let now = self.now.get() + 1;
        self.now.set(now);
        let mut slot = self.slot(now).borrow_mut();
        let (due, later) = mem::take(&mut *slot).into_iter().partition(|timer| timer.due == now);
        *slot = later;
        drop(slot);
        let mut panics = 0;
        for Timer { callback, .. } in Vec::<Timer>::into_iter(due) {
            let call = AssertUnwindSafe(|| callback.call(&mut (self.clone(), now)));
            panics += u32::from(panic::catch_unwind(call).is_err());
        }
        panics
    }
}

/// What a timer does when it is due: as much as a number says.
#[derive(Clone, Copy)]
struct Plan(u64);

impl Plan {
    fn child(self) -> Option<(u64, Self)> {
        (self.0 % 3 == 0).then_some((self.0 / 3 % 40 + 1, Self(self.0 / 7)))
    }

    fn panics(self) -> bool {
        self.0 % 5 == 1
    }

    fn size(self) -> u64 {
        self.0 % 6
    }
}

/// Who was called, and when.
type Calls = Rc<RefCell<Vec<(u64, u64)>>>;

/// A callback that captures `size` words besides.
fn callback(plan: Plan, calls: &Calls) -> Callback {
    fn sized<const WORDS: usize>(plan: Plan, calls: Calls) -> Callback {
        let words = [plan.0; WORDS];
        Callback::new(move |&mut (ref wheel, now)| {
            assert!(words.iter().all(|&word| word == plan.0), "another's slot");
            calls.borrow_mut().push((plan.0, now));
            if let Some((delay, plan)) = plan.child() {
                wheel.add(delay, callback(plan, &calls));
            }
            if plan.panics() {
                // A panic that calls no hook, which would print it.
                panic::resume_unwind(Box::new(words));
            }
        })
    }
    let calls = calls.clone();
    match plan.size() {
        0 => sized::<0>(plan, calls),
        1 => sized::<1>(plan, calls),
        2 => sized::<5>(plan, calls),
        3 => sized::<17>(plan, calls),
        4 => sized::<100>(plan, calls),
        _ => sized::<1_000>(plan, calls),
    }
}

/// The same without callbacks.
#[derive(Default)]
struct Model {
    waiting: Vec<(u64, u64, Plan)>,
    now: u64,
    timers: u64,
    calls: Vec<(u64, u64)>,
}

impl Model {
    fn add(&mut self, delay: u64, plan: Plan) {
        self.waiting.push((self.timers, self.now + delay, plan));
        self.timers += 1;
    }

    fn cancel(&mut self, id: u64) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|&(timer, ..)| timer != id);
        self.waiting.len() < before
    }

    fn tick(&mut self) -> u32 {
        self.now += 1;
        let now = self.now;
        let (due, later) =
            mem::take(&mut self.waiting).into_iter().partition(|&(_, due, _)| due == now);
        self.waiting = later;
        let mut panics = 0;
        for (_, _, plan) in Vec::into_iter(due) {
            let plan: Plan = plan;
            self.calls.push((plan.0, now));
            if let Some((delay, plan)) = plan.child() {
                self.add(delay, plan);
            }
            panics += u32::from(plan.panics());
        }
        panics
    }
}

#[test]
fn callbacks_are_called_once_in_time_or_dropped() {
    for seed in 0..8 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let calls = Calls::default();
        let wheel = Rc::<Wheel>::default();
        let mut model = Model::default();
        for _ in 0..1_000 {
            match rng.u32(..10) {
                0..=4 => {
                    let (delay, plan) = (rng.u64(1..60), Plan(rng.u64(..1 << 20)));
                    wheel.add(delay, callback(plan, &calls));
                    model.add(delay, plan);
                }
                5..=6 => {
                    let id = rng.u64(..=model.timers);
                    assert_eq!(wheel.cancel(id), model.cancel(id), "timer {id}");
                }
                _ => assert_eq!(wheel.tick(), model.tick()),
            }
            assert_eq!(*calls.borrow(), model.calls);
            // Each callback that waits owns one of these, and no other does.
            assert_eq!(Rc::strong_count(&calls), 1 + model.waiting.len());
        }
        assert!(model.calls.len() > 200 && !model.waiting.is_empty());
        drop(wheel);
        assert_eq!(Rc::strong_count(&calls), 1);
    }
}

/// A wheel whose thread ends, with timers that wait in a thread-local.
#[test]
fn what_waits_is_dropped_at_the_end_of_its_thread() {
    thread_local! {
        static WHEEL: Rc<Wheel> = Rc::default();
    }

    struct Says(std::sync::mpsc::Sender<u64>, u64);

    impl Drop for Says {
        fn drop(&mut self) {
            self.0.send(self.1).unwrap();
        }
    }

    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        WHEEL.with(|wheel| {
            for number in 0..100 {
                let says = Says(send.clone(), number);
                wheel.add(number % 10 + 1, Callback::new(move |_| drop(says)));
            }
            (0..5).for_each(|_| assert_eq!(wheel.tick(), 0));
        });
    });
    thread.join().unwrap();
    let mut dropped: Vec<u64> = receive.iter().collect();
    dropped.sort();
    assert!(dropped.into_iter().eq(0..100));
}
