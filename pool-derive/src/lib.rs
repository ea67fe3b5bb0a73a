//! The derive macros of `typed-pool`: use them from there, as `typed_pool::Pooled` and `typed_pool::Zeroable`.

#![forbid(unsafe_code)]

mod borrow;
mod crate_path;
mod errors;
mod expand;
mod instances;
mod key;
mod model;
mod parse;
#[cfg(feature = "rewind")]
mod rewindable;
mod shape;
mod simplify;
mod suggest;
mod tokens;
mod validate;
mod value;
mod zeroable;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::errors::Errors;

/// Gives a type a pool of its own: implements the trait `Pooled`.
///
/// For structs of every kind and for enums. Without an attribute the pool is thread-local (which needs
/// the feature `std`) and grows chunk by chunk as needed. Its slots have the type's size, rounded
/// up to a multiple of a pointer's size; a type smaller than a pointer needs [`pad`](#pad).
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled, Default)]
/// struct Bullet {
///     position: [f32; 2],
///     velocity: [f32; 2],
/// }
///
/// let bullet = Bullet::pool_alloc();
/// assert_eq!(bullet.velocity, [0.0, 0.0]);
/// ```
///
/// # Attributes
///
/// `#[pool(..)]` on the type, below the derive (above it, the compiler does not know the attribute yet), with any of these keys, separated by commas. `N` is a number of slots:
/// any constant expression of type `usize`.
///
/// | key | meaning |
/// |---|---|
/// | [`capacity = N`](#capacity) | one chunk of `N` slots that never grows |
/// | [`chunk = N`](#chunk-and-max) | `N` slots in the first chunk |
/// | [`max = N`](#chunk-and-max) | at most `N` slots in all chunks together |
/// | [`pad`](#pad) | in a free list, a type smaller than a pointer gets slots of a pointer's size |
/// | [`rc`](#rc) | elements can be shared: slots have room for the counts of a `PoolRc` or, with `static`, a `PoolArc` |
/// | [`name = ".."`](#name) | the pool's name in statistics and messages |
/// | [`tag = N`](#tag) | the tag of a roster's handles, from 0 to 255 |
/// | [`instances(A, B)`](#instances) | which instances of a generic type have a pool |
/// | [`crate = path`](#crate) | where the library is, if not at `::typed_pool` |
/// | [`strategy = ..`](#strategy) | how vacant slots are remembered: `free_list` (the default), `pointer_stack` (the default with `static`) or `roster` |
/// | `thread_local` | every thread has its own pool (the default) |
/// | [`static`](#static) | one pool for the whole process: any thread allocates, any thread frees; with `capacity` in `.bss` |
///
/// ## `capacity`
///
/// A bound on memory that is known at compile time. The pool is one chunk, allocated with its first
/// element. When all slots are occupied, `pool_try_alloc_with` returns an error, and `pool_alloc`
/// panics.
///
/// Each thread has a pool of its own, and so `N` slots of its own; `max` works the same way. Only
/// in a `static` pool do they apply to all threads together.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled, Default)]
/// #[pool(capacity = 2)]
/// struct Player {
///     score: u64,
/// }
///
/// let players = [Player::pool_alloc(), Player::pool_alloc()];
/// assert!(Player::pool_try_alloc_with(Player::default).is_err());
/// # drop(players);
/// ```
///
/// ## `static`
///
/// One pool for the whole process: any thread allocates, any thread frees, and boxes are `Send` or
/// `Sync` if the element is. The element has to be `Send`. Without `strategy` the pool has a `pointer_stack`.
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(static)]
/// struct Message {
///     text: String,
/// }
///
/// let message = PoolBox::new(Message { text: "hello".into() });
/// thread::spawn(move || assert_eq!(message.text, "hello")).join().unwrap();
/// assert_eq!(Message::pool_stats().live, 0);
/// ```
///
/// **Without `capacity`** the pool grows, and every thread keeps up to 1,280 free slots for itself, so that most
/// operations touch nothing shared: a lock is taken once in a hundred objects, or never. A thread's slots go
/// back when it ends. (For elements over 400 bytes it keeps up to half a megabyte, or 32 slots.) `pool_trim`
/// gives back the chunks that are entirely free, except those with slots that other threads keep, and may run
/// while others work.
///
/// Such a pool needs `std`, for the slots that each thread keeps: without these every operation would take a lock, and be
/// slower than the heap. A library without `std` has three ways: `capacity`, below; a pool that is a value
/// (`FreeList`, `PointerStack`, with the feature `alloc`) in a context that its functions are given; or a feature `std` of its
/// own, which turns on that of typed-pool, and `#[cfg_attr(feature = "std", derive(Pooled), pool(static))]`.
///
/// **With `max`** a growing pool locks on every operation: threads keep no slots, so all are there for any thread until the limit is
/// reached. That takes some twenty times as long as without a limit, and threads wait for each other. If the number is known,
/// `capacity` is faster, and needs no lock.
///
/// When the last thread that uses a growing pool ends, or in a trim, if no element is alive, slots are handed out
/// in address order again, chunk by chunk. Until then they come in the order in which threads keep them, alone
/// or in batches: the last freed first.
///
/// **With `strategy = roster`** there is one roster, behind a lock for reading and writing: `pool_with` has
/// it exclusively, `pool_read` and `pool_get` share it. The element has to be `Sync`, too. A panic in a closure
/// poisons nothing. Needs `std`.
///
/// **With `capacity = N`** the pool is a `static` of `N` slots. It starts as zeros, so it takes no room in the
/// program's file. It never uses a heap, and works without `std`. (Without the feature `alloc`, which `std`
/// brings, no allocator is needed. A target without compare-and-swap, such as thumbv6m, needs the feature
/// `portable-atomic`.)
///
/// ```
/// use std::thread;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(static, capacity = 256)]
/// struct Job {
///     input: u64,
///     output: u64,
/// }
///
/// let mut job = PoolBox::new(Job { input: 6, output: 0 });
/// let worker = thread::spawn(move || {
///     job.output = job.input * 7;
///     job
/// });
/// let job = worker.join().unwrap();
/// assert_eq!(job.output, 42);
/// drop(job);
/// assert_eq!(Job::pool_stats().live, 0);
/// ```
///
/// - **All slots can be used.** An allocation is refused only if at one moment during the call every slot
///   was taken, whichever threads freed the others. Threads may end at any time; they keep nothing.
/// - No locks: a thread that is interrupted holds up no other, and an interrupt handler may use the pool
///   that it interrupted.
/// - An operation costs one compare-and-swap on a word that this thread mostly has to itself: a pair takes about 11 ns, and 1 in a
///   thread-local pool. Threads share eight such words; without `std` all share one.
/// - Elements lie side by side, and may be as small as a byte. Apart from them the pool has 4 bytes for each.
///   `strategy = free_list` makes the same pool.
/// - At most 4,294,967,295 slots; 65,535 where the target compares and swaps no more than 32 bits.
/// - `pool_stats` is exact while no other thread uses the pool, and O(capacity). `high_water` is
///   the number of slots that were ever used, which may be more than were ever occupied at once: a
///   thread takes a never-used slot before it takes one that another thread freed. `bytes`
///   is the size of the `static`. `pool_reserve` panics only if asked for more than the capacity, and
///   `pool_trim` always returns 0.
///
/// ## `chunk` and `max`
///
/// For a pool that grows. By default the first chunk has as many slots as fit into 512 bytes, but at least 4. Up to 8
/// KiB, or 16 slots, each further one quadruples the pool, and from there on doubles it. With `chunk` a pool whose
/// usual size is known skips the small chunks at the start, and one with few large elements has fewer than 4 slots.
/// `max` is a limit, for when runaway growth should be an error. Neither goes with `capacity`. On a roster `chunk` is
/// rounded up to a multiple of a granule: a power of two of slots, which take 4 to 8 KiB, and at most 1,024.
///
/// Both apply to one pool: a type that is not `static` has a pool in each thread that uses it, and each
/// begins with `chunk` slots and grows to `max`.
///
/// ```
/// use typed_pool::Pooled;
///
/// mod limits {
///     pub const MONSTERS: usize = 4 * 1024;
/// }
///
/// #[derive(Pooled, Default)]
/// #[pool(chunk = 256, max = limits::MONSTERS)]
/// struct Monster {
///     health: i64,
/// }
///
/// let monster = Monster::pool_alloc();
/// assert_eq!(Monster::pool_stats().capacity, 256);
/// # drop(monster);
/// ```
///
/// ## `strategy`
///
/// How vacant slots are remembered, and what the pool hands out:
///
/// - `free_list`: in a list through the vacant slots themselves. The fastest where objects are made and
///   destroyed one at a time; every freed slot is written to.
/// - `pointer_stack`: in a stack of pointers beside the slots, a pointer for each. Freed memory is not
///   touched, so elements may be of any size without padding, and freeing many at once is faster.
/// - `roster`: handles instead of boxes, for elements that are iterated over, or that may die before what
///   refers to them. Elements may be of any size, even 0. `chunk` is [rounded up](#chunk-and-max); without `max`
///   the limit is `u32::MAX` slots, the most that a handle can tell apart.
///
/// Code that uses boxes is the same with the first two. `typed_pool::guide::choosing` says when to take
/// which, with figures.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled, Default)]
/// #[pool(strategy = pointer_stack)]
/// struct Colour([u8; 3]);
///
/// let colour = Colour::pool_alloc();
/// assert_eq!(Colour::pool_stats().slot_bytes, 3);
/// # drop(colour);
/// ```
///
/// ## `pad`
///
/// In a free list a vacant slot holds a link to the next one, so a type smaller than a pointer is a
/// compile error. `pad` raises its slots to a pointer's size, which costs the difference in memory and
/// in cache for each element. It is often better to pool the larger struct that holds the small one, or
/// to use a pointer stack, which needs no link.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled, Default)]
/// #[pool(pad)]
/// struct Spark(u8);
///
/// let spark = Spark::pool_alloc();
/// assert_eq!(Spark::pool_stats().slot_bytes, size_of::<usize>());
/// # drop(spark);
/// ```
///
/// ## `rc`
///
/// For `PoolRc<T>`, and, if the pool is also `static`, for `PoolArc<T>`. Every slot is larger by two words (by its
/// alignment, if that is more): the strong and the weak count lie before the element, whether it is shared or in a
/// `PoolBox`. Both come from the same pool, with one
/// limit and one set of figures, and `PoolRc::from(boxed)` moves no element.
///
/// Elements may be as small as a byte: a vacant slot holds its link where the counts were. Not with
/// `strategy = roster`, which hands out handles.
///
/// ```
/// use typed_pool::{PoolBox, PoolRc, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(rc)]
/// struct Material {
///     roughness: f64,
/// }
///
/// let mut gold = PoolBox::new(Material { roughness: 0.3 });
/// gold.roughness = 0.2;
/// let gold = PoolRc::from(gold);
/// let same = PoolRc::clone(&gold);
/// assert_eq!(same.roughness, 0.2);
/// assert_eq!(Material::pool_stats().live, 1);
/// ```
///
/// ## `name`
///
/// Replaces the type's path in `PoolStats` and in the messages of `Exhausted`. A string literal, or a
/// macro that makes one.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets of the player")]
/// struct Bullet([f32; 4]);
///
/// assert_eq!(Bullet::pool_stats().name, "bullets of the player");
/// ```
///
/// ## `tag`
///
/// Handles of the pool's roster have this tag, whatever the process has done before: a replay, or another machine in lockstep, gets the
/// same handles, hashes and saved bytes. See `Roster::tagged`.
///
/// - In a thread-local pool every thread's roster has this tag, so a handle of another thread may find an element.
/// - A roster that is assigned to the pool, for example one read from a file, brings its own tag and its own limit.
/// - When a thread ends, its pool's handles begin anew, as after `Roster::renew`. A destructor that runs later may meet a handle again.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled)]
/// #[pool(strategy = roster, tag = 7)]
/// struct Monster(u32);
///
/// let monster = Monster::pool_insert(Monster(40));
/// assert_eq!(Monster::pool_with(|monsters| monsters.tag()), Some(7));
/// assert_eq!(monster.tag(), 7);
/// ```
///
/// ## `instances`
///
/// A pool holds one type, so a generic type lists which of its instances have a pool. Each has a
/// pool of its own, and the attribute applies to all.
///
/// ```
/// use typed_pool::Pooled;
///
/// #[derive(Pooled, Default)]
/// #[pool(chunk = 128, instances(Node<f32>, Node<f64>))]
/// struct Node<T> {
///     bounds: [T; 4],
/// }
///
/// let node = Node::<f64>::pool_alloc();
/// assert_eq!(Node::<f64>::pool_stats().live, 1);
/// assert_eq!(Node::<f32>::pool_stats().live, 0);
/// # drop(node);
/// ```
///
/// A generic type that holds boxes of itself needs a bound on its definition:
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(instances(List<u64>))]
/// struct List<T>
/// where
///     List<T>: Pooled,
/// {
///     value: T,
///     next: Option<PoolBox<List<T>>>,
/// }
///
/// let one = PoolBox::new(List { value: 1_u64, next: None });
/// let two = PoolBox::new(List { value: 2, next: Some(one) });
/// assert_eq!(two.next.as_ref().map_or(0, |next| next.value), 1);
/// ```
///
/// ## `crate`
///
/// For a crate that reaches the library under another name, or through a crate that re-exports it.
///
/// ```
/// mod engine {
///     pub use typed_pool as pools;
/// }
///
/// #[derive(engine::pools::Pooled)]
/// #[pool(crate = engine::pools)]
/// struct Bullet([f32; 4]);
/// ```
///
/// # What it refuses
///
/// - Unions.
/// - Types with lifetime parameters and instances that borrow, since a pool outlives every borrow that is not `'static`.
/// - Generic types without `instances`.
/// - In a free list, types smaller than a pointer, unless `pad` is given; in other pools of boxes, types without size.
/// - Pools without slots, or with more than fit the address space.
/// - In a static pool, types that are not `Send`; in a static roster, also types that are not `Sync`.
///
/// Each is one compile error at the place of the mistake, which says what to write.
/// `typed_pool::guide::misuse` shows the commonest messages.
#[doc(alias = "ObjectPool")]
#[proc_macro_derive(Pooled, attributes(pool))]
pub fn derive_pooled(input: TokenStream) -> TokenStream {
    let code = match simplify::declaration(input.into()) {
        Ok(input) => derive(&input),
        Err(error) => errors::compile_error(error),
    };
    code.into()
}

/// Makes a struct of zeroable fields zeroable itself: implements the trait `Zeroable`.
///
/// Then `init::zeroed()` builds it, and in `init!` a trailing `..init::zeroed()` zeroes the fields that are
/// not named. A generic struct is zeroable where the types of its fields are.
///
/// ```
/// use typed_pool::{FreeList, Zeroable, init};
///
/// #[derive(Zeroable)]
/// struct Cell { height: f32, flags: u8 }
///
/// #[derive(Zeroable)]
/// struct Pair<T>(T, T);
///
/// let pool = FreeList::<[Pair<Cell>; 1000]>::new();
/// let Ok(cells) = pool.init(init::zeroed());
/// assert_eq!((cells[999].1.height, cells[0].0.flags), (0.0, 0));
/// ```
///
/// `#[zeroable(crate = path)]` says where the library is, as `#[pool(crate = path)]` does for [`Pooled`].
///
/// # What it refuses
///
/// Enums and unions, and structs with a field that is not `Zeroable`; then the error points at the field's type.
#[proc_macro_derive(Zeroable, attributes(zeroable))]
pub fn derive_zeroable(input: TokenStream) -> TokenStream {
    zeroable::derive(input.into()).unwrap_or_else(errors::compile_error).into()
}

/// Marks a struct of rewinds as a whole: implements the trait `Rewindable`.
///
/// Each field is `Rewindable` itself, as `Rewind` is, or has an attribute:
///
/// - `#[rewind(clone)]`: a mark clones it. The field must be `Clone + Send + Sync + 'static`.
/// - `#[rewind(skip)]`: it is no part of the state, and stays as it is.
///
/// The first field without an attribute keeps the clones: a `Rewind`, or a struct that derives `Rewindable`.
///
/// ```
/// use typed_pool::{Rewind, Rewindable};
///
/// #[derive(Rewindable)]
/// struct World<T: Clone> {
///     things: Rewind<T>,
///     #[rewind(clone)]
///     tick: u64,
/// }
///
/// let mut world = World { things: Rewind::new(), tick: 0 };
/// let mark = world.mark();
/// world.things.insert("chair");
/// world.tick = 1;
/// world.rewind(mark).unwrap();
/// assert_eq!((world.things.len(), world.tick), (0, 0));
/// ```
///
/// `#[rewind(crate = path)]` says where the library is, as `#[pool(crate = path)]` does for [`Pooled`].
///
/// # What it refuses
///
/// Enums and unions, and structs without a field that is `Rewindable`.
#[cfg(feature = "rewind")]
#[proc_macro_derive(Rewindable, attributes(rewind))]
pub fn derive_rewindable(input: TokenStream) -> TokenStream {
    rewindable::derive(input.into()).unwrap_or_else(errors::compile_error).into()
}

fn derive(input: &DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = Errors::new();
    let entries = parse::entries(&input.attrs, &mut errors);
    let pool = validate::validate(input, &entries, &mut errors);
    let errors = errors.finish();
    // The compiler reports an infinite type by itself; asking for its size would add more errors.
    let (errors, code) = if errors.is_none() && !shape::is_infinite(input) {
        (None, expand::expand(&pool))
    } else {
        expand::stub(input, &pool, errors)
    };
    let code = tokens::allowing(&input.attrs, pool.crate_path.enclose(code));
    quote!(#errors #code)
}
