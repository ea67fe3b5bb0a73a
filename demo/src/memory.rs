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

/// Each object in the pool of its type.
pub struct Pools;

impl Memory for Pools {
    const NAME: &'static str = "pools";
    type Bullet = PoolBox<Bullet>;
    type Spark = PoolBox<Spark>;
    type Node = PoolBox<Node<Self>>;

    fn bullet(bullet: Bullet) -> Self::Bullet {
        PoolBox::new(bullet)
    }

    fn spark(spark: Spark) -> Self::Spark {
        PoolBox::new(spark)
    }

    fn node(node: Node<Self>) -> Self::Node {
        PoolBox::new(node)
    }
}

/// Each object in a block of the heap.
pub struct Heap;

impl Memory for Heap {
    const NAME: &'static str = "Box";
    type Bullet = Box<Bullet>;
    type Spark = Box<Spark>;
    type Node = Box<Node<Self>>;

    fn bullet(bullet: Bullet) -> Self::Bullet {
        Box::new(bullet)
    }

    fn spark(spark: Spark) -> Self::Spark {
        Box::new(spark)
    }

    fn node(node: Node<Self>) -> Self::Node {
        Box::new(node)
    }
}
