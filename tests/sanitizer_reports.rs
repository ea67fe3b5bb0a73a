//! Reports to a user of AddressSanitizer, or of Valgrind with the feature `valgrind`, when a slot is
//! used after it was freed: each misuse in a process of its own, which must be stopped in these tools'
//! words.
//!
//! Built for one of the two only: `RUSTFLAGS="-Zsanitizer=address --cfg pool_asan"`, or
//! `--features valgrind`.

#![cfg(any(pool_asan, feature = "valgrind"))]

use std::alloc::Layout;
use std::env;
use std::process::{Command, Output};
use std::ptr::{self, NonNull};

use typed_pool::{
    FrameBox, FrameStack, FreeList, PointerStack, PoolBox, PoolBoxIn, Pooled, RawFreeList,
    RawPointerStack, Roster, any,
};

/// Names the misuse that the process is to commit.
const MISUSE: &str = "POOL_MISUSE";

/// Reads what may not be read.
fn read(element: *const Element) {
    let second = element.cast::<u64>().wrapping_add(1);
    // SAFETY: none. The tool stops or reports it; the memory is still the pool's, and mapped.
    std::hint::black_box(unsafe { second.read_volatile() });
}

/// Writes what may not be written.
fn write(element: *mut Element) {
    let second = element.cast::<u64>().wrapping_add(1);
    // SAFETY: as in `read`.
    unsafe { second.write_volatile(7) };
}

type Element = [u64; 4];

macro_rules! pooled {
    ($($Name:ident $pool:tt;)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Name(#[allow(dead_code, reason = "read by its address")] Element);
    )*};
}

pooled! {
    ThreadLocal(thread_local);
    ThreadLocalStack(strategy = pointer_stack);
    Growing(static);
    GrowingList(static, strategy = free_list);
    Capacity(static, capacity = 8);
    CapacityList(static, capacity = 8, strategy = free_list);
    Handled(strategy = roster);
}

/// An element of `T`'s pool after its box was dropped. Other elements keep the chunk.
fn freed<T: Pooled>(element: impl Fn() -> T) -> *mut Element {
    let others = [(); 3].map(|()| PoolBox::new(element()));
    let raw = PoolBox::into_raw(PoolBox::new(element()));
    // SAFETY: it has just come from `into_raw`. What uses it later is the misuse.
    drop(unsafe { PoolBox::from_raw(raw) });
    std::mem::forget(others);
    raw.cast()
}

/// The same by layout, of the thread or of the process.
macro_rules! freed_by_layout {
    ($Box:ident) => {{
        let others = [1_u64, 2, 4].map(|n| any::$Box::new([n; 4]));
        let raw = any::$Box::into_raw(any::$Box::new([3; 4]));
        // SAFETY: as in `freed`.
        drop(unsafe { any::$Box::from_raw(raw) });
        std::mem::forget(others);
        raw
    }};
}

macro_rules! owned {
    ($Pool:ident) => {{
        let pool = Box::leak(Box::new($Pool::new()));
        let others = [1, 2, 4].map(|n| pool.alloc([n; 4]));
        let raw = PoolBoxIn::into_raw(pool.alloc([3; 4]));
        // SAFETY: as in `freed`.
        drop(unsafe { PoolBoxIn::from_raw_in(raw, &*pool) });
        std::mem::forget(others);
        raw
    }};
}

macro_rules! untyped {
    ($Pool:ident) => {{
        let pool = $Pool::new(Layout::new::<Element>(), 8).expect("a small pool");
        pool.alloc().expect("the first slot");
        let block: NonNull<Element> = pool.alloc().expect("the second slot").cast();
        // SAFETY: as in `freed`.
        unsafe { pool.free(block) };
        read(block.as_ptr());
    }};
}

/// A misuse, and what else a report must say of it under Valgrind.
type Misuse = (&'static str, fn(), &'static str);

/// Valgrind's words for a slot that it knows to be one. (Of the first of a chunk it may say that it lies behind the chunk's header.)
const SLOT: &str = "bytes inside a block of size 32 free'd";
/// Its words for poisoned memory.
const POISONED: &str = "Address 0x";

const MISUSES: &[Misuse] = &[
    ("free_list", || read(owned!(FreeList)), SLOT),
    ("free_list_write", || write(owned!(FreeList)), SLOT),
    ("pointer_stack", || read(owned!(PointerStack)), SLOT),
    ("pointer_stack_write", || write(owned!(PointerStack)), SLOT),
    (
        "never_used",
        || {
            let pool = FreeList::<Element>::with_capacity(8);
            read(PoolBoxIn::as_ptr(&pool.alloc([1; 4])).wrapping_add(1));
        },
        POISONED,
    ),
    (
        "never_used_capacity",
        || {
            // Enough for a thread to have some to itself, side by side.
            #[derive(Pooled)]
            #[pool(static, capacity = 1024, strategy = pointer_stack)]
            struct Many(#[allow(dead_code, reason = "read by its address")] Element);
            read(PoolBox::as_ptr(&PoolBox::new(Many([1; 4]))).wrapping_add(1).cast());
        },
        POISONED,
    ),
    ("raw_free_list", || untyped!(RawFreeList), SLOT),
    ("raw_pointer_stack", || untyped!(RawPointerStack), SLOT),
    ("thread_local", || read(freed(|| ThreadLocal([1; 4]))), SLOT),
    ("thread_local_stack", || write(freed(|| ThreadLocalStack([1; 4]))), SLOT),
    ("growing", || read(freed(|| Growing([1; 4]))), SLOT),
    ("growing_list", || write(freed(|| GrowingList([1; 4]))), SLOT),
    (
        "growing_freed_elsewhere",
        || {
            let first = [1, 2, 4].map(|n| PoolBox::new(Growing([n; 4])));
            let boxed = PoolBox::new(Growing([1; 4]));
            let element = PoolBox::as_ptr(&boxed).cast();
            let others = std::thread::spawn(|| {
                drop(boxed);
                PoolBox::new(Growing([2; 4]))
            });
            // The slot may have been handed out again, to a box that is dropped here.
            drop(others.join().expect("no panic"));
            std::mem::forget(first);
            read(element);
        },
        SLOT,
    ),
    ("capacity", || read(freed(|| Capacity([1; 4]))), SLOT),
    ("capacity_list", || write(freed(|| CapacityList([1; 4]))), SLOT),
    ("by_layout", || read(freed_by_layout!(Box)), SLOT),
    ("shared_by_layout", || write(freed_by_layout!(SendBox)), SLOT),
    (
        "by_layout_shared_element",
        || {
            let others = [1_u64, 2, 4].map(|n| any::Rc::new([n; 2]));
            let shared = any::Rc::new([3_u64; 2]);
            let element = any::Rc::as_ptr(&shared);
            drop(shared);
            std::mem::forget(others);
            // The second word of the slot, behind which the element lies.
            read(element.cast::<u64>().wrapping_sub(1).cast());
        },
        SLOT,
    ),
    (
        "roster",
        || {
            let mut roster = Roster::new();
            let handle = roster.insert([1; 4]);
            let element = &raw const roster[handle];
            roster.remove(handle);
            read(element);
        },
        POISONED,
    ),
    (
        "derived_roster",
        || {
            let handle = Handled::pool_insert(Handled([1; 4]));
            let element = Handled::pool_with(|roster| &raw const roster[handle]);
            Handled::pool_remove(handle);
            read(element.cast());
        },
        POISONED,
    ),
    (
        "frame_free",
        || {
            let frame = FrameStack::new();
            let element = FrameBox::into_raw(frame.alloc([1; 4]));
            let block = NonNull::new(element).expect("a block").cast();
            // SAFETY: as in `freed`.
            assert!(unsafe { frame.free_last(block, Layout::new::<Element>()) });
            write(element);
        },
        POISONED,
    ),
    (
        "frame_reset",
        || {
            let mut frame = FrameStack::new();
            let element = FrameBox::into_raw(frame.alloc([1; 4]));
            frame.reset();
            read(element);
        },
        POISONED,
    ),
    (
        "frame_scope",
        || {
            let mut frame = FrameStack::new();
            let element = frame.scope(|scope| ptr::from_mut(scope.alloc_slice(&[1; 4])));
            read(element.cast());
        },
        POISONED,
    ),
];

/// Uses every kind of pool as it is meant to be used.
fn behave() {
    fn churn<T: Pooled>(element: impl Fn() -> T) {
        let mut boxes: Vec<_> = (0..6).map(|_| PoolBox::new(element())).collect();
        for round in 0..40 {
            drop(boxes.swap_remove(round % 6));
            boxes.push(PoolBox::new(element()));
        }
        drop(boxes);
        T::pool_trim();
    }
    churn(|| ThreadLocal([1; 4]));
    churn(|| ThreadLocalStack([1; 4]));
    churn(|| Growing([1; 4]));
    churn(|| GrowingList([1; 4]));
    churn(|| Capacity([1; 4]));
    churn(|| CapacityList([1; 4]));
    let mixed: Vec<_> = (0..100_u8).map(|n| (any::Box::new([n; 24]), any::Rc::new(n))).collect();
    let sent: Vec<_> =
        (0..100_u8).map(|n| (any::SendBox::new([n; 24]), any::Arc::new(n))).collect();
    std::thread::spawn(move || drop(sent)).join().expect("no panic");
    drop(mixed);
    assert!(typed_pool::ByLayout::trim() > 0);
    typed_pool::SharedByLayout::trim();
    std::thread::spawn(|| churn(|| Growing([1; 4]))).join().expect("no panic");
    let handles: Vec<_> = (0..100).map(|_| Handled::pool_insert(Handled([1; 4]))).collect();
    assert!(handles.into_iter().all(|handle| Handled::pool_remove(handle).is_some()));
    let pool = RawPointerStack::new(Layout::new::<[u8; 3]>(), 8).expect("a small pool");
    for block in [(); 8].map(|()| pool.alloc().expect("a slot").cast()) {
        // SAFETY: the slot has three bytes.
        unsafe { block.write([7_u8; 3]) };
        // SAFETY: it is from this pool, and used no more.
        unsafe { pool.free(block) };
    }
    assert!(pool.alloc().is_some());
    let mut frame = FrameStack::new();
    frame.scope(|scope| assert_eq!(scope.alloc_slice(&[1; 4]), [1; 4]));
    assert_eq!(*frame.alloc(7), 7);
    frame.reset();
}

/// Leaks the second of two elements.
fn leak<T: Pooled>(element: impl Fn() -> T) {
    let first = PoolBox::new(element());
    std::mem::forget(PoolBox::new(element()));
    drop(first);
}

/// Leaks the only element that there ever was.
fn leak_first<T: Pooled>(element: impl Fn() -> T) {
    std::mem::forget(PoolBox::new(element()));
}

/// Leaks an element in a slot that was used before, in a pool that was empty before.
fn leak_reused<T: Pooled>(element: impl Fn() -> T) {
    let others = [(); 3].map(|()| PoolBox::new(element()));
    drop(others);
    let kept = [(); 2].map(|()| PoolBox::new(element()));
    drop(PoolBox::new(element()));
    std::mem::forget(PoolBox::new(element()));
    drop(kept);
}

#[test]
#[ignore = "a process that the tests below start"]
fn misuse() {
    let name = env::var(MISUSE).expect("started by a test");
    let found = MISUSES.iter().chain(MORE).find(|misuse| misuse.0 == name);
    let (_, commit, _) = found.expect("known");
    commit();
}

/// Runs a misuse in a process of its own.
fn run(name: &str) -> (Output, String) {
    let this = env::current_exe().expect("this program");
    let mut command = if cfg!(pool_asan) {
        Command::new(this)
    } else {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=99", "--leak-check=full"]);
        valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        valgrind.arg(this);
        valgrind
    };
    let command = command.args(["--exact", "misuse", "--ignored", "--nocapture"]);
    let output = command.env(MISUSE, name).output().expect("the tool is installed");
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, report)
}

#[test]
fn the_use_of_what_is_free_is_reported() {
    for (name, _, under_valgrind) in MISUSES {
        let (output, report) = run(name);
        assert!(!output.status.success(), "{name} went unnoticed:\n{report}");
        if cfg!(pool_asan) {
            assert!(report.contains("use-after-poison"), "{name}:\n{report}");
        } else {
            let verb = if report.contains("Invalid write of size 8") { "write" } else { "read" };
            assert!(report.contains(&format!("Invalid {verb} of size 8")), "{name}:\n{report}");
            assert!(report.contains(under_valgrind), "{name}:\n{report}");
        }
    }
}

#[test]
fn other_uses_are_not() {
    let (output, report) = run("none");
    assert!(output.status.success(), "{report}");
}

/// Misuse that Valgrind alone finds.
#[cfg(feature = "valgrind")]
mod by_valgrind {
    use super::*;

    #[test]
    fn a_slot_that_was_not_written_yet_is_not_initialised() {
        let (output, report) = run("not_initialised");
        assert!(!output.status.success());
        assert!(report.contains("depends on uninitialised value"), "{report}");
    }

    #[test]
    fn a_leaked_box_is_a_leak() {
        for (name, ..) in MORE.iter().filter(|misuse| misuse.0.starts_with("leak")) {
            let (output, report) = run(name);
            assert!(!output.status.success(), "{name}");
            let lost = "32 bytes in 1 blocks are definitely lost";
            assert!(report.contains(lost), "{name}: {report}");
        }
    }
}

const MORE: &[Misuse] = &[
    ("none", behave, ""),
    (
        "not_initialised",
        || {
            let pool = RawPointerStack::new(Layout::new::<Element>(), 8).expect("a small pool");
            pool.alloc().expect("the first slot");
            let block: NonNull<Element> = pool.alloc().expect("the second slot").cast();
            // SAFETY: the slot is written to.
            unsafe { block.write([1; 4]) };
            // SAFETY: it is the pool's.
            unsafe { pool.free(block) };
            let block: NonNull<Element> = pool.alloc().expect("the same slot").cast();
            // SAFETY: none: the element is gone.
            if unsafe { block.read_volatile() }[1] == 7 {
                println!("never");
            }
        },
        "",
    ),
    ("leak_by_layout", || std::mem::forget(any::Box::new([1_u64; 4])), ""),
    ("leak_shared_by_layout", || std::mem::forget(any::SendBox::new([1_u64; 4])), ""),
    ("leak", || leak(|| ThreadLocal([1; 4])), ""),
    ("leak_growing", || leak(|| Growing([1; 4])), ""),
    ("leak_first", || leak_first(|| ThreadLocal([1; 4])), ""),
    ("leak_first_stack", || leak_first(|| ThreadLocalStack([1; 4])), ""),
    ("leak_first_growing", || leak_first(|| Growing([1; 4])), ""),
    ("leak_first_growing_list", || leak_first(|| GrowingList([1; 4])), ""),
    ("leak_first_capacity", || leak_first(|| Capacity([1; 4])), ""),
    ("leak_reused", || leak_reused(|| ThreadLocal([1; 4])), ""),
    ("leak_reused_stack", || leak_reused(|| ThreadLocalStack([1; 4])), ""),
    ("leak_reused_growing", || leak_reused(|| Growing([1; 4])), ""),
    ("leak_reused_growing_list", || leak_reused(|| GrowingList([1; 4])), ""),
];
