//! The misuse of raw pointers is a panic that names the type, the address and what was expected: all of
//! it with the feature `hardened`, some of it in any debug build.

#![cfg(any(feature = "hardened", debug_assertions))]

use std::alloc::Layout;
use std::any::type_name;
use std::cell::Cell;
use std::mem::{self, ManuallyDrop};
use std::panic::{self, AssertUnwindSafe, Location, catch_unwind};
use std::ptr::NonNull;
use std::sync::Once;
use std::sync::atomic::AtomicPtr;
use std::{env, process};

use typed_pool::{
    ByLayout, FrameStack, FreeList, PointerStack, PoolBox, PoolBoxIn, Pooled, RawFreeList,
    RawPointerStack,
};

const FRESH: [u64; 3] = [1, 2, 3];

thread_local! {
    /// The destructors that ran in this thread, in which there is one test.
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

macro_rules! pooled {
    ($($Name:ident $pool:tt;)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Name(#[allow(dead_code, reason = "it is there to be freed")] [u64; 3]);

        impl Drop for $Name {
            fn drop(&mut self) {
                DROPPED.set(DROPPED.get() + 1);
            }
        }
    )*};
}

/// Applies a check to a type of each of these pools.
macro_rules! in_pools {
    ($check:ident: $($Name:ident $pool:tt;)*) => {{
        pooled! { $($Name $pool;)* }
        $($check(|| $Name(FRESH));)*
    }};
}

/// The message of the panic that `f` ends with.
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(|| drop(f()))).expect_err("it is noticed");
    *payload.downcast::<String>().expect("a message")
}

/// The line of this file in which `f` panics.
fn line_of_panic<R>(f: impl FnOnce() -> R) -> Option<u32> {
    static HOOK: Once = Once::new();
    thread_local! {
        static LINE: Cell<Option<u32>> = const { Cell::new(None) };
    }
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let here = info.location().filter(|location| location.file() == file!());
            LINE.set(here.map(Location::line));
            before(info);
        }));
    });
    catch_unwind(AssertUnwindSafe(|| drop(f()))).err()?;
    LINE.take()
}

/// Whether all the words are in the message, and the address.
#[track_caller]
fn assert_says<T, E>(message: &str, at: *const E, words: &[&str]) {
    let name = format!("the pool of `{}`", type_name::<T>());
    assert!(message.contains(&name), "{message}: {name}");
    assert!(message.contains(&format!("{at:p}")), "{message}: {at:p}");
    for word in words {
        assert!(message.contains(word), "{message}: {word}");
    }
}

/// Gives a slot back that is the caller's, or is not.
fn free<T: Pooled>(raw: *mut T) {
    // SAFETY: none where it is not: that is what is to be noticed.
    drop(unsafe { PoolBox::from_raw(raw) });
}

/// Two boxes of one element.
fn twins<T: Pooled>(raw: *mut T) -> [PoolBox<T>; 2] {
    // SAFETY: none: that is the misuse.
    [(); 2].map(|()| unsafe { PoolBox::from_raw(raw) })
}

/// Writes to memory that is the pool's, so that the byte there is another.
#[cfg(feature = "hardened")]
fn overwrite<T>(raw: *mut T, offset: usize) {
    let byte = raw.cast::<u8>().wrapping_add(offset);
    // SAFETY: none: that is the misuse.
    let found = unsafe { byte.read() };
    // SAFETY: none.
    unsafe { byte.write(!found) };
}

/// Elements, as raw pointers.
fn some<T: Pooled>(make: impl Fn() -> T) -> [*mut T; 3] {
    [(); 3].map(|()| PoolBox::into_raw(PoolBox::new(make())))
}

/// Misuse that a debug build finds, too. Growing static pools are left out: they would need a lock for it.
fn found_in_debug_builds<T: Pooled>(make: impl Fn() -> T + Copy) {
    // A pointer that is no slot's.
    let mut elsewhere = make();
    let foreign = &raw mut elsewhere;
    let [first, second, third] = some(make);
    let dropped = DROPPED.get();
    assert_says::<T, _>(&panic_of(|| free(foreign)), foreign, &["invalid free", "in no chunk"]);
    let inside = first.cast::<u64>().wrapping_add(1).cast();
    let own = format!("{first:p}");
    let message = panic_of(|| free::<T>(inside));
    assert_says::<T, _>(&message, inside, &["invalid free", "8 bytes inside a slot", &own]);
    let uneven = first.wrapping_byte_add(1);
    assert_says::<T, _>(&panic_of(|| free(uneven)), uneven, &["1 bytes inside a slot"]);
    // Nothing was dropped, and nothing was freed.
    assert_eq!(DROPPED.get(), dropped);
    assert_eq!(T::pool_stats().live, 3);

    // A slot that was never handed out.
    let unused = third.wrapping_byte_add(T::pool_stats().slot_bytes);
    assert_says::<T, _>(&panic_of(|| free(unused)), unused, &["double free", "vacant"]);

    for raw in [first, second, third] {
        free(raw);
    }
    assert_eq!(T::pool_stats().live, 0);
}

#[test]
fn foreign_pointers_and_pointers_into_slots() {
    // A static pool with a capacity deals its slots out to threads: enough for all that this one uses.
    in_pools! { found_in_debug_builds:
        List(thread_local);
        Stack(strategy = pointer_stack);
        Capacity(static, capacity = 64);
        CapacityList(static, capacity = 64, strategy = free_list);
        Counted(rc);
        CountedStack(strategy = pointer_stack, rc);
        CountedCapacity(static, capacity = 64, rc);
    }
}

#[test]
fn the_slot_that_was_freed_last() {
    fn check<T: Pooled>(make: impl Fn() -> T) {
        let [_, second, _] = some(make);
        free(second);
        let dropped = DROPPED.get();
        assert_says::<T, _>(&panic_of(|| free(second)), second, &["double free", "vacant"]);
        assert_eq!(T::pool_stats().live, 2);
        assert_eq!(DROPPED.get(), dropped, "before it was dropped again");
    }
    in_pools! { check: List(thread_local); Stack(strategy = pointer_stack); }
}

#[test]
fn a_box_of_another_thread() {
    pooled! {
        List(thread_local);
    }
    let _ours = PoolBox::new(List(FRESH));
    let theirs = || AtomicPtr::new(PoolBox::into_raw(PoolBox::new(List(FRESH))));
    let theirs = std::thread::spawn(theirs).join().expect("no panic").into_inner();
    let message = panic_of(|| free(theirs));
    assert_says::<List, _>(&message, theirs, &["in no chunk", "a thread-local one on this thread"]);
}

/// Functions for boxes by layout. No other test has an element of this size: the pools of the process have all.
macro_rules! by_layout {
    ($Marker:ident, $size:literal) => {
        type Element = [u64; $size];

        fn free(raw: *mut Element) {
            // SAFETY: none where it is not the caller's: that is what is to be noticed.
            drop(unsafe { PoolBoxIn::from_raw_in(raw, $Marker) });
        }

        fn made() -> *mut Element {
            PoolBoxIn::into_raw(PoolBoxIn::new_in([7; $size], $Marker))
        }

        fn live() -> usize {
            let mut pools = $Marker::stats();
            pools.find(|pool| pool.slot_bytes == 8 * $size).expect("a class").live
        }
    };
}

/// Misuse that a debug build finds, too, in the pools of a thread.
macro_rules! found_by_layout {
    () => {{
        let mut elsewhere = FOREIGN;
        let foreign = &raw mut elsewhere;
        let [first, second] = [(); 2].map(|()| made());
        let message = panic_of(|| free(foreign));
        assert_says::<Element, _>(&message, foreign, &["invalid free", "in no chunk"]);
        let inside = first.cast::<u64>().wrapping_add(1).cast();
        let own = format!("{first:p}");
        let message = panic_of(|| free(inside));
        assert_says::<Element, _>(&message, inside, &["8 bytes inside a slot", &own]);
        free(second);
        let message = panic_of(|| free(second));
        assert_says::<Element, _>(&message, second, &["double free", "vacant"]);
        assert_eq!(live(), 1);
        free(first);
        assert_eq!(live(), 0);
    }};
}

#[test]
fn pools_by_layout() {
    by_layout!(ByLayout, 3);
    const FOREIGN: Element = FRESH;
    found_by_layout!();
}

#[test]
fn pools_that_are_values() {
    macro_rules! check {
        ($Pool:ident) => {{
            let [pool, other] = [(); 2].map(|()| $Pool::with_capacity(8));
            let free_into = |raw, pool| {
                // SAFETY: none where the box is not the pool's.
                drop(unsafe { PoolBoxIn::from_raw_in(raw, pool) });
            };
            let [raw, _, _] = [(); 3].map(|()| PoolBoxIn::into_raw(pool.alloc(FRESH)));
            let message = panic_of(|| free_into(raw, &other));
            assert_says::<[u64; 3], _>(&message, raw, &["invalid free", "in no chunk"]);
            free_into(raw, &pool);
            let message = panic_of(|| free_into(raw, &pool));
            assert_says::<[u64; 3], _>(&message, raw, &["double free"]);
            let null = std::ptr::null_mut();
            let message = panic_of(|| free_into(null, &pool));
            assert_says::<[u64; 3], _>(&message, null, &["invalid free"]);
        }};
    }
    check!(FreeList);
    check!(PointerStack);
}

#[test]
fn pools_without_a_type() {
    macro_rules! check {
        ($Pool:ident) => {{
            let [pool, other] =
                [(); 2].map(|()| $Pool::new(Layout::new::<[u64; 3]>(), 8).expect("small"));
            // SAFETY: none where the block is not the pool's.
            let free_into = |block: NonNull<u8>, pool: &$Pool| unsafe { pool.free(block) };
            let [first, second, third] =
                [(); 3].map(|()| pool.alloc().expect("a slot").cast::<u8>());
            let name = concat!("the pool of `", stringify!($Pool), "`");
            let says = |block: NonNull<u8>, into: &$Pool, words: &str| {
                let message = panic_of(|| free_into(block, into));
                assert!(message.contains(words) && message.contains(name), "{message}");
                assert!(message.contains(&format!("{block:p}")), "{message}");
            };
            says(first, &other, "invalid free");
            let inside = NonNull::new(first.as_ptr().wrapping_add(8)).expect("not null");
            says(inside, &pool, "lies 8 bytes inside a slot");
            free_into(first, &pool);
            says(first, &pool, "double free");
            free_into(second, &pool);
            says(second, &pool, "double free");
            assert_eq!(pool.stats().live, 1);
            free_into(third, &pool);
            assert_eq!(pool.stats().live, 0);
        }};
    }
    check!(RawFreeList);
    check!(RawPointerStack);
}

#[test]
fn blocks_of_a_frame_stack() {
    let [frame, other] = [(); 2].map(|()| FrameStack::new());
    let layout = Layout::new::<[u64; 3]>();
    let [first, last] = [(); 2].map(|()| frame.alloc_raw(layout).expect("room").cast::<u8>());
    let _theirs = other.alloc_raw(layout).expect("room");
    // SAFETY: none where the block is not the stack's, or was given back.
    let free_into = |block, frame: &FrameStack| unsafe { frame.free_last(block, layout) };
    let message = panic_of(|| free_into(last, &other));
    assert!(message.contains("invalid free") && message.contains("the frame stack"), "{message}");
    assert!(message.contains(&format!("{last:p} is in no chunk")), "{message}");
    assert!(!free_into(first, &frame) && free_into(last, &frame));
    let message = panic_of(|| free_into(last, &frame));
    assert!(message.contains("double free: the 24 bytes at"), "{message}");
    assert!(message.contains(&format!("{last:p}")), "{message}");
    assert_eq!(frame.used(), 24);
}

#[test]
fn the_place_is_that_of_the_misuse() {
    pooled! {
        List(thread_local);
    }
    let mut elsewhere = ManuallyDrop::new(List(FRESH));
    let foreign = &raw mut *elsewhere;
    let line = line!() + 2;
    // SAFETY: none.
    let found = line_of_panic(|| mem::forget(unsafe { PoolBox::from_raw(foreign) }));
    assert_eq!(found, Some(line));
}

/// With a message, before the pool does anything else.
#[test]
fn during_a_panic_the_process_is_aborted() {
    pooled! {
        List(thread_local);
    }
    const CHILD: &str = "POOL_DOUBLE_PANIC";
    if env::var_os(CHILD).is_some() {
        let raw = PoolBox::into_raw(PoolBox::new(List(FRESH)));
        let _boxes = twins(raw);
        panic!("the first");
    }
    let mut child = process::Command::new(env::current_exe().expect("this program"));
    child.args(["--exact", "during_a_panic_the_process_is_aborted", "--nocapture"]);
    let output = child.env(CHILD, "1").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    // A signal, or on Windows the status of a process that has failed fast.
    let code = output.status.code();
    assert!(!output.status.success() && matches!(code, None | Some(-1_073_740_791)), "{said}");
    assert!(said.contains("the first") && said.contains("double free"), "{said}");
}

#[cfg(feature = "hardened")]
mod hardened {
    use std::sync::Barrier;

    use typed_pool::rc::{Plain, RefCountedBy};
    use typed_pool::{PoolRc, SharedByLayout};

    use super::*;

    /// Applies a check to a type of every pool that has boxes.
    macro_rules! in_every_pool {
        ($check:ident) => {{
            in_pools! { $check:
                List(thread_local);
                Stack(strategy = pointer_stack);
                Growing(static);
                GrowingList(static, strategy = free_list);
                Capacity(static, capacity = 500);
                CapacityList(static, capacity = 500, strategy = free_list);
                Counted(rc);
                CountedStack(strategy = pointer_stack, rc);
                CountedGrowing(static, rc);
                CountedCapacity(static, capacity = 500, rc);
            }
        }};
    }

    #[test]
    fn a_growing_static_pool_is_checked_as_the_others_are() {
        in_pools! { found_in_debug_builds: Growing(static); GrowingList(static, strategy = free_list); }
    }

    #[test]
    fn shared_pools_by_layout_are_checked_as_those_of_a_thread() {
        by_layout!(SharedByLayout, 3);
        const FOREIGN: Element = FRESH;
        found_by_layout!();
    }

    #[test]
    fn a_write_to_a_freed_slot_by_layout() {
        macro_rules! check {
            ($Marker:ident, $size:literal) => {{
                by_layout!($Marker, $size);
                let all: Vec<_> = (0..200).map(|_| made()).collect();
                all[50..150].iter().for_each(|&raw| free(raw));
                // It is reported once, and the slot is not lost.
                overwrite(all[70], 11);
                let (mut again, mut reports) = (Vec::new(), Vec::new());
                while again.len() < 300 {
                    match catch_unwind(made) {
                        Ok(raw) => again.push(raw),
                        Err(panic) => reports.push(*panic.downcast::<String>().expect("a message")),
                    }
                }
                let [report] = &*reports else { panic!("{reports:?}") };
                assert_says::<Element, _>(report, all[70], &["use after free", "byte 11 of"]);
                assert_eq!(live(), 400);
                all[..50].iter().chain(&all[150..]).chain(&again).for_each(|&raw| free(raw));
                assert_eq!(live(), 0);
            }};
        }
        check!(ByLayout, 5);
        check!(SharedByLayout, 5);
    }

    #[test]
    fn a_second_free_however_late() {
        fn check<T: Pooled>(make: impl Fn() -> T + Copy) {
            let all: Vec<_> = (0..200).map(|_| PoolBox::into_raw(PoolBox::new(make()))).collect();
            for &raw in &all[50..150] {
                free(raw);
            }
            for &raw in all[50..150].iter().rev() {
                let message = panic_of(|| free(raw));
                assert_says::<T, _>(
                    &message,
                    raw,
                    &["double free", "expected one that is occupied"],
                );
            }
            assert_eq!(T::pool_stats().live, 100);
            all[..50].iter().chain(&all[150..]).for_each(|&raw| free(raw));
        }
        in_every_pool!(check);
    }

    #[test]
    fn the_second_of_two_boxes_is_not_dropped() {
        fn check<T: Pooled>(make: impl Fn() -> T + Copy) {
            let raw = PoolBox::into_raw(PoolBox::new(make()));
            let [first, second] = twins(raw);
            drop(first);
            let dropped = DROPPED.get();
            assert_says::<T, _>(&panic_of(|| drop(second)), raw, &["double free"]);
            let [first, second] = twins(PoolBox::into_raw(PoolBox::new(make())));
            mem::forget(PoolBox::into_inner(first));
            let at = PoolBox::as_ptr(&second);
            assert_says::<T, _>(&panic_of(|| PoolBox::into_inner(second)), at, &["double free"]);
            assert_eq!(DROPPED.get(), dropped);
        }
        in_every_pool!(check);
    }

    #[test]
    fn a_box_of_what_was_shared_since_is_not_dropped() {
        fn check<T: RefCountedBy<Plain>>(make: impl Fn() -> T) {
            let raw = PoolBox::into_raw(PoolBox::new(make()));
            let [first, second] = twins(raw);
            let shared = PoolRc::from(first);
            drop(PoolRc::downgrade(&shared));
            drop(shared);
            let dropped = DROPPED.get();
            assert_says::<T, _>(&panic_of(|| drop(second)), raw, &["double free"]);
            assert_eq!((DROPPED.get(), T::pool_stats().live), (dropped, 0));
        }
        in_pools! { check:
            List(rc);
            Stack(strategy = pointer_stack, rc);
            Growing(static, rc);
            Capacity(static, capacity = 9, rc);
        }
    }

    /// Allocates until the slot at `raw` comes.
    fn until_reused<T: Pooled>(raw: *mut T, make: impl Fn() -> T) -> usize {
        let mut others = Vec::new();
        loop {
            let next = PoolBox::new(make());
            if PoolBox::as_ptr(&next) == raw {
                return others.len();
            }
            others.push(next);
        }
    }

    #[test]
    fn a_write_to_a_freed_slot() {
        fn check<T: Pooled>(make: impl Fn() -> T + Copy) {
            // The first byte, where a list has its link, the last, and one between.
            for offset in [0, 11, 23] {
                let all: Vec<_> =
                    (0..100).map(|_| PoolBox::into_raw(PoolBox::new(make()))).collect();
                all[..90].iter().for_each(|&raw| free(raw));
                let raw = all[20];
                overwrite(raw, offset);
                let message = panic_of(|| until_reused(raw, make));
                assert_says::<T, _>(&message, raw, &["use after free", "0xdd"]);
                // The first bytes, or the counts before them, may hold a link in place of the fill.
                let byte = format!("byte {offset} of");
                assert!(offset < 8 || message.contains(&byte) && message.contains("0x22"));
                assert_eq!(T::pool_stats().live, 10);
                all[90..].iter().for_each(|&raw| free(raw));
            }
        }
        in_every_pool!(check);
    }

    /// Whatever was overwritten, even a link in the middle of a list.
    #[test]
    fn no_slot_is_lost_by_a_write_that_is_reported() {
        const SLOTS: usize = 60;
        fn check<T: Pooled>(make: impl Fn() -> T + Copy) {
            for offset in [0, 11] {
                let slots = T::pool_stats().limit.unwrap_or(SLOTS);
                let all: Vec<_> =
                    (0..slots).map(|_| PoolBox::into_raw(PoolBox::new(make()))).collect();
                // One box lives on, or the pool would count all as never used.
                let (kept, freed) = all.split_last().expect("there are some");
                freed.iter().for_each(|&raw| free(raw));
                let overwritten: Vec<_> = freed.iter().step_by(7).collect();
                overwritten.iter().for_each(|&&raw| overwrite(raw, offset));
                let (mut boxes, mut reports) = (Vec::new(), 0);
                while boxes.len() < slots - 1 {
                    match catch_unwind(AssertUnwindSafe(|| PoolBox::new(make()))) {
                        Ok(b) => boxes.push(b),
                        Err(panic) => {
                            let message = panic.downcast_ref::<String>().expect("a message");
                            assert!(message.contains("use after free"), "{message}");
                            reports += 1;
                        }
                    }
                    assert_eq!(T::pool_stats().live, boxes.len() + 1);
                }
                assert_eq!(reports, overwritten.len(), "each is told of once");
                let has = |raw| boxes.iter().any(|b| PoolBox::as_ptr(b).cast_mut() == raw);
                assert!(freed.iter().all(|&raw| has(raw)));
                assert_eq!(T::pool_stats().high_water, slots);
                drop(boxes);
                free(*kept);
                T::pool_trim();
                assert_eq!(T::pool_stats().live, 0);
            }
        }
        in_pools! { check:
            List(capacity = SLOTS);
            Stack(capacity = SLOTS, strategy = pointer_stack);
            Limited(static, max = SLOTS);
            LimitedList(static, max = SLOTS, strategy = free_list);
            Capacity(static, capacity = SLOTS);
            CapacityList(static, capacity = SLOTS, strategy = free_list);
        }
    }

    /// A slot that was written to while it was free is found by the next box, in whose line that is.
    #[test]
    fn the_line_that_makes_a_box_is_named() {
        fn check<T: Pooled>(make: impl Fn() -> T + Copy) {
            let [_, freed, _] = some(make);
            free(freed);
            overwrite(freed, 11);
            let new = || PoolBox::into_raw(PoolBox::new(make()));
            let made_in = line!() - 1;
            let found = (0..10).find_map(|_| line_of_panic(new));
            assert_eq!(found, Some(made_in));
        }
        in_pools! { check:
            List(capacity = 10);
            Stack(capacity = 10, strategy = pointer_stack);
            Limited(static, max = 10);
            Capacity(static, capacity = 10);
        }
    }

    /// Nor by a trim, or by the end of the last box, that meets what was written before it is reported.
    #[test]
    fn no_slot_is_lost_by_a_write_that_is_met_elsewhere() {
        const SLOTS: usize = 60;
        fn fill(pool: &FreeList<[u64; 3]>) -> Vec<PoolBoxIn<[u64; 3], &FreeList<[u64; 3]>>> {
            let mut boxes = Vec::new();
            for _ in 0..2 * SLOTS {
                if pool.stats().live < SLOTS {
                    boxes.extend(catch_unwind(AssertUnwindSafe(|| pool.alloc(FRESH))).ok());
                }
            }
            boxes
        }

        for is_trimmed in [false, true] {
            let pool = FreeList::bounded(SLOTS);
            let mut boxes = fill(&pool);
            let kept = boxes.pop();
            let raw: Vec<_> = boxes.into_iter().map(PoolBoxIn::into_raw).collect();
            for &raw in &raw {
                // SAFETY: it came from this pool.
                drop(unsafe { PoolBoxIn::from_raw_in(raw, &pool) });
            }
            raw.iter().step_by(5).for_each(|&raw| overwrite(raw, 0));
            if is_trimmed {
                assert_eq!(pool.trim(), 0);
                assert_eq!(fill(&pool).len(), SLOTS - 1);
            } else {
                // The pool is empty then.
                drop(kept);
                assert_eq!(fill(&pool).len(), SLOTS);
            }
        }
    }

    #[test]
    fn a_write_to_what_a_raw_pool_has_not_handed_out() {
        macro_rules! check {
            ($Pool:ident) => {{
                let pool = $Pool::new(Layout::new::<[u64; 3]>(), 8).expect("small");
                let first = pool.alloc().expect("a slot").cast::<[u64; 3]>();
                overwrite(first.as_ptr().wrapping_add(1), 11);
                let message = panic_of(|| pool.alloc());
                assert!(message.contains("use after free"), "{message}");
                assert!(message.contains(stringify!($Pool)), "{message}");
                assert!(pool.alloc().is_some());
            }};
        }
        check!(RawFreeList);
        check!(RawPointerStack);
    }

    #[test]
    fn at_a_limit_a_freed_slot_is_reused_at_once() {
        pooled! {
            One(capacity = 1);
            OneOfAll(static, max = 1);
        }
        for _ in 0..100 {
            drop(PoolBox::new(One(FRESH)));
            drop(PoolBox::new(OneOfAll(FRESH)));
        }
        assert_eq!(One::pool_stats().high_water, 1);
        assert_eq!(OneOfAll::pool_stats().high_water, 1);
    }

    #[test]
    fn of_two_threads_that_free_the_same_slot_one_is_refused() {
        /// Both have found the slot occupied, before either gives it back.
        static BOTH: Barrier = Barrier::new(2);

        macro_rules! check {
            ($Name:ident $pool:tt) => {{
                #[derive(Pooled)]
                #[pool $pool]
                struct $Name(#[allow(dead_code, reason = "it is there to be freed")] u64);

                impl Drop for $Name {
                    fn drop(&mut self) {
                        BOTH.wait();
                    }
                }

                for n in 0..100 {
                    let element = PoolBox::into_raw(PoolBox::new($Name(n)));
                    let threads = twins(element).map(|twin| {
                        std::thread::spawn(|| catch_unwind(AssertUnwindSafe(|| drop(twin))).is_err())
                    });
                    let refused = threads.map(|thread| thread.join().expect("caught"));
                    assert_eq!(refused.map(usize::from).iter().sum::<usize>(), 1);
                    assert_eq!($Name::pool_stats().live, 0);
                }
            }};
        }
        check!(Growing(static));
        check!(GrowingList(static, strategy = free_list));
        check!(Capacity(static, capacity = 8));
    }
}
