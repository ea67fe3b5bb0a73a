//! Instances that are none

// An instance of another type. Fix: list it where that type is derived.
mod instance_of_another_type {
    use typed_pool::Pooled;

    struct Leaf<T>(T);

    #[derive(Pooled)]
    #[pool(instances(Node<f32>, Leaf<f32>))]
    struct Node<T>([T; 4]);
}

// An instance listed twice. Fix: remove one.
mod instance_twice {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(Node<f32>, Node<f64>, Node< f32 >))]
    struct Node<T>([T; 4]);
}

// A constant with a name of the derive's own. Fix: call it otherwise.
mod instance_of_a_reserved_name {
    use typed_pool::Pooled;

    const __TYPED_POOL: usize = 3;

    #[derive(Pooled)]
    #[pool(instances(Node<f32, { __TYPED_POOL + 1 }>))]
    struct Node<T, const N: usize>([T; N]);
}

// Arguments in place of instances. Fix: write the whole type: `instances(Node<f32>, Node<f64>)`.
mod instances_arguments_only {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(f32, f64))]
    struct Node<T>([T; 4]);
}

// Instances after an equals sign. Fix: write them in parentheses: `instances(Node<f32>)`.
mod instances_assigned {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances = Node<f32>)]
    struct Node<T>([T; 4]);
}

// An empty list of instances. Fix: list one type or more: `instances(Node<f32>)`.
mod instances_empty {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances())]
    struct Node<T>([T; 4]);
}

// Instances that are not types. Fix: list types: `instances(Node<f32>)`.
mod instances_not_types {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(64))]
    struct Node<T>([T; 4]);
}

// Instances of a type without parameters. Fix: remove `instances`: the type has one pool.
mod instances_of_no_generic {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(Bullet))]
    struct Bullet([f32; 4]);
}

// Without the parentheses.
mod instances_without_list {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances)]
    struct Node<T>([T; 4]);
}

// Types that are left open. Fix: name one, `instances(Node<f32>)`.
mod placeholders {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(Node<_>, Node<impl Copy>, Node<[u8; { match 3 { _ => 8 } }]>))]
    struct Node<T>(T, u64);
}

fn main() {}
