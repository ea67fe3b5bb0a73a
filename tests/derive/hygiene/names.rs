//! Constants of the user's with the names that the derive and its macros use, and used in attributes.

#![allow(
    dead_code,
    non_upper_case_globals,
    clippy::items_after_statements,
    reason = "it is about the declarations"
)]

use typed_pool::{PoolBox, Pooled, Zeroable};

const __CAPACITY: usize = 3;
const __CHUNK: usize = 5;
const __MAX: usize = 7;
const __POOL: usize = 9;
const __CONFIG: usize = 11;
const __COUNTS: usize = 13;
const __MAGAZINES: usize = 15;
const __DEPOTS: usize = 17;
const __LENT: usize = 19;
const __whole: usize = 21;
const __fields: usize = 23;

#[derive(Pooled)]
#[pool(capacity = __CAPACITY)]
struct Few(u64);

#[derive(Pooled)]
#[pool(static, capacity = __CAPACITY + __POOL)]
struct Fixed(u64);

#[derive(Pooled)]
#[pool(chunk = __CHUNK, max = __MAX + __CAPACITY)]
struct Limited(u64);

#[derive(Pooled)]
#[pool(static, chunk = __MAX, max = __MAX + __CHUNK)]
struct Shared(u64);

#[derive(Pooled)]
#[pool(strategy = roster, capacity = __CONFIG)]
struct Handled(u64);

#[derive(Pooled)]
#[pool(static, strategy = roster, max = __LENT)]
struct HandledByAll(u64);

/// The names in types.
#[derive(Pooled)]
#[pool(static, capacity = __COUNTS, instances(Block<__POOL>, Block<__COUNTS>, Block<{ __CAPACITY + 1 }>))]
struct Block<const N: usize>([u64; N]);

#[derive(Pooled)]
#[pool(static, max = __DEPOTS, instances(Stripe<__POOL>, Stripe<__MAGAZINES>, Stripe<__DEPOTS>))]
struct Stripe<const N: usize>([u64; N]);

/// In types of zeros, and as parameters.
#[derive(Zeroable)]
struct Zeros([u8; __whole]);

#[derive(Zeroable)]
struct Lengths<const __whole: usize, const __fields: usize>([u8; __whole], [u8; __fields]);

/// A pattern that is a name is one of these, if there is one.
static config: u8 = 0;
static depot: u8 = 1;
static key: u8 = 2;
static local: u8 = 3;
static magazine: u8 = 4;
static pool: u8 = 5;

#[derive(Pooled)]
#[pool(static, rc)]
struct Counted(u64);

#[derive(Pooled)]
#[pool(static, strategy = roster, tag = 3, name = "statics")]
struct AmongStatics(u64);

/// The compiler finds a type's own constants before those of its traits.
#[derive(Pooled)]
#[pool(capacity = 4, name = "own")]
struct Own(u64);

impl Own {
    const __CAPACITY: bool = true;
    const __CONFIG: bool = true;
    const __POOL: bool = true;
}

#[derive(Pooled)]
#[pool(static, chunk = 4, max = 8)]
struct OwnLimits(u64);

impl OwnLimits {
    const __CHUNK: usize = 100;
    const __MAX: usize = 200;
}

#[test]
fn numbers_are_the_users() {
    fn limit<T: Pooled>() -> Option<usize> {
        T::pool_stats().limit
    }
    assert_eq!(limit::<Few>(), Some(3));
    assert_eq!(limit::<Fixed>(), Some(12));
    assert_eq!(limit::<Limited>(), Some(10));
    assert_eq!(limit::<Shared>(), Some(12));
    assert_eq!(limit::<Block<9>>(), Some(13));
    assert_eq!(limit::<Stripe<17>>(), Some(17));
    assert_eq!((limit::<Own>(), limit::<OwnLimits>()), (Some(4), Some(8)));
    assert_eq!(Handled::pool_stats().limit, Some(11));
    assert_eq!(HandledByAll::pool_stats().limit, Some(19));
    assert_eq!((Zeros::zeroed().0.len(), Lengths::<1, 2>::zeroed().1.len()), (21, 2));
}

#[test]
fn a_function_has_names_of_its_own() {
    const __CAPACITY: usize = 2;

    #[derive(Pooled)]
    #[pool(capacity = __CAPACITY)]
    struct Inner(u64);

    let boxes = [1, 2].map(|n| PoolBox::new(Inner(n)));
    assert_eq!(boxes[0].0 + boxes[1].0, 3);
    assert!(Inner::pool_try_alloc_with(|| Inner(3)).is_err());
}
