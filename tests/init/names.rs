//! What a program calls its own things does not matter to the macros.
#![allow(non_upper_case_globals, dead_code, reason = "such names come from C")]

use typed_pool::{FreeList, init, try_init};

static place: u8 = 1;
static field: u8 = 2;
static done: u8 = 3;
static fill: u8 = 4;
static error: u8 = 5;
static guard: u8 = 6;
static whole: u8 = 7;

#[derive(typed_pool::Zeroable)]
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
}
