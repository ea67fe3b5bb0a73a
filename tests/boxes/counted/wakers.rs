//! Wakers made of `PoolArc`s: they are owners like others, and the executor that they serve may be in another thread.

use std::cell::Cell;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::task::{Context, Poll, RawWaker, Waker};
use std::thread;

use typed_pool::{PoolArc, PoolWake, Pooled};

/// Tasks that are to be polled.
#[derive(Default)]
struct Queue<T> {
    ready: Mutex<VecDeque<T>>,
    is_more: Condvar,
}

impl<T> Queue<T> {
    const fn new() -> Self {
        Self { ready: Mutex::new(VecDeque::new()), is_more: Condvar::new() }
    }

    fn push(&self, task: T) {
        self.ready.lock().unwrap().push_back(task);
        self.is_more.notify_one();
    }

    fn pop(&self) -> T {
        let ready = self.ready.lock().unwrap();
        let mut ready = self.is_more.wait_while(ready, |ready| ready.is_empty()).unwrap();
        ready.pop_front().unwrap()
    }
}

/// Becomes ready at the last of as many polls; asks another thread to wake it in between.
struct Countdown(u32);

impl Future for Countdown {
    type Output = u32;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        if self.0 == 0 {
            return Poll::Ready(7);
        }
        self.0 -= 1;
        match self.0 % 3 {
            0 => cx.waker().wake_by_ref(),
            rest => {
                let waker = cx.waker().clone();
                if rest == 1 { waker.wake() } else { drop(thread::spawn(move || waker.wake())) }
            }
        }
        Poll::Pending
    }
}

macro_rules! check {
    ($name:ident, $($attribute:tt)*) => {
        /// An executor whose tasks and wakers are the same elements of one pool.
        #[test]
        fn $name() {
            type Polled = Pin<Box<dyn Future<Output = u32> + Send>>;

            #[derive(Pooled)]
            #[pool($($attribute)*)]
            struct Task(Mutex<Option<Polled>>);

            static QUEUE: Queue<PoolArc<Task>> = Queue::new();

            impl PoolWake for Task {
                fn wake(this: PoolArc<Self>) {
                    QUEUE.push(this);
                }
            }

            for n in 0..20 {
                let future: Polled = Box::pin(async move { Countdown(n).await + n });
                QUEUE.push(PoolArc::new(Task(Mutex::new(Some(future)))));
            }
            let run = || {
                let mut done = 0;
                while done < 10 {
                    let task = QUEUE.pop();
                    let waker = Waker::from(PoolArc::clone(&task));
                    let mut slot = task.0.lock().unwrap();
                    if let Some(mut future) = slot.take() {
                        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
                            Poll::Ready(result) => done += u32::from(result >= 7),
                            Poll::Pending => *slot = Some(future),
                        }
                    }
                }
            };
            thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(run))));
            assert!(QUEUE.ready.lock().unwrap().is_empty());
            assert_eq!(Task::pool_stats().live, 0);
        }
    };
}

check!(of_static_lists, static, strategy = free_list, rc);
check!(of_static_stacks, static, rc);
check!(of_a_fixed_pool, static, capacity = 64, rc);
check!(of_a_fixed_list, static, capacity = 64, strategy = free_list, rc);

/// Counts what it is told.
#[derive(Pooled, Default)]
#[pool(static, rc)]
struct Noted {
    by_value: AtomicUsize,
    by_ref: AtomicUsize,
}

impl PoolWake for Noted {
    fn wake(this: PoolArc<Self>) {
        this.by_value.fetch_add(1, Ordering::Relaxed);
    }

    fn wake_by_ref(this: &PoolArc<Self>) {
        this.by_ref.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_waker_is_one_owner() {
    let task = PoolArc::<Noted>::default();
    let waker = Waker::from(PoolArc::clone(&task));
    assert_eq!(PoolArc::strong_count(&task), 2);
    let other = waker.clone();
    assert!(other.will_wake(&waker));
    assert_eq!(PoolArc::strong_count(&task), 3);
    other.wake_by_ref();
    assert_eq!(PoolArc::strong_count(&task), 3);
    other.wake();
    assert_eq!(PoolArc::strong_count(&task), 2);
    // SAFETY: the raw waker was made for this.
    drop(unsafe { Waker::from_raw(RawWaker::from(PoolArc::clone(&task))) });
    drop(waker);
    assert_eq!(PoolArc::strong_count(&task), 1);
    let Noted { by_value, by_ref } = PoolArc::into_inner(task).unwrap();
    assert_eq!((by_value.into_inner(), by_ref.into_inner()), (1, 1));
}

#[test]
fn the_last_waker_drops_the_task() {
    thread_local! {
        static DROPPED: Cell<u32> = const { Cell::new(0) };
    }

    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Task(u64);

    impl Drop for Task {
        fn drop(&mut self) {
            DROPPED.set(DROPPED.get() + 1);
        }
    }

    impl PoolWake for Task {
        fn wake(this: PoolArc<Self>) {
            assert_eq!(this.0, 7);
        }
    }

    let waker = Waker::from(PoolArc::new(Task(7)));
    let other = waker.clone();
    waker.wake();
    other.wake_by_ref();
    assert_eq!((DROPPED.get(), Task::pool_stats().live), (0, 1));
    other.wake();
    assert_eq!((DROPPED.get(), Task::pool_stats().live), (1, 0));
}

#[test]
fn a_wake_that_panics_gives_up_its_owner_and_no_other() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Task(u64);

    impl PoolWake for Task {
        fn wake(this: PoolArc<Self>) {
            panic!("task {}", this.0);
        }
    }

    let task = PoolArc::new(Task(7));
    let [first, second] = [(); 2].map(|()| Waker::from(PoolArc::clone(&task)));
    assert!(catch_unwind(AssertUnwindSafe(|| first.wake())).is_err());
    assert_eq!(PoolArc::strong_count(&task), 2);
    assert!(catch_unwind(AssertUnwindSafe(|| second.wake_by_ref())).is_err());
    assert_eq!(PoolArc::strong_count(&task), 2, "by reference");
    drop(second);
    assert_eq!(PoolArc::strong_count(&task), 1);
}
