//! What belongs together in the documents, and the words for it.

/// What a contestant is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of this project.
    Ours,
    /// Does the same job.
    Peer,
    /// Written by hand to see what is left to reach, or does less.
    Yardstick,
}

impl Role {
    pub(super) fn of(contestant: &str) -> Self {
        if contestant.starts_with("typed-pool") || contestant.ends_with("of typed-pool") {
            Self::Ours
        } else if contestant.starts_with("limit")
            || contestant.contains("(frees nothing)")
            || contestant.contains("(moves)")
        {
            Self::Yardstick
        } else {
            Self::Peer
        }
    }
}

/// How a group is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// A bar for each contestant.
    Bars,
    /// A line for each contestant, over the number of objects.
    Curves,
}

/// Tables that begin alike.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) words: &'static str,
    pub(super) shape: Shape,
}

const fn bars(name: &'static str, title: &'static str, words: &'static str) -> Group {
    Group { name, title, words, shape: Shape::Bars }
}

pub(super) const ALL: [Group; 22] = [
    bars(
        "w1",
        "Pair",
        "An object is allocated, all its fields are written, and it is freed at once: the price of the call.",
    ),
    bars("w2", "Burst", "Many objects are allocated, then all are freed, in this order or that."),
    bars(
        "w2-static",
        "Burst, static pools",
        "The same in pools that all threads share, by one thread.",
    ),
    bars("w3", "Churn", "A crowd in which, at random, one object dies and one is born."),
    bars(
        "w3h",
        "Churn by handles",
        "The same where handles name the objects; and reading all of them, in the container's order, after a \
         million deaths and births.",
    ),
    bars(
        "w4",
        "Bullets",
        "A frame of a bullet-hell: all bullets move, one in a hundred expires, as many are fired.",
    ),
    bars(
        "w5",
        "Quad-tree",
        "A frame: a tree over 10,000 drifting cities is built, queried and dropped. `w5/frame` runs one copy of \
         the tree's code for all contestants, and is the one to judge by; `w5/own-tree` compiles one for each.",
    ),
    bars(
        "w6",
        "Handles",
        "Insertion after everything was removed in shuffled order, removal, look-up, and look-up by handles whose \
         element is gone.",
    ),
    bars(
        "w6e",
        "Iteration",
        "Reading the live elements, where a tenth, a half or all of the slots are live.",
    ),
    bars("w7", "Threads", "Two threads and one static pool."),
    bars("w8", "Binary trees", "Trees of depth 16, built and dropped."),
    bars(
        "w9",
        "Cold",
        "The first objects of a process, each turn in a process of its own, and the first objects of a thread. The \
         pages that the system hands out for the first time are most of it.",
    ),
    bars(
        "w9-small-pages",
        "Cold, on small pages",
        "The same with `TYPED_POOL_HUGE_PAGES=0` in the environment, which turns our huge pages off.",
    ),
    bars(
        "w9-huge",
        "Cold, on huge pages",
        "From a run in which huge pages had to be asked for, and were: `w9` of that run is without.",
    ),
    bars(
        "w10",
        "Trait objects",
        "Boxes of `dyn Trait`: one after the other, or ten thousand of ten types in a vector. `typed-pool` is a \
         `PoolBox<dyn Shape>`, each type in its own pool; `any::Box` and `SharedByLayout` are pools by layout. plurality has \
         a pool for each type (`Pool`), or one for all (`MultiPool`).",
    ),
    bars(
        "w11",
        "Generic map",
        "The nodes of a treap that is generic over keys, values and pointers. `typed-pool` is the pool of the one \
         instance that was listed.",
    ),
    bars(
        "w12",
        "Static rosters",
        "Elements of two words that all threads find by handles, or keys: looked up by one thread, or by two at once; and a death and a \
         birth, by two threads that have half of them each.",
    ),
    bars(
        "arena",
        "Arenas",
        "The workloads by which crates of arenas compare themselves: numbers of eight bytes, 10,000 of them.",
    ),
    bars(
        "memory",
        "Memory",
        "Resident memory per object, each turn in a process of its own. The heaps are left to themselves; \
         those that can be asked to give memory back have been.",
    ),
    Group {
        name: "growth",
        title: "Growth",
        words: "The same work with more and more objects. What bends upwards is the processor's caches; the \
                number of chunks makes no difference.",
        shape: Shape::Curves,
    },
    bars(
        "unoptimised",
        "Unoptimised",
        "In a build without optimisation, as programs are developed: each turn is a run of `benches/unoptimised`.",
    ),
    bars(
        "compile",
        "Compilation",
        "What a type with a derive adds to `cargo check` (incremental, after an edit), and what a first build of the \
         crate costs.",
    ),
];
