//! The memory of objects: pools or `Box`. Only the key that switches between them needs this. In your game, write `PoolBox<Bullet>` in place of
//! `M::Bullet`, and leave out `M`.

use std::ops::DerefMut;

use typed_pool::PoolBox;

use crate::tree::Node;
use crate::world::{Bullet, Spark};

pub trait Memory: Sized + 'static {
    const NAME: &'static str;
    type Bullet: DerefMut<Target = Bullet>;
    type Spark: DerefMut<Target = Spark>;
    type Node: DerefMut<Target = Node<Self>>;

    fn bullet(bullet: Bullet) -> Self::Bullet;
    fn spark(spark: Spark) -> Self::Spark;
    fn node(node: Node<Self>) -> Self::Node;
}

macro_rules! memories {
    ($($(#[$attribute:meta])* $Memory:ident($name:literal) $Box:ident;)*) => {$(
        $(#[$attribute])*
        pub struct $Memory;

        impl Memory for $Memory {
            const NAME: &'static str = $name;
            type Bullet = $Box<Bullet>;
            type Spark = $Box<Spark>;
            type Node = $Box<Node<Self>>;

            fn bullet(bullet: Bullet) -> Self::Bullet {
                $Box::new(bullet)
            }

            fn spark(spark: Spark) -> Self::Spark {
                $Box::new(spark)
            }

            fn node(node: Node<Self>) -> Self::Node {
                $Box::new(node)
            }
        }
    )*};
}

memories! {
    /// Each object in the pool of its type.
    Pools("pools") PoolBox;
    /// Each object in a block of the heap.
    Heap("Box") Box;
}
