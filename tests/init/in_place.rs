//! Construction in place: what each initialiser builds and where, what is dropped when one fails,
//! and what becomes of the slot.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::convert::Infallible;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use typed_pool::init::TryInitError;
use typed_pool::{FreeList, Init, PoolBox, Pooled, Roster, Zeroable, any, init, try_init};

use crate::on_heap::InPlace as _;

/// Runs `f` on a stack that none of the large types below fits on.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(64 * 1024).spawn(f).unwrap().join().unwrap();
}

/// Tells when it is dropped.
#[derive(Debug)]
struct Loud<'a>(&'static str, &'a RefCell<Vec<&'static str>>);

impl Drop for Loud<'_> {
    fn drop(&mut self) {
        self.1.borrow_mut().push(self.0);
    }
}

#[derive(Debug, PartialEq)]
enum Failure {
    Parse,
    Late(u32),
}

impl From<std::num::ParseIntError> for Failure {
    fn from(_: std::num::ParseIntError) -> Self {
        Self::Parse
    }
}

/// An unoptimised build copies a value for each function that it is passed to: at most three times, as `Vec::push` does.
#[test]
#[cfg_attr(miri, ignore = "it has no stack to overflow")]
#[cfg_attr(pool_asan, ignore = "it needs more stack")]
fn a_large_value_passes_over_a_small_stack() {
    const MIB: usize = 1 << 20;

    #[derive(Pooled)]
    struct Large([u8; MIB]);

    impl Default for Large {
        fn default() -> Self {
            Self([7; MIB])
        }
    }

    #[derive(Pooled)]
    #[pool(static)]
    struct Shared([u8; MIB]);

    fn check(f: impl FnOnce() -> u8 + Send + 'static) {
        // For other targets rustc copies it once more.
        let copies_less = cfg!(target_arch = "x86_64");
        let thread = thread::Builder::new().stack_size(if copies_less { 7 } else { 9 } * MIB / 2);
        assert_eq!(thread.spawn(f).unwrap().join().unwrap(), 7);
    }
    check(|| PoolBox::new(Large([7; MIB])).0[MIB - 1]);
    check(|| PoolBox::new(Shared([7; MIB])).0[MIB - 1]);
    check(|| PoolBox::new_with(|| Large([7; MIB])).0[MIB - 1]);
    check(|| Large::pool_alloc().0[MIB - 1]);
    check(|| Large::pool_alloc_with(|| Large([7; MIB])).0[MIB - 1]);
    check(|| any::Box::new(Large([7; MIB])).0[MIB - 1]);
    check(|| {
        let mut roster = Roster::new();
        let handle = roster.insert(Large([7; MIB]));
        roster[handle].0[MIB - 1]
    });
}

mod large {
    use super::*;

    const MIB: usize = 1 << 20;

    #[derive(Zeroable)]
    struct Half {
        cells: [u8; MIB / 2],
        tail: [u32; MIB / 8],
    }

    #[derive(Pooled)]
    #[pool(capacity = 2)]
    struct Big {
        id: u32,
        name: String,
        first: Half,
        grid: [[u64; 1024]; 64],
        rest: [Pair; 1024],
    }

    struct Pair(u32, [u8; 508]);

    fn half<E>() -> impl Init<Half, E> {
        try_init!(Half { cells <- init::zeroed(), tail <- init::from_fn(|i| i as u32) } ? E)
    }

    fn big<E>(name: &str) -> impl Init<Big, E> {
        try_init!(Big {
            id: 7,
            name: name.to_owned(),
            first <- half::<E>(),
            grid <- init::array(|y| init::from_fn(move |x| (x * y) as u64)),
            rest <- init::array(|i| init!(Pair { 0: i as u32, 1 <- init::zeroed() })),
        } ? E)
    }

    fn check(big: &Big) {
        const { assert!(size_of::<Big>() > 2 * MIB) };
        assert_eq!((big.id, &*big.name), (7, "big"));
        assert!(big.first.cells.iter().all(|&cell| cell == 0));
        assert!(big.first.tail.iter().zip(0..).all(|(&cell, i)| cell == i));
        assert_eq!(big.grid[63][1023], 63 * 1023);
        assert_eq!((big.rest[1023].0, big.rest[1023].1[507]), (1023, 0));
    }

    #[test]
    fn two_mebibytes_are_built_on_a_stack_of_64_kibibytes() {
        on_a_small_stack(|| {
            let Ok(of_type) = Big::pool_init(big::<Infallible>("big"));
            check(&of_type);
            check(&Big::pool_try_init(big::<Failure>("big")).unwrap());
            let Ok(vacant) = Big::pool_vacant().init(big::<Infallible>("big"));
            check(&vacant);
        });
        on_a_small_stack(|| {
            let pool = FreeList::bounded(1);
            let Ok(owned) = pool.init(big::<Infallible>("big"));
            check(&owned);
        });
        on_a_small_stack(|| {
            let Ok(boxed) = Box::init(big::<Infallible>("big"));
            check(&boxed);
        });
    }

    #[test]
    fn and_zeroed_where_there_was_something_else() {
        on_a_small_stack(|| {
            let pool = FreeList::<[Half; 2]>::bounded(1);
            let ones =
                || init!(Half { cells <- init::from_fn(|_| 1), tail <- init::from_fn(|_| 1) });
            drop(pool.init(init::array(|_| ones())));
            let twos = || init!(Half { tail <- init::from_fn(|_| 2), ..init::zeroed() });
            let Ok(halves) = pool.init(init::array(|_| twos()));
            assert!(halves.iter().flat_map(|half| &half.cells).all(|&cell| cell == 0));
            assert!(halves.iter().flat_map(|half| &half.tail).all(|&cell| cell == 2));
            drop(halves);
            let Ok(halves) = pool.init(init::zeroed());
            assert!(halves.iter().flat_map(|half| &half.tail).all(|&cell| cell == 0));
        });
    }
}

mod functions {
    use super::*;

    fn built<T>(init: impl Init<T>) -> T {
        let Ok(value) = Box::init(init);
        *value
    }

    #[test]
    fn each_builds_what_it_says() {
        assert_eq!(built(init::zeroed::<[(u8, f64); 3]>()), [(0, 0.0); 3]);
        assert_eq!(built(init::from_fn(|i| i * 2)), [0, 2, 4]);
        assert_eq!(built(init::value(String::from("v"))), "v");
        assert_eq!(built(init::with(|| vec![1; 3])), [1; 3]);
        assert_eq!(built(init::with(Option::<u8>::default)), None);
        assert_eq!(built(init::array(|i| init::value(i.to_string()))), ["0", "1"]);
        assert_eq!(built(init::from_fn(|_| -> u8 { unreachable!() })), [0_u8; 0]);
    }

    #[test]
    fn each_that_can_fail_fails_with_its_error() {
        assert_eq!(Box::<u8>::init(init::try_with(|| Err("no"))), Err("no"));
        assert_eq!(Box::init(init::try_with(|| Ok::<_, ()>(5))), Ok(Box::new(5)));
        let error = Box::<[i32; 3]>::init(init::array(|i| {
            init::try_with(move || if i < 2 { Ok(0) } else { Err(i) })
        }));
        assert_eq!(error, Err(2));
    }

    #[test]
    fn nothing_runs_before_there_is_a_place() {
        struct One(u32);
        let ran = RefCell::new(0);
        let ran = &ran;
        let tick = move || ran.replace_with(|n| *n + 1);
        let inner = init!(One { 0: tick() as u32 });
        drop(inner);
        assert_eq!(*ran.borrow(), 0);
        assert_eq!(built(init!(One { 0: tick() as u32 })).0, 0);
        assert_eq!(*ran.borrow(), 1);
    }
}

mod macros {
    use super::*;

    struct Generic<'a, T, const N: usize> {
        r#type: &'a str,
        items: [T; N],
    }

    impl<'a, T: Default, const N: usize> Generic<'a, T, N> {
        fn new(r#type: &'a str) -> impl Init<Self> + use<'a, T, N> {
            init!(Self { r#type, items <- init::from_fn(|_| T::default()) })
        }
    }

    struct Unit {}

    struct Configured {
        #[cfg(any())]
        absent: NoSuchType,
        /// Documented.
        present: u32,
    }

    mod inner {
        pub(super) struct Pathed<T> {
            pub(super) items: [T; 1],
        }

        pub(super) mod deep {
            pub(in super::super) struct Deep(pub(in super::super) u8);
        }
    }

    struct Marker;

    struct Nothing();

    type Alias = Generic<'static, u8, 2>;

    type Still<T> = inner::Pathed<T>;

    mod reexported {
        pub(super) use super::inner::Pathed as Renamed;
    }

    trait Made {
        type Out;
        fn made() -> impl Init<Self::Out>;
    }

    impl Made for Unit {
        type Out = Marker;
        fn made() -> impl Init<Marker> {
            init!(Marker {})
        }
    }

    #[test]
    #[expect(unused_qualifications, reason = "paths of every form")]
    fn types_are_written_as_in_an_expression() {
        let Ok(generic) = Box::init(Generic::<String, 3>::new("strings"));
        assert_eq!((generic.r#type, &generic.items[2]), ("strings", &String::new()));
        let Ok(turbofish) =
            Box::init(init!(Generic::<'_, u8, { 1 + 1 }> { r#type: "", items: [1, 2] }));
        assert_eq!(turbofish.items, [1, 2]);
        let Ok(inferred) = Box::init(init!(Generic { r#type: "", items: [1_u16; 5] }));
        assert_eq!(inferred.items, [1; 5]);
        let Ok(alias) = Box::init(init!(Alias { r#type: "", items <- init::zeroed() }));
        assert_eq!(alias.items, [0; 2]);
        let Ok(path) = Box::init(init!(inner::Pathed::<f32> { items: [1.5] }));
        assert_eq!(path.items, [1.5]);
        let Ok(path) = Box::init(init!(inner::deep::Deep { 0: 1 }));
        assert_eq!(path.0, 1);
        let Ok(path) =
            Box::init(init!(self::reexported::Renamed::<Option<Vec<u8>>> { items: [None] }));
        assert_eq!(path.items, [None]);
        let Ok(path) = Box::init(init!(super::macros::Still { items <- init::value([3_u8]) }));
        assert_eq!(path.items, [3]);
        let Ok(path) = Box::init(init!(crate::in_place::macros::inner::Pathed { items: ["a"] }));
        assert_eq!(path.items, ["a"]);
        let Ok(range) = Box::init(init!(::std::ops::Range { start: 1, end <- init::value(3) }));
        assert_eq!(*range, 1..3);
        let Ok(Unit {}) = Box::init(init!(Unit {})).map(|unit| *unit);
        let Ok(Marker) = Box::init(init!(Marker {})).map(|marker| *marker);
        let Ok(Marker) = Box::init(Unit::made()).map(|marker| *marker);
        let Ok(Nothing()) = Box::init(init!(Nothing {})).map(|nothing| *nothing);
        let Ok(configured) = Box::init(init!(Configured {
            #[cfg(any())]
            absent: no_such_variable,
            #[cfg(all())]
            present <- init::value(1),
        }));
        assert_eq!(configured.present, 1);
    }

    #[test]
    fn a_macro_of_the_user_may_write_the_macro() {
        struct Size {
            width: u32,
            height: u32,
        }
        macro_rules! size {
            ($type:ident, $first:ident <- $init:expr, $second:ident) => {
                init!($type { $first <- $init, $second: { let place = 2; place } })
            };
        }
        let Ok(size) = Box::init(size!(Size, width <- init::value(1), height));
        assert_eq!((size.width, size.height), (1, 2));
    }

    #[test]
    fn a_type_with_a_destructor_is_complete_before_it_can_run() {
        struct Ends<'a> {
            name: Loud<'a>,
            number: u32,
        }
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                self.name.1.borrow_mut().push("whole");
            }
        }
        let log = RefCell::new(Vec::new());
        let ends = |number: Result<u32, ()>| {
            let log = &log;
            try_init!(Ends { name: Loud("part", log), number: number? }?())
        };
        assert!(Box::init(ends(Err(()))).is_err());
        assert_eq!(log.take(), ["part"]);
        assert_eq!(Box::init(ends(Ok(3))).map(|ends| ends.number), Ok(3));
        assert_eq!(log.take(), ["whole", "part"]);
    }

    #[test]
    fn the_names_of_the_prelude_may_mean_something_else() {
        #[derive(Debug, PartialEq)]
        enum Mine {
            Ok,
            Err,
        }
        use Mine::{Err, Ok};
        struct Both(Mine, Mine);
        let both = Box::init(init!(Both { 0: Ok, 1 <- init::value(Err) })).unwrap();
        assert_eq!((both.0, both.1), (Ok, Err));
    }

    #[test]
    fn values_are_coerced_as_in_a_struct_expression() {
        struct Coerced {
            object: Box<dyn Fn(u32) -> u32>,
            slice: &'static [u8],
            number: u8,
        }
        let Ok(coerced) =
            Box::init(init!(Coerced { object: Box::new(|n| n + 1), slice: &[1], number: 1 }));
        assert_eq!(((coerced.object)(1), coerced.slice, coerced.number), (2, &[1][..], 1));
    }

    #[test]
    fn temporaries_live_until_the_field_is_built() {
        struct Length(usize);
        let Ok(length) =
            Box::init(init!(Length { 0 <- init::value(String::from("abc").as_str().len()) }));
        assert_eq!(length.0, 3);
    }

    #[test]
    fn errors_become_the_error_of_the_struct() {
        #[derive(Debug)]
        struct Port(u16, [u8; 4], u32);
        fn port(text: &'static str, late: Option<u32>) -> impl Init<Port, Failure> {
            try_init!(Port {
                0: text.parse()?,
                1 <- init::zeroed(),
                2 <- init::try_with(move || late.map_or(Ok(9), |n| Err(Failure::Late(n)))),
            } ? Failure)
        }
        assert_eq!(Box::init(port("80", None)).unwrap().0, 80);
        assert_eq!(Box::init(port("eighty", None)).unwrap_err(), Failure::Parse);
        assert_eq!(Box::init(port("80", Some(3))).unwrap_err(), Failure::Late(3));
        fn unreachable() -> u32 {
            unreachable!()
        }
        let nested = try_init!(Port {
            0 <- init::try_with(|| "x".parse::<u16>()),
            1: [0; 4],
            2: unreachable(),
        } ? Failure);
        assert_eq!(Box::init(nested).unwrap_err(), Failure::Parse);
    }

    #[test]
    fn a_user_s_return_is_an_error_and_not_a_half_built_struct() {
        let dropped = RefCell::new(Vec::new());
        struct Two<'a>(Loud<'a>, u32);
        let log = &dropped;
        let ends = try_init!(Two {
            0: Loud("a", log),
            1: if log.borrow().is_empty() { return Err(()) } else { 1 },
        }?());
        assert!(Box::init(ends).is_err());
        assert_eq!(dropped.take(), ["a"]);
    }
}

mod zeros {
    use super::*;

    use std::cell::Cell;
    use std::marker::PhantomData;
    use std::mem::MaybeUninit;
    use std::ptr::NonNull;

    fn zeros<T: Zeroable>() -> Box<T> {
        let Ok(zeros) = Box::init(init::zeroed());
        zeros
    }

    #[derive(Zeroable)]
    struct Marker;

    #[derive(Zeroable)]
    struct Nothing {}

    #[derive(Zeroable, Clone, Copy)]
    #[repr(C, packed)]
    struct Packed(u8, u32);

    #[derive(Zeroable)]
    struct Bounded<T>(T, Option<NonNull<Self>>)
    where
        Self: Sized;

    const WIDE: bool = true;

    #[derive(Zeroable)]
    struct Named {
        r#type: u8,
        /// Documented.
        cells: [[u16; 3]; if WIDE { 8 } else { 4 }],
        marker: (Marker, Nothing, Packed),
        next: Option<NonNull<Self>>,
        #[cfg(any())]
        absent: NoSuchType,
    }

    #[derive(Zeroable)]
    struct Generic<'a, 'b: 'a, T, const N: usize, U: ?Sized + for<'x> From<&'x u8> + 'b = u64>
    where
        T: Clone,
        &'a T: Clone + 'a,
        for<'y> &'y T: PartialEq<&'y T>,
    {
        items: [T; N],
        name: Option<&'a &'b u8>,
        owned: Option<Box<T>>,
        counted: Cell<usize>,
        phantom: PhantomData<fn() -> U>,
        room: MaybeUninit<String>,
    }

    impl From<&u8> for Marker {
        fn from(_: &u8) -> Self {
            Self
        }
    }

    #[test]
    fn what_derives_it_is_zeroed() {
        let named = zeros::<Named>();
        assert_eq!((named.r#type, named.cells), (0, [[0; 3]; 8]));
        assert!(named.next.is_none());
        let (Marker, Nothing {}, Packed(a, b)) = named.marker;
        assert_eq!((a, b), (0, 0));
        let bounded = zeros::<Bounded<u8>>();
        assert!(bounded.0 == 0 && bounded.1.is_none());
        let generic = zeros::<Generic<'_, '_, (u8, f64), 3, Marker>>();
        assert_eq!((generic.items, generic.counted.get()), ([(0, 0.0); 3], 0));
        assert!(generic.name.is_none() && generic.owned.is_none());
        let PhantomData = generic.phantom;
        let _: MaybeUninit<String> = generic.room;
        assert_eq!(<Packed as Zeroable>::zeroed().0, 0);
    }

    /// `T` itself need not be zeroable where no field asks for it.
    #[test]
    fn the_types_of_fields_are_what_is_asked() {
        #[derive(Zeroable)]
        struct Pointers<T>(*const T, PhantomData<T>, Option<Box<T>>, [*mut T; 2]);
        let pointers = zeros::<Pointers<String>>();
        assert!(pointers.0.is_null() && pointers.2.is_none() && pointers.3[1].is_null());
        let PhantomData = pointers.1;
    }

    #[test]
    fn a_type_with_a_destructor_may_be_zeroed_in_part() {
        #[derive(Zeroable)]
        struct Ends<'a> {
            log: Option<&'a RefCell<Vec<&'static str>>>,
            list: Option<Box<u8>>,
            cells: [u64; 4],
        }
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                if let Some(log) = self.log {
                    log.borrow_mut().push("dropped");
                }
            }
        }
        let log = &RefCell::new(Vec::new());
        let Ok(ends) = Box::init(init!(Ends { log: Some(log), ..init::zeroed() }));
        assert_eq!((&ends.list, ends.cells), (&None, [0; 4]));
        drop(ends);
        assert_eq!(log.take(), ["dropped"]);
    }
}

mod drops {
    use super::*;

    struct Four<'a> {
        d: Loud<'a>,
        a: Loud<'a>,
        list: [Loud<'a>; 2],
        end: u32,
    }

    type Log = RefCell<Vec<&'static str>>;

    /// Builds `Four` in an order other than that of its declaration, and ends as `end` does.
    fn four<'a>(
        log: &'a Log,
        end: impl FnOnce() -> Result<u32, Failure>,
    ) -> impl Init<Four<'a>, Failure> {
        try_init!(Four {
            a: Loud("a", log),
            list <- init::from_fn(|i| Loud(["b", "c"][i], log)),
            d <- init::value(Loud("d", log)),
            end <- init::try_with(end),
        } ? Failure)
    }

    #[test]
    fn what_was_built_is_dropped_in_reverse_order_on_error() {
        let log = Log::default();
        assert!(Box::init(four(&log, || Err(Failure::Parse))).is_err());
        // An array that is complete is one field, and drops as any array.
        assert_eq!(log.take(), ["d", "b", "c", "a"]);
    }

    #[test]
    fn and_on_unwind() {
        let log = Log::default();
        let unwind = catch_unwind(AssertUnwindSafe(|| Box::init(four(&log, || panic!())).is_ok()));
        assert!(unwind.is_err());
        assert_eq!(log.take(), ["d", "b", "c", "a"]);
    }

    #[test]
    fn and_once_when_all_is_well() {
        let log = Log::default();
        let built = Box::init(four(&log, || Ok(1))).unwrap();
        assert_eq!((built.end, built.a.0, built.d.0, built.list[1].0), (1, "a", "d", "c"));
        assert_eq!(log.take(), [""; 0]);
        drop(built);
        assert_eq!(log.take(), ["d", "a", "b", "c"]);
    }

    #[test]
    fn elements_before_the_one_that_fails_are_dropped_in_reverse_order() {
        const NAMES: [&str; 4] = ["0", "1", "2", "3"];
        let log = Log::default();
        let failing = init::array(|i| {
            let log = &log;
            init::try_with(move || if i < 3 { Ok(Loud(NAMES[i], log)) } else { Err(()) })
        });
        assert!(Box::<[Loud<'_>; 4]>::init(failing).is_err());
        assert_eq!(log.take(), ["2", "1", "0"]);
        let panicking = init::from_fn(|i| Loud(if i < 2 { NAMES[i] } else { panic!() }, &log));
        let unwind = catch_unwind(AssertUnwindSafe(|| {
            let _ = Box::<[Loud<'_>; 4]>::init(panicking);
        }));
        assert!(unwind.is_err());
        assert_eq!(log.take(), ["1", "0"]);
    }

    #[test]
    fn an_element_s_destructor_that_panics_does_not_keep_the_others() {
        struct Bomb<'a>(Loud<'a>);
        impl Drop for Bomb<'_> {
            fn drop(&mut self) {
                assert!(self.0.0 != "1", "boom");
            }
        }
        let log = Log::default();
        let names = ["0", "1", "2"];
        let failing = init::array(|i| {
            let log = &log;
            init::try_with(move || names.get(i).map(|name| Bomb(Loud(name, log))).ok_or(()))
        });
        let unwind = catch_unwind(AssertUnwindSafe(|| {
            let _ = Box::<[Bomb<'_>; 4]>::init(failing);
        }));
        assert!(unwind.is_err());
        assert_eq!(log.take(), ["2", "1", "0"]);
    }
}

mod slots {
    use super::*;

    #[derive(Pooled, Debug)]
    #[pool(capacity = 2)]
    struct Page {
        number: u64,
        text: [u8; 100],
    }

    fn page(number: &str) -> impl Init<Page, std::num::ParseIntError> + use<> {
        let number = number.parse();
        try_init!(Page { text <- init::zeroed(), number: number? } ? std::num::ParseIntError)
    }

    #[test]
    fn a_slot_goes_back_when_the_initialiser_fails_or_unwinds() {
        assert!(Page::pool_init(page("one")).is_err());
        assert!(PoolBox::<Page>::try_init(page("one")).is_err());
        assert!(Page::pool_vacant().init(page("one")).is_err());
        assert!(Page::pool_pin_init(page("one")).is_err());
        let panics = || init!(Page { text <- init::zeroed(), number <- init::with(|| panic!()) });
        assert!(catch_unwind(|| Page::pool_init(panics()).is_ok()).is_err());
        assert!(catch_unwind(|| Page::pool_vacant().fill_with(|| panic!())).is_err());
        assert_eq!(Page::pool_stats().live, 0);
        let one = Page::pool_init(page("1")).unwrap();
        assert_eq!((one.number, one.text[99], Page::pool_stats().live), (1, 0, 1));
    }

    #[test]
    fn exhaustion_is_told_from_failure_and_comes_first() {
        let pages = [Page::pool_init(page("1")).unwrap(), PoolBox::init(page("2")).unwrap()];
        let ran = || init::with(|| unreachable!());
        assert!(matches!(Page::pool_try_init(ran()), Err(TryInitError::Exhausted(_))));
        assert!(Page::pool_try_vacant().is_err());
        let message = |f: fn()| *catch_unwind(f).unwrap_err().downcast::<String>().unwrap();
        assert!(message(|| drop(Page::pool_init(page("3")))).contains("all 2 slots"));
        assert!(message(|| drop(Page::pool_vacant())).contains("raise `capacity`"));
        drop(pages);
        let error = Page::pool_try_init(page("three")).unwrap_err();
        assert!(matches!(error, TryInitError::Init(_)), "{error}");
        assert_eq!(Page::pool_stats().live, 0);
    }

    #[derive(Debug)]
    struct Caused(std::num::ParseIntError);

    impl fmt::Display for Caused {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("caused")
        }
    }

    impl Error for Caused {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn an_error_shows_its_cause() {
        let error: TryInitError<_> = Page::pool_try_init(page("?")).unwrap_err();
        assert_eq!(error.to_string(), "invalid digit found in string");
        let pool = FreeList::<u8>::bounded(0);
        let error = pool.try_init(init::value(1)).unwrap_err();
        assert!(error.to_string().contains("exhausted"), "{error}");
        assert!(error.source().is_none());
        let caused = || Err::<u8, _>(Caused("nine".parse::<u8>().unwrap_err()));
        let error = FreeList::new().try_init(init::try_with(caused)).unwrap_err();
        assert!(error.source().is_some_and(|source| source.is::<std::num::ParseIntError>()));
    }
}
