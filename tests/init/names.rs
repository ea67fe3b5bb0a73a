//! The macros work whatever names a program has for its own things.
#![allow(non_upper_case_globals, dead_code, reason = "such names come from C")]

use typed_pool::{FreeList, Zeroable, any, init, try_init, unsize};

static place: u8 = 1;
static field: u8 = 2;
static done: u8 = 3;
static fill: u8 = 4;
static error: u8 = 5;
static guard: u8 = 6;
static whole: u8 = 7;
static _guard: u8 = 8;
static this: u8 = 9;
static element: u8 = 10;
static pointer: u8 = 11;
static coerce: u8 = 12;
static unsize: u8 = 13;

#[derive(Zeroable)]
struct Node {
    id: u64,
    cells: [u8; 64],
}

#[test]
fn statics_may_be_called_what_the_macros_call_their_variables() {
    let pool = FreeList::new();
    let Ok(node) = pool.init(init!(Node { id: 7, cells <- init::zeroed() }));
    let other =
        pool.init(try_init!(Node { id: "8".parse()?, ..init::zeroed() } ? std::num::ParseIntError));
    assert_eq!((node.id, other.unwrap().id), (7, 8));
    let shown = unsize!(any::Box::new(9) => dyn std::fmt::Display);
    assert_eq!(shown.to_string(), "9");
}

/// Lifetimes and constants of a declaration, which a derive repeats.
#[derive(Zeroable)]
struct Named<'__a, '__b: '__a, __T, const whole: usize, const field: usize>
where
    __T: ?Sized,
{
    id: [u8; whole],
    cells: [u8; field],
    first: std::marker::PhantomData<(&'__a (), &'__b __T)>,
}

#[test]
fn a_struct_may_name_its_parameters_as_it_likes() {
    let pool = FreeList::<Named<'static, 'static, str, 3, 4>>::new();
    let Ok(named) = pool.init(init::zeroed());
    assert_eq!((named.id, named.cells), ([0; 3], [0; 4]));
}
