//! The thread's own frame stack.

use std::cell::{Cell, RefCell};
use std::mem::{self, ManuallyDrop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::AtomicPtr;
use std::thread;

use typed_pool::frame::scratch::{self, ScratchBox};

fn message(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => String::from(*payload.downcast::<&str>().unwrap()),
    }
}

fn used() -> usize {
    scratch::with(|stack| stack.used())
}

/// Shows leak checkers a block of a stack that is leaked on purpose, since boxes of it are out when its
/// thread ends.
fn show_leak(block: *mut u64) {
    static LEAKED: Mutex<Vec<AtomicPtr<u64>>> = Mutex::new(Vec::new());
    LEAKED.lock().unwrap().push(AtomicPtr::new(block));
}

#[test]
fn a_frame_takes_back_what_was_made_in_it() {
    for round in 1..10 {
        let frame = scratch::frame();
        let name = scratch::alloc(vec![round; 3]);
        let mut slice = scratch::alloc_slice(&[3, 2, 1]);
        slice.sort();
        assert_eq!((*name == [round; 3], &*slice), (true, &[1, 2, 3][..]));
        assert_eq!(used(), size_of::<Vec<i32>>() + 12);
        drop((name, slice));
        drop(frame);
        assert_eq!(used(), 0);
    }
}

#[test]
fn a_frame_that_ends_too_early_names_the_boxes() {
    let frame = scratch::frame();
    let boxes = [1_u64, 2, 3].map(scratch::alloc);
    let text = message(|| drop(frame));
    assert!(text.contains("while 3 boxes of its scratch are still out"), "{text}");
    assert!(text.contains(&format!("that began at {}:", file!())), "{text}");
    // Their memory stays theirs.
    let frame = scratch::frame();
    let more = [0_u64; 100].map(scratch::alloc);
    assert!(boxes.iter().map(|b| **b).eq(1..=3));
    drop((boxes, more));
    drop(frame);
    assert_eq!(used(), 0);

    let frame = scratch::frame();
    let mut forgotten = scratch::alloc(1_u64);
    show_leak(&raw mut *forgotten);
    mem::forget(forgotten);
    let text = message(|| drop(frame));
    assert!(text.contains("while 1 box of its scratch is still out"), "{text}");
    assert_eq!(used(), 8);
}

#[test]
fn the_outermost_frame_takes_everything_back() {
    let outer = scratch::frame();
    let kept = scratch::alloc(7_u64);
    {
        let _inner = scratch::frame();
        drop(scratch::alloc([1_u64; 10]));
    }
    assert_eq!((*kept, used()), (7, 8));
    drop(kept);
    drop(scratch::frame());
    assert_eq!(used(), 8);
    drop(outer);
    assert_eq!(used(), 0);
}

/// Makes room for itself, and takes it back.
fn helper() -> u64 {
    let _frame = scratch::frame();
    scratch::alloc_slice(&[7_u64; 100]).iter().sum()
}

#[test]
fn a_frame_inside_another_takes_its_part_back() {
    let outer = scratch::frame();
    for depth in 0..40 {
        let kept = scratch::alloc(depth);
        let capacity = scratch::with(|stack| stack.capacity());
        let before = used();
        for _ in 0..1000 {
            assert_eq!(helper(), 700);
        }
        // Those that are very deep are taken back by a frame around them.
        assert!(scratch::with(|stack| stack.capacity()) <= 2 * capacity || depth > 12);
        assert!(used() == before || depth > 12);
        assert_eq!(*kept, depth);
        mem::forget(scratch::frame());
    }
    drop(outer);
}

#[test]
fn what_is_out_of_an_inner_frame_is_taken_back_when_it_is_gone() {
    let outer = scratch::frame();
    let kept = scratch::alloc(7_u64);
    let inner = scratch::frame();
    let first = scratch::alloc([1_u64; 10]);
    let second = scratch::alloc([2_u64; 10]);
    drop(inner);
    assert_eq!(helper(), 700);
    drop(first);
    assert_eq!((*kept, *second, used()), (7, [2; 10], 168));
    drop(second);
    assert_eq!(used(), 8);
    // In the order in which they began.
    let inner = scratch::frame();
    let third = scratch::alloc([3_u64; 10]);
    drop(kept);
    drop(outer);
    assert_eq!((*third, used()), ([3; 10], 88));
    drop(third);
    drop(inner);
    assert_eq!(used(), 0);
}

/// Its slice moves behind a frame, which then ends.
#[test]
fn a_frame_that_begins_and_ends_while_a_box_is_made_takes_nothing_from_it() {
    let outer = scratch::frame();
    let mut frame = None;
    let made = scratch::alloc_iter((0..2000_u64).filter(|n| {
        match n {
            3 => frame = Some((scratch::frame(), scratch::alloc(*n))),
            700 => drop(frame.take().map(|(frame, kept)| (kept, frame))),
            _ => {}
        }
        true
    }));
    let more = [0_u64; 1000].map(scratch::alloc);
    assert!(made.iter().copied().eq(0..2000) && more.iter().all(|zero| **zero == 0));
    drop((made, more));
    // It ends after the box is there.
    let mut late = None;
    let made = scratch::alloc_iter((0..2000_u64).filter(|n| {
        if *n == 3 {
            late = Some((scratch::alloc(*n), scratch::frame()));
        }
        true
    }));
    drop(late);
    let more = [0_u64; 1000].map(scratch::alloc);
    assert!(made.iter().copied().eq(0..2000) && more.iter().all(|zero| **zero == 0));
    drop((made, more));
    drop(outer);
    assert_eq!(used(), 0);
}

#[test]
fn a_frame_that_ends_while_the_stack_is_lent_takes_nothing_back() {
    scratch::with(|stack| {
        let kept = stack.alloc(7_u64);
        let frame = scratch::frame();
        let newer = stack.alloc(8_u64);
        assert_eq!(helper(), 700);
        drop(frame);
        stack.alloc_slice(&[0_u64; 100]);
        assert_eq!((*kept, *newer), (7, 8));
    });
    assert_eq!(used(), 0);
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "not looked for")]
fn without_a_frame_nothing_can_be_made() {
    let text = message(|| drop(scratch::alloc(7)));
    assert!(text.contains("begin one: `let _frame = scratch::frame();`"), "{text}");
    drop(scratch::frame());
    assert!(message(|| drop(scratch::alloc_str("seven"))).contains("without a frame"));
    assert!(message(|| drop(scratch::alloc_iter(0..7))).contains("without a frame"));
    assert_eq!(used(), 0);
}

/// A build with debug assertions refuses it.
#[test]
#[cfg_attr(debug_assertions, ignore = "refused")]
fn without_a_frame_all_goes_with_the_last_box() {
    for n in 0..1000_u64 {
        let first = scratch::alloc([n; 100]);
        let second = scratch::alloc(n);
        drop(first);
        assert_eq!((*second, used()), (n, 808));
    }
    assert_eq!(used(), 0);
}

#[test]
fn a_panic_is_not_followed_by_another() {
    let text = message(|| {
        let _frame = scratch::frame();
        let mut kept = ManuallyDrop::new(scratch::alloc(1_u64));
        show_leak(&raw mut **kept);
        drop(scratch::frame());
        if **kept == 1 {
            panic!("{}", "as told");
        }
    });
    assert_eq!(text, "as told");
    assert_eq!(used(), 8);
}

#[test]
fn constructors_and_destructors_may_scratch_and_panic() {
    struct Scratches(Cell<bool>);
    impl Drop for Scratches {
        fn drop(&mut self) {
            let _frame = scratch::frame();
            drop(scratch::alloc([1_u8; 100]));
            assert!(self.0.get(), "as told");
        }
    }
    let outer = scratch::frame();
    let b = scratch::alloc_with(|| Scratches(Cell::new(*scratch::alloc(true))));
    drop(b);
    assert!(catch_unwind(|| drop(scratch::alloc(Scratches(Cell::new(false))))).is_err());
    assert!(catch_unwind(|| scratch::alloc_with(|| -> u8 { panic!("as told") })).is_err());
    drop(outer);
    assert_eq!(used(), 0);
}

/// Looks at its boxes when its thread-local is destroyed, which may be after the scratch is.
struct Late(RefCell<Vec<ScratchBox<String>>>);

impl Drop for Late {
    fn drop(&mut self) {
        assert!(self.0.borrow().iter().all(|b| **b == "late"));
        self.0.borrow_mut().clear();
    }
}

thread_local! {
    static LATE: Late = const { Late(RefCell::new(Vec::new())) };
}

#[test]
fn boxes_may_outlive_the_thread_local_scratch() {
    for late_first in [true, false] {
        thread::spawn(move || {
            if late_first {
                LATE.with(|late| late.0.borrow_mut().reserve(10));
            }
            // Thread-locals are destroyed in one order or the other of their first uses.
            mem::forget(scratch::frame());
            show_leak(&raw mut *scratch::alloc(0_u64));
            let boxes = (0..10).map(|_| scratch::alloc(String::from("late")));
            LATE.with(|late| late.0.borrow_mut().extend(boxes));
        })
        .join()
        .unwrap();
    }
}

/// Scratches when it is destroyed.
struct Busy;

impl Drop for Busy {
    fn drop(&mut self) {
        let _frame = scratch::frame();
    }
}

thread_local! {
    static BUSY: RefCell<Option<ScratchBox<Busy>>> = const { RefCell::new(None) };
}

#[test]
fn a_destructor_may_begin_a_frame_at_the_end_of_its_thread() {
    for late_first in [true, false] {
        let ended = thread::spawn(move || {
            if late_first {
                BUSY.set(None);
            }
            mem::forget(scratch::frame());
            show_leak(&raw mut *scratch::alloc(0_u64));
            BUSY.set(Some(scratch::alloc(Busy)));
        });
        ended.join().unwrap();
    }
}

thread_local! {
    static FRAME_FIRST: RefCell<Option<(scratch::Frame, ScratchBox<u64>)>> = const { RefCell::new(None) };
}

#[test]
#[cfg_attr(miri, ignore = "it starts a process")]
#[cfg(unix)]
fn a_frame_that_ends_with_its_thread_before_its_boxes_ends_the_process() {
    const CHILD: &str = "TYPED_POOL_FRAME_FIRST";
    if std::env::var_os(CHILD).is_some() {
        let _ =
            thread::spawn(|| FRAME_FIRST.set(Some((scratch::frame(), scratch::alloc(1))))).join();
        return;
    }
    let name = "scratch::a_frame_that_ends_with_its_thread_before_its_boxes_ends_the_process";
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    let child = child.args([name, "--exact", "--nocapture"]).env(CHILD, "1").output().unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success() && said.contains("still out"), "{said}");
}
