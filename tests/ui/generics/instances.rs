//! Instances that are none

// An instance of another type.
mod instance_of_another_type {
    use typed_pool::Pooled;

    struct Leaf<T>(T);

    #[derive(Pooled)]
    #[pool(instances(Node<f32>, Leaf<f32>))]
    struct Node<T>([T; 4]);
}

// An instance listed twice.
mod instance_twice {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(Node<f32>, Node<f64>, Node< f32 >))]
    struct Node<T>([T; 4]);
}

// A constant with a name of the derive's own.
mod instance_of_a_reserved_name {
    use typed_pool::Pooled;

    const __TYPED_POOL: usize = 3;

    #[derive(Pooled)]
    #[pool(instances(Node<f32, { __TYPED_POOL + 1 }>))]
    struct Node<T, const N: usize>([T; N]);
}

// Arguments in place of instances.
mod instances_arguments_only {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(f32, f64))]
    struct Node<T>([T; 4]);
}

// Instances after an equals sign.
mod instances_assigned {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances = Node<f32>)]
    struct Node<T>([T; 4]);
}

// An empty list of instances.
mod instances_empty {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances())]
    struct Node<T>([T; 4]);
}

// Instances that are not types.
mod instances_not_types {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(64))]
    struct Node<T>([T; 4]);
}

// Instances of a type without parameters.
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

// Types that are left open.
mod placeholders {
    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(instances(Node<_>, Node<impl Copy>, Node<[u8; { match 3 { _ => 8 } }]>))]
    struct Node<T>(T, u64);
}

fn main() {}
