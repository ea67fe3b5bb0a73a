//! Every name that generated code might use means something else here, or nothing: there is no prelude.

#![no_implicit_prelude]
#![allow(dead_code, non_camel_case_types, unused_macros)]

mod core {}
mod std {}
mod alloc {}
mod typed_pool {}
mod __private {}
struct Option;
struct Some;
struct None;
struct Result;
struct Sized;
struct Send;
struct Default;
struct Config;
struct Checked;
struct LocalKey;
struct u8;
struct usize;
trait Pool {}
trait Storage {}
const CAPACITY: ::core::primitive::usize = 4;
const fn size_of() {}
const fn drop() {}
macro_rules! thread_local {
    () => {
        ::core::compile_error!("the user's own `thread_local!`");
    };
}
macro_rules! panic {
    () => {
        ::core::compile_error!("the user's own `panic!`");
    };
}

#[derive(::typed_pool::Pooled)]
struct Local(u64);

struct Fixed;
const EMPTY: Fixed = Fixed;
static __POOL: Fixed = Fixed;

#[derive(::typed_pool::Pooled)]
#[pool(static, capacity = CAPACITY, name = "shared", instances(Static<u64>, Static<[u64; 2]>))]
struct Static<T>(T);

#[derive(::typed_pool::Pooled)]
#[pool(pad, capacity = CAPACITY)]
struct Marker;

#[derive(::typed_pool::Pooled)]
#[pool(capacity = CAPACITY)]
struct Pool_(u64);

#[derive(::typed_pool::Pooled)]
#[pool(chunk = CAPACITY, max = 2 * CAPACITY, name = "pooled")]
struct Pooled(u64);

#[derive(::typed_pool::Pooled)]
#[pool(instances(Self_<u64>))]
struct Self_<Pooled>(Pooled);

/// A macro once used this name for itself.
#[derive(::typed_pool::Zeroable)]
struct Check;

#[derive(::typed_pool::Zeroable)]
struct Zeroable<Infallible> {
    zeroed: Infallible,
    whole: ::core::primitive::u8,
    r#type: ::core::marker::PhantomData<Check>,
    boxed: ::core::option::Option<::std::boxed::Box<Check>>,
}

#[::core::prelude::v1::test]
fn zeroes() {
    type Zeros = (Zeroable<(Check, ())>, Check);
    let pool = ::typed_pool::FreeList::<Zeros>::new();
    let ::core::result::Result::Ok(zeros) = pool.init(::typed_pool::init::zeroed());
    ::core::assert_eq!((zeros.0.whole, zeros.0.zeroed.1), (0, ()));
    let built = ::typed_pool::init!(Zeroable {
        zeroed: zeros.0.whole,
        whole: 1,
        r#type: ::core::marker::PhantomData,
        boxed: ::core::option::Option::None,
    });
    let pool = ::typed_pool::FreeList::new();
    let ::core::result::Result::Ok(built) = pool.init(built);
    ::core::assert_eq!((built.whole, built.zeroed), (1, 0));
}

#[::core::prelude::v1::test]
fn allocates() {
    let bullets = (
        <Local as ::typed_pool::Pooled>::pool_alloc_with(|| Local(1)),
        <Pool_ as ::typed_pool::Pooled>::pool_alloc_with(|| Pool_(2)),
        <Pooled as ::typed_pool::Pooled>::pool_alloc_with(|| Pooled(3)),
        <Self_<u64> as ::typed_pool::Pooled>::pool_alloc_with(|| Self_(4)),
    );
    let values = [bullets.0.0, bullets.1.0, bullets.2.0, bullets.3.0];
    ::core::assert_eq!(values, [1, 2, 3, 4]);
    let marker = <Marker as ::typed_pool::Pooled>::pool_alloc_with(|| Marker);
    let pair = <Static<[u64; 2]> as ::typed_pool::Pooled>::pool_alloc_with(|| Static([1, 2]));
    ::core::assert_eq!(pair.0, [1, 2]);
    <Marker as ::typed_pool::Pooled>::pool_free(marker);
}
