//! Elements of a static pool that are not `Send`

// An element that is not `Send` in a static pool.
mod not_send {
    use std::rc::Rc;

    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 64)]
    struct Monster {
        health: i32,
        name: Rc<str>,
    }
}

// In a pool that grows.
mod growing_not_send {
    use std::rc::Rc;

    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static)]
    struct Job {
        shared: Rc<u64>,
    }
}

// One of several instances.
mod instance_not_send {
    use std::rc::Rc;

    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, capacity = 64, instances(Node<u64>, Node<Rc<str>>))]
    struct Node<T>(T);
}

fn main() {}
