//! `init!` and `try_init!`.

/// An initialiser of a struct that cannot fail: an `impl `[`Init<T>`](crate::Init).
///
/// It looks like a struct expression. A field is written `field: value`, or `field` for short, which moves the value into the
/// field; or `field <- initialiser`, which builds the field in place. Fields are built in the order written. A trailing
/// `..init::zeroed()` zeroes the others, if the struct is [`Zeroable`](crate::init::Zeroable). Tuple structs are written by index.
///
/// A missing field, one given twice, a wrong type or a private field is the compiler's own error,
/// as for a struct expression. If an expression unwinds, the fields built so far are dropped, the
/// last one first.
///
/// # What is captured
///
/// The expressions run when the initialiser does, not where they are written. They capture variables by value, as a `move` closure
/// does; to use a variable afterwards, name a reference to it. `return` and `?` end the construction with an error, whose type
/// [`try_init!`](crate::try_init!) names.
///
/// # Its own address
///
/// `init!(&this in Node { .. })` gives the place a name of your choice. In the expressions, `this` is a `NonNull<Node>`, for a
/// field that points to its own struct, or to another field. Until the struct is complete, `this` is a mere address; afterwards, it
/// is valid for as long as the value stays where it was built. The macro does not pin: an initialiser can be given to `pool_init`
/// as well, and the value moved. So a public function should not return such an initialiser, but the pinned value:
///
/// ```
/// use std::marker::PhantomPinned;
/// use std::pin::Pin;
/// use std::ptr::NonNull;
/// use typed_pool::{PoolBox, Pooled, init};
///
/// /// A link of a ring.
/// #[derive(Pooled)]
/// struct Link { value: u32, next: NonNull<Link>, _pinned: PhantomPinned }
///
/// impl Link {
///     /// A ring of one link.
///     fn alone(value: u32) -> Pin<PoolBox<Link>> {
///         let link = init!(&this in Link { value, next: this, _pinned: PhantomPinned });
///         let Ok(link) = Link::pool_pin_init(link);
///         link
///     }
///
///     fn next_value(self: Pin<&Self>) -> u32 {
///         // SAFETY: a link is made by `alone` only, so it is pinned, and points to itself.
///         unsafe { self.next.as_ref().value }
///     }
/// }
///
/// let link = Link::alone(7);
/// assert_eq!(link.as_ref().next_value(), 7);
/// ```
///
/// # What is refused
///
/// The macro refuses whatever is not the path of a struct: variants of an enum and unions (E0436, E0784), macros and operators. It
/// refuses structs in which `repr(packed)` leaves a field unaligned (E0793): such a field cannot be built through a pointer. And it
/// refuses attributes on fields, except `#[cfg(..)]`.
///
/// Each field is a step of macro expansion, and so is each token of the path: at the default `recursion_limit` a struct has
/// at most 121 fields, or 117 if its path is `S::<3>`, and one less for each macro around it, such as `#[test]`.
///
/// # What the compiler says
///
/// - A field that the struct does not have is E0560, as in a struct expression. The other fields' values are not checked until it is
///   mended.
/// - The compiler does not warn of a field that is never read, since taking a field's address counts as reading it.
///   `#[derive(Zeroable)]` does not have this effect.
///
/// # Examples
///
/// ```
/// use typed_pool::{FreeList, init};
///
/// struct Pair(u32, [u32; 2]);
/// struct Big { id: u32, name: String, cells: [u8; 65_536], tail: [u32; 1000], pair: Pair }
///
/// let (pool, name) = (FreeList::new(), String::from("big"));
/// let Ok(big) = pool.init(init!(Big {
///     id: 7,
///     name,
///     cells <- init::zeroed(),
///     tail <- init::from_fn(|i| i as u32),
///     pair <- init!(Pair { 0: 1, 1 <- init::from_fn(|i| i as u32 + 2) }),
/// }));
/// assert_eq!((big.id, &*big.name, big.cells[65_535], big.tail[999]), (7, "big", 0, 999));
/// assert_eq!((big.pair.0, big.pair.1), (1, [2, 3]));
/// ```
///
/// With the others zeroed:
///
/// ```
/// use typed_pool::{FreeList, Zeroable, init};
///
/// #[derive(Zeroable)]
/// struct Mixer { volume: f32, samples: [[f32; 2]; 48_000], position: usize }
///
/// let pool = FreeList::new();
/// let Ok(mixer) = pool.init(init!(Mixer { volume: 0.5, ..init::zeroed() }));
/// assert_eq!((mixer.volume, mixer.samples[47_999], mixer.position), (0.5, [0.0; 2], 0));
/// ```
#[macro_export]
macro_rules! init {
    (&$this:ident in $($other:tt)*) => { $crate::__init!(@type init [] [; $this] $($other)*) };
    ($($other:tt)*) => { $crate::__init!(@type init [] [] $($other)*) };
}

/// An initialiser of a struct that can fail: `try_init!(T { .. } ? E)` is an
/// `impl `[`Init<T, E>`](crate::Init).
///
/// Like [`init!`](crate::init!), but the error of a field's initialiser is converted into `E` by `From`, and so is
/// the error of a `?` in an expression. Initialisers that cannot fail are accepted for every `E`. The fields built
/// before the failure are dropped, the last one first.
///
/// # Examples
///
/// ```
/// use std::num::ParseIntError;
/// use typed_pool::{FreeList, Init, init, try_init};
///
/// struct Config { port: u16, log: String, buffer: [u8; 65_536] }
///
/// fn config(port: &str) -> impl Init<Config, ParseIntError> {
///     try_init!(Config {
///         log: String::from("server.log"),
///         port: port.parse()?,
///         buffer <- init::zeroed(),
///     } ? ParseIntError)
/// }
///
/// let pool = FreeList::new();
/// assert_eq!(pool.init(config("8080")).unwrap().port, 8080);
/// assert!(pool.init(config("http")).is_err());
/// assert_eq!(pool.stats().live, 0);
/// ```
#[macro_export]
macro_rules! try_init {
    (&$this:ident in $($other:tt)*) => { $crate::__init!(@type try_init [] [; $this] $($other)*) };
    ($($other:tt)*) => { $crate::__init!(@type try_init [] [] $($other)*) };
}

/// First finds the end of the type, token by token if it has generic arguments: what a pattern has
/// matched as a `path` cannot begin a struct expression. So the tokens are kept, and only shown to be
/// a path.
///
/// The name for the place, if there is one, goes with the error's type, behind a semicolon.
///
/// Then brings the fields to one form, one field a step: an expression cannot be followed by `<-` in
/// a pattern, so no repetition matches both ways to write a field.
///
/// # Why no tokens break it
///
/// Every arm can be called by hand, so each has to be sound by itself. Only `@build` holds `unsafe`, and
/// what it claims is that a `T` is complete. It compiles only if
///
/// 1. the type's tokens are a path (`@is_path`), so that `path { .. }` is a struct expression and nothing
///    else: no macro, no operator, no keyword;
/// 2. `T` is the very type of that expression: `Whole<T>` is not coerced;
/// 3. `T` is a struct: `path { ..base }` is an error for all else (E0436 for a variant by whatever name,
///    E0784 for a union);
/// 4. every field of it is named once (E0063, E0062), or zeros are a value of all;
/// 5. each field that is named is built once: its `__guard` is a `Guard`, which nothing else makes.
///
/// From 3 and 4 it follows that `(*place).field` is that field and goes through no `Deref`: the first
/// type which the compiler looks at has it. An attribute could undo 4 and 5 in one place and not in the
/// other; `cfg` alone is let through, which is the same in both.
///
/// Its own names begin with `__`: where a static or a constant is called `place`, so is no variable.
///
/// Only one of the user's tokens stands within `unsafe`: a field's name. It is a single token, and 4 does not
/// compile unless it is a name or an index.
#[doc(hidden)]
#[macro_export]
macro_rules! __init {
    (@type init [$($type:tt)+] [$($this:tt)*] { $($fields:tt)* }) => {
        $crate::__init!(@path [$($type)+] [$crate::__private::Infallible $($this)*] [$($fields)*] $($type)+)
    };
    (@type try_init [$($type:tt)+] [$($this:tt)*] { $($fields:tt)* } ? $error:ty) => {
        $crate::__init!(@path [$($type)+] [$error $($this)*] [$($fields)*] $($type)+)
    };
    (@type $macro:ident [$($type:tt)*] $this:tt $next:tt $($more:tt)*) => {
        $crate::__init!(@type $macro [$($type)* $next] $this $($more)*)
    };
    (@type init $type:tt $this:tt) => {
        $crate::__private::compile_error!(
            "expected a struct: `init!(Name { field: value })`, a tuple struct by index: \
             `init!(Name { 0: value })`"
        )
    };
    (@type try_init $type:tt $this:tt) => {
        $crate::__private::compile_error!(
            "expected a struct and the error: `try_init!(Name { field: value } ? Error)`, a tuple \
             struct by index: `try_init!(Name { 0: value } ? Error)`"
        )
    };

    // So that there is one error, and it says what is wrong. What counts is `@is_path`.
    (@path $type:tt $error:tt [$($fields:tt)*] $path:path) => {
        $crate::__init!(@fields $type $error [] [] $($fields)*)
    };
    (@path $type:tt $error:tt $fields:tt $($other:tt)*) => {
        $crate::__private::compile_error!(
            "only a struct can be built in place: write its path before the braces, as in \
             `Name { field: value }` or `module::Name::<u8> { field: value }`"
        )
    };
    (@is_path $path:path) => {};

    (@fields $type:tt $error:tt $done:tt []) => {
        $crate::__init!(@build $type $error $done [])
    };
    (@fields $type:tt $error:tt $done:tt [] .. $rest:expr) => {
        $crate::__init!(@build $type $error $done [$rest])
    };
    (@fields $type:tt $error:tt $done:tt [$($attr:tt)*] #[cfg $predicate:tt] $($more:tt)*) => {
        $crate::__init!(@fields $type $error $done [$($attr)* #[cfg $predicate]] $($more)*)
    };
    (@fields $type:tt $error:tt $done:tt $attr:tt #[$($other:tt)*] $($more:tt)*) => {
        $crate::__private::compile_error!(
            "the only attribute that a field can have here is `#[cfg(..)]`: write others on the \
             statement, or in a block around the value"
        )
    };
    (@fields $type:tt $error:tt [$($done:tt)*] $attr:tt
        $field:tt : $value:expr $(, $($more:tt)*)?
    ) => {
        $crate::__init!(@fields $type $error
            [$($done)* { $attr $field [$value] [] }] [] $($($more)*)?)
    };
    (@fields $type:tt $error:tt [$($done:tt)*] $attr:tt
        $field:tt <- $init:expr $(, $($more:tt)*)?
    ) => {
        $crate::__init!(@fields $type $error
            [$($done)* { $attr $field [] [$init] }] [] $($($more)*)?)
    };
    (@fields $type:tt $error:tt [$($done:tt)*] $attr:tt
        $field:ident $(, $($more:tt)*)?
    ) => {
        $crate::__init!(@fields $type $error
            [$($done)* { $attr $field [$field] [] }] [] $($($more)*)?)
    };

    (@build [$($type:tt)+] [$error:ty $(; $this:ident)?]
        [$({
            [$(#[cfg $predicate:tt])*] $field:tt [$($value:expr)?] [$($init:expr)?]
        })*]
        [$($rest:expr)?]
    ) => {
        $crate::__private::fields::<_, $error>(move |__place| {
            $crate::__init!(@is_path $($type)+);
            $crate::__private::check(__place, |__fields| {
                // A branch, since a compiler may skip what follows `never`; and a lint of Rust 1.85 looks at its type.
                #[allow(unreachable_code)]
                {
                    if $crate::__private::absent() {
                        $crate::__private::never();
                        $crate::__private::whole(__place, $crate::__private::Whole($($type)+ {
                            $($(#[cfg $predicate])* $field: $crate::__private::absent_of(__place),)*
                            $(..$crate::__init!(@absent $rest))?
                        }).itself());
                        $crate::__init!(@is_struct __place [$($type)+] [$($rest)?]);
                    }
                }
                $($(#[cfg $predicate])* let _ = &(*__fields).$field;)*
            });
            $(let $this = $crate::__private::this(__place);)?
            $(
                let __fill = $crate::__private::rest(__place, $rest);
                // SAFETY: the place is valid, by the contract of `Init`.
                unsafe { __fill(__place) };
            )?
            let __done = $crate::__private::Cell::new(false);
            $(
                $(#[cfg $predicate])*
                let __guard: $crate::__private::Guard<'_, _> = {
                    // SAFETY: the place is valid, so the field is inside one allocation.
                    let __field = unsafe { &raw mut (*__place).$field };
                    $(match ($crate::__private::ByValue { place: __field, value: $value }) {
                        // SAFETY: the field's place is valid and, not being packed, aligned.
                        __field => unsafe { __field.build(&__done) },
                    })?
                    $(match $crate::__private::in_place(__field, $init) {
                        // SAFETY: the field's place is valid and, not being packed, aligned.
                        __field => match unsafe { __field.build(&__done) } {
                            $crate::__private::Ok(__guard) => __guard,
                            $crate::__private::Err(__error) => {
                                use $crate::__private::Raise as _;
                                return $crate::__private::Err(__error.raise());
                            }
                        },
                    })?
                };
            )*
            __done.set(true);
            // SAFETY: the first struct expression above names every field, and each was built.
            $crate::__private::Ok(unsafe { $crate::__private::Done::new() })
        })
    };

    (@is_struct $place:ident [$($type:tt)+] []) => {
        #[allow(clippy::needless_update)]
        $crate::__private::whole($place, $crate::__private::Whole($($type)+ { ..$crate::__private::absent() }).itself());
    };
    // The expression with all fields has a base itself.
    (@is_struct $place:ident $type:tt [$rest:expr]) => {};

    (@absent $rest:expr) => { $crate::__private::absent() };
}
