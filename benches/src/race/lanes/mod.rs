//! The workloads as lanes: how often each runs in a turn, and how it is checked.

pub(super) mod any;
pub(super) mod boxes;
pub(super) mod builds;
pub(super) mod first;
pub(super) mod frames;
pub(super) mod sessions;
pub(super) mod stores;
pub(super) mod threads;
pub(super) mod unoptimised;

/// A function that returns a lane for each contestant of some rolls: a visitor whose `visit` is the block.
macro_rules! lanes {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident$([$T:ident: $Bound:path])?($($argument:ident: $Type:ty),*)
        by $Visit:path [$($generics:tt)*] of $($roll:expr),+; |$lanes:ident| $body:block
    )*) => {$(
        $(#[$attribute])*
        pub(in crate::race) fn $name$(<$T: $Bound>)?($($argument: $Type),*) -> Vec<Lane> {
            struct Visitor {
                $($argument: $Type,)*
                lanes: Vec<Lane>,
            }

            impl$(<$T: $Bound>)? $Visit for Visitor {
                fn visit<$($generics)*>(&mut self) {
                    let Self { $($argument,)* lanes: $lanes } = self;
                    $(let $argument = $argument.clone();)*
                    $body
                }
            }

            let mut visitor = Visitor { $($argument,)* lanes: Vec::new() };
            $($roll(&mut visitor);)+
            visitor.lanes
        }
    )*};
}

use lanes;
