//! One word is all that changes.

use typed_pool::Pooled;

macro_rules! game {
    ($module:ident, $strategy:ident) => {
        mod $module {
            use typed_pool::{PoolBox, Pooled};

            #[derive(Pooled, Default)]
            #[pool(strategy = $strategy, chunk = 64, max = 1 << 16)]
            pub struct Node {
                bounds: [f32; 4],
                items: Vec<u32>,
                children: [Option<PoolBox<Node>>; 4],
            }

            #[derive(Pooled, Default)]
            #[pool(strategy = $strategy, instances(Cell<u64>, Cell<Vec<u8>>))]
            pub struct Cell<T>(T);

            pub fn run() {
                let mut root = Node::pool_alloc();
                root.children[0] = Some(PoolBox::new(Node::default()));
                root.items.push(1);
                assert_eq!(Node::pool_stats().live, 2);
                let Node { children, .. } = PoolBox::into_inner(root);
                drop(children);
                assert_eq!(Node::pool_stats().live, 0);
                assert_eq!(Cell::<u64>::pool_alloc().0, 0);
                assert!(Cell::<Vec<u8>>::pool_alloc().0.is_empty());
            }
        }
    };
}

game!(with_free_list, free_list);
game!(with_pointer_stack, pointer_stack);

#[derive(Pooled, Default)]
#[pool(strategy = pointer_stack)]
struct Spark(u8);

#[derive(Pooled, Default)]
#[pool(strategy = pointer_stack, capacity = 10)]
struct Colour([u8; 3]);

fn main() {
    with_free_list::run();
    with_pointer_stack::run();
    let (spark, colour) = (Spark::pool_alloc(), Colour::pool_alloc());
    assert_eq!((spark.0, colour.0), (0, [0; 3]));
    assert_eq!(Spark::pool_stats().slot_bytes, 1);
    assert_eq!(Colour::pool_stats().slot_bytes, 3);
}
