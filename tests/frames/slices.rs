//! Slices and text of known and unknown length.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Display};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};

use typed_pool::frame::{FrameScope, Frames, Sharing};
use typed_pool::init;
use typed_pool::{FrameBox, FrameStack, LocalFrameStack};

/// Notes its number when it is dropped.
struct Noted<'a>(&'a RefCell<Vec<u32>>, u32);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

fn message<R>(f: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(f()))).unwrap_err();
    panic
        .downcast::<String>()
        .map_or_else(|panic| panic.downcast::<&str>().unwrap().to_string(), |text| *text)
}

/// An iterator that says that it has so many items.
struct Claims<I>(I, (usize, Option<usize>));

impl<I: Iterator> Iterator for Claims<I> {
    type Item = I::Item;
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.1
    }
}

#[test]
fn an_iterator_takes_no_byte_more_than_its_items() {
    for len in [0_usize, 1, 3, 4, 5, 100, 10_000] {
        let stack = FrameStack::with_capacity(1 << 20);
        let below = stack.alloc(1_u8);
        let start = stack.used();
        let exact = stack.alloc_iter(0..len);
        let bytes = (size_of::<usize>() * len).next_multiple_of(8);
        assert_eq!(stack.used() - start, bytes);
        let unknown = stack.alloc_iter((0..).take_while(|&n| n < len));
        assert_eq!(stack.used() - start, 2 * bytes);
        assert!(exact.iter().copied().eq(0..len) && *exact == *unknown);
        // The slices are the last blocks, as any other.
        assert!(stack.free(unknown) && stack.free(exact) && stack.free(below));
        assert_eq!(stack.used(), 0);
    }
}

#[test]
fn what_an_iterator_says_of_its_length_is_not_believed() {
    let stack = FrameStack::with_capacity(1 << 20);
    let claims = [
        (0, None),
        (0, Some(0)),
        (3, Some(1)),
        (10, Some(10)),
        (1000, None),
        (9, Some(usize::MAX)),
    ];
    for claim in claims {
        let used = stack.used();
        let slice = stack.alloc_iter(Claims(0..10_u64, claim));
        assert!(slice.iter().copied().eq(0..10), "{claim:?}");
        assert_eq!(stack.used() - used, 80, "{claim:?}");
    }
    let used = stack.used();
    let most = Claims(0..10_u64, (usize::MAX, None));
    assert!(stack.try_alloc_iter(most).is_err());
    assert!(
        message(|| stack.alloc_iter(Claims(0..10_u64, (usize::MAX, None))))
            .starts_with("capacity overflow")
    );
    assert_eq!(stack.used(), used);
}

#[test]
fn an_iterator_may_allocate_from_the_same_stack() {
    fn check<S: Sharing>(stack: &Frames<S>) {
        let names: Vec<_> = (0..300).map(|n| format!("monster {n}")).collect();
        let slice =
            stack.alloc_iter(Claims(names.iter().map(|name| stack.alloc_str(name)), (0, None)));
        assert!(slice.iter().map(|name| &**name).eq(names.iter().map(|name| &**name)));
        let used = stack.used();
        // The same, with the length known: then nothing is left behind.
        let slice = stack.alloc_iter(names.iter().map(|name| stack.alloc(name.clone())));
        assert!(slice.iter().map(|name| &**name).eq(&names));
        let each = size_of_val(&slice[0]) + size_of::<String>().next_multiple_of(8);
        let needed = names.len() * each;
        assert!(stack.used() - used <= needed + 8);
    }
    check(&FrameStack::with_capacity(64));
    check(&LocalFrameStack::with_capacity(64));
    check(&LocalFrameStack::with_capacity(1 << 20));
}

#[test]
fn an_iterator_may_free_what_lies_below() {
    let stack = LocalFrameStack::with_capacity(1 << 16);
    let mut below: Vec<_> = (0..10_u64).map(|n| stack.alloc(n)).collect();
    let freed = iter::from_fn(|| below.pop().map(|boxed| (*boxed, stack.free(boxed))));
    let slice = stack.alloc_iter(freed);
    // At first there was no block above them.
    assert_eq!(slice.iter().map(|&(n, _)| n).sum::<u64>(), 45);
    let next = stack.alloc([u64::MAX; 100]);
    assert!(slice.iter().map(|&(n, _)| n).eq((0..10).rev()) && next[99] == u64::MAX);
}

#[test]
fn a_full_stack_takes_what_fits_exactly() {
    // Rounded up to whole words.
    let stack = FrameStack::bounded(100);
    // Doubling does not fit, so the last ones come one by one.
    let slice = stack.try_alloc_iter((0..).take_while(|&n| n < 104_u8)).unwrap();
    assert!(slice.iter().copied().eq(0..104) && stack.used() == 104);
    assert!(stack.try_alloc_iter([1_u8]).is_err());
    assert!(stack.try_alloc_iter([(); 1000]).is_ok(), "no room is needed");
    assert!(stack.try_alloc_iter([0_u64; 0]).is_ok());
    assert!(stack.free(slice));
    let error = stack.try_alloc_iter((0..).take_while(|&n| n < 105_u8)).unwrap_err();
    assert!(error.to_string().contains("105 bytes aligned to 1 do not fit"), "{error}");
    assert_eq!(stack.used(), 0, "all went back");
    assert!(message(|| stack.alloc_iter(0..105_u8)).contains("105 bytes aligned to 1"));
    assert_eq!(stack.used(), 0);
}

#[test]
fn slices_are_aligned_and_elements_without_size_cost_nothing() {
    #[repr(align(128))]
    #[derive(Clone, Copy)]
    struct Wide(u8);
    #[repr(align(64))]
    struct Empty;

    let stack = FrameStack::new();
    let _ = stack.alloc(1_u8);
    let wide = stack.alloc_iter((0..).map(Wide).take_while(|wide| wide.0 < 20));
    assert_eq!((wide.as_ptr().addr() % 128, wide.len(), wide[19].0), (0, 20, 19));
    let used = stack.used();
    let empty = stack.alloc_iter((0..1_000_000).filter(|n| n % 2 == 0).map(|_| Empty));
    assert_eq!((empty.as_ptr().addr() % 64, empty.len()), (0, 500_000));
    let empty = stack.alloc_iter((0..2).map(|_| Empty));
    assert_eq!((empty.len(), stack.used()), (2, used));
}

#[test]
fn an_iterator_that_panics_leaves_nothing() {
    let stack = FrameStack::with_capacity(1 << 16);
    let dropped = RefCell::new(Vec::new());
    for (n, claim) in [(3_u32, 0), (3, 10), (9, 0), (0, 0)] {
        let items = (0..).map(|i| if i < n { Noted(&dropped, i) } else { panic!("at {i}") });
        let panic = message(|| stack.alloc_iter(Claims(items, (claim, None))));
        assert_eq!(panic, format!("at {n}"));
        assert!(dropped.take().into_iter().eq((0..n).rev()), "the last one first");
        assert_eq!(stack.used(), 0);
    }
    // What it has left above stays where it is.
    let kept = Cell::new(None);
    let items = (0..2_u64).inspect(|&i| match i {
        0 => kept.set(Some(stack.alloc(7_u64))),
        _ => panic!("now"),
    });
    assert_eq!(message(|| stack.alloc_iter(items)), "now");
    let next = stack.alloc(8_u64);
    assert_eq!((*kept.take().unwrap(), *next), (7, 8));
}

#[test]
fn a_destructor_that_panics_does_not_keep_the_other_elements() {
    struct Bomb<'a>(&'a Cell<u32>, bool);
    impl Drop for Bomb<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
            assert!(!self.1, "a destructor");
        }
    }
    // There is room for four; the fifth is dropped first.
    let (stack, drops) = (FrameStack::bounded(4 * size_of::<Bomb<'_>>()), Cell::new(0));
    let items = (0..).map(|i| Bomb(&drops, i == 2));
    assert_eq!(message(|| stack.try_alloc_iter(Claims(items, (4, None)))), "a destructor");
    assert_eq!((drops.get(), stack.used()), (5, 0));
}

#[test]
fn what_fails_again_and_again_needs_no_more_memory() {
    fn fail<S: Sharing>(stack: &Frames<S>) {
        for _ in 0..3 {
            let _ = stack.alloc_slice(&[7_u8; 139_040]);
        }
        let (used, capacity) = (stack.used(), stack.capacity());
        for _ in 0..100 {
            assert_eq!(
                message(|| stack.alloc_iter((0..4000).map(|_| -> u8 { panic!("no") }))),
                "no"
            );
            let late = |i| if i < 3999 { i as u16 } else { panic!("late") };
            assert_eq!(message(|| stack.alloc_iter((0..4000).map(late))), "late");
            assert!(stack.init(init::try_with(|| Err::<[u8; 4000], _>(()))).is_err());
        }
        assert_eq!(stack.used(), used);
        assert!(stack.capacity() <= 2 * capacity, "{} after {capacity}", stack.capacity());
    }
    fail(&FrameStack::new());
    fail(&LocalFrameStack::new());
}

#[test]
fn an_element_that_panics_drops_those_before() {
    let stack = FrameStack::with_capacity(1 << 16);
    let dropped = RefCell::new(Vec::new());
    let element = |i: usize, end: u32| match i as u32 {
        i if i < end => Noted(&dropped, i),
        i => panic!("at {i}"),
    };
    for end in [0, 1, 4, 5, 9] {
        let panics = [
            message(|| stack.alloc_iter((0..10).map(|i| element(i, end)))),
            message(|| stack.try_alloc_iter((0..10).map(|i| element(i, end)))),
        ];
        assert!(panics.iter().all(|panic| *panic == format!("at {end}")));
        let expected = (0..2).flat_map(|_| (0..end).rev());
        assert!(dropped.take().into_iter().eq(expected), "the last one first");
        assert_eq!(stack.used(), 0);
    }
    assert_eq!(stack.alloc_iter((0..10).map(|i| element(i, 10))).len(), 10);
    assert_eq!(dropped.take().len(), 10);
    // Before it comes to an element.
    let bounded = FrameStack::bounded(100);
    let never = |_| -> u64 { unreachable!("there is no room") };
    assert!(bounded.try_alloc_iter((0..14).map(never)).is_err());
    assert!(bounded.try_alloc_iter((0..usize::MAX).map(never)).is_err());
    assert!(bounded.try_alloc_iter((0..13).map(|i| i as u64)).is_ok());
    assert!(bounded.try_alloc_iter(0_u64..).is_err());
}

#[test]
fn text_is_formatted_where_it_stays() {
    let stack = FrameStack::with_capacity(1 << 16);
    let text = stack.alloc_fmt(format_args!("{:?} and {:>100}", [1, 2, 3], "Grendel"));
    assert_eq!(&*text, format!("{:?} and {:>100}", [1, 2, 3], "Grendel"));
    assert_eq!(stack.used(), text.len().next_multiple_of(8));
    text.make_ascii_uppercase();
    let used = stack.used();
    assert_eq!(stack.alloc_fmt(format_args!("as it is")), "as it is");
    assert_eq!(
        (stack.alloc_fmt(format_args!("")), stack.alloc_fmt(format_args!("{}", ""))),
        (&mut *String::new(), &mut *String::new())
    );
    assert_eq!(stack.used() - used, 8);
    assert!(text.ends_with("GRENDEL"));

    let bounded = FrameStack::bounded(8);
    let error = bounded.try_alloc_fmt(format_args!("{}{}", "ninet", "een.")).unwrap_err();
    assert!(error.to_string().contains("9 bytes aligned to 1 do not fit"), "{error}");
    assert_eq!(
        (bounded.used(), bounded.try_alloc_fmt(format_args!("{}", 12_345)).unwrap()),
        (0, &mut *String::from("12345"))
    );
    assert!(
        message(|| bounded.alloc_fmt(format_args!("{}", 1)))
            .contains("1 bytes aligned to 1 do not fit")
    );
    assert!(bounded.try_alloc_str("one").is_err());
}

#[test]
fn what_is_formatted_may_allocate_panic_and_fail() {
    struct Own<'a>(&'a LocalFrameStack, &'static str);
    impl Display for Own<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for part in self.1.split(' ') {
                f.write_str(self.0.alloc_str(part))?;
                f.write_str("_")?;
            }
            if self.1.is_empty() { Err(fmt::Error) } else { Ok(()) }
        }
    }
    struct Panics;
    impl Display for Panics {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one")?;
            panic!("two")
        }
    }
    /// Does not mind that there was no room.
    struct Swallows;
    impl Display for Swallows {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let _ = f.write_str("more than there is room for");
            let _ = f.write_str("x");
            Ok(())
        }
    }
    let stack = LocalFrameStack::with_capacity(1 << 16);
    let text = stack.alloc_fmt(format_args!("<{}>", Own(&stack, "hwaet we gardena in geardagum")));
    assert_eq!(text, "<hwaet_we_gardena_in_geardagum_>");
    let stack = LocalFrameStack::with_capacity(1 << 16);
    assert_eq!(message(|| stack.alloc_fmt(format_args!("{Panics}"))), "two");
    assert_eq!(stack.used(), 0);
    let panic =
        message(|| stack.try_alloc_fmt(format_args!("{}", Own(&LocalFrameStack::new(), ""))));
    assert!(panic.contains("a formatting trait implementation returned an error"), "{panic}");
    assert_eq!(stack.used(), 0);
    let bounded = LocalFrameStack::bounded(10);
    assert!(bounded.try_alloc_fmt(format_args!("{Swallows}")).is_err());
    assert_eq!(bounded.used(), 0);
}

#[test]
fn memory_whose_filling_panics_or_fails_goes_back() {
    let stack = FrameStack::new();
    let dropped = RefCell::new(Vec::new());
    assert_eq!(message(|| stack.alloc_with(|| -> u64 { panic!("no") })), "no");
    assert!(stack.init::<u64, _>(init::try_with(|| "six".parse())).is_err());
    let element = |i| if i < 2 { Noted(&dropped, i as u32) } else { panic!("at {i}") };
    assert_eq!(message(|| stack.alloc_iter((0..5).map(element))), "at 2");
    assert_eq!((dropped.take(), stack.used()), (vec![1, 0], 0));
    // Something lies above it.
    let mut above = None;
    let failed = stack.init(init::try_with(|| {
        above = Some(stack.alloc(1_u64));
        Err::<u64, _>(())
    }));
    assert!(failed.is_err());
    assert_eq!((stack.used(), *above.unwrap()), (16, 1));
}

/// Each of them, by the name that the stack has for it.
fn in_scope<S: Sharing>(scope: &FrameScope<'_, S>) -> usize {
    let kept: [FrameBox<'_, [u16]>; 2] =
        [scope.alloc_iter(1..3), scope.try_alloc_iter(1..3).unwrap()];
    assert!(kept.iter().all(|slice| **slice == [1, 2]));
    assert_eq!(scope.alloc_fmt(format_args!("{}", 7)), "7");
    assert_eq!(scope.try_alloc_fmt(format_args!("{}", 7)).unwrap(), "7");
    assert_eq!(scope.try_alloc_str("seven").unwrap(), "seven");
    assert_eq!(scope.try_alloc_slice(&[7]).unwrap(), [7]);
    assert_eq!((*scope.alloc_with(|| 7), *scope.try_alloc_with(|| 7).unwrap()), (7, 7));
    assert_eq!(*scope.init(init::value(7)).unwrap(), *scope.try_init(init::value(7)).unwrap());
    assert_eq!(scope.alloc_str("seven"), "seven");
    assert!(format!("{scope:?}").contains("bytes used"));
    assert!(scope.try_alloc_iter((0..usize::MAX).map(|_| 0_u64)).is_err());
    kept.len()
}

#[test]
fn scopes_have_them_too_and_take_everything_back() {
    let (mut shared, mut local) = (FrameStack::new(), LocalFrameStack::new());
    assert_eq!((shared.scope(|scope| in_scope(scope)), shared.used()), (2, 0));
    assert_eq!((local.scope(|scope| scope.scope(|scope| in_scope(scope))), local.used()), (2, 0));
}
