const _: () = {
    use engine::pools::__private as __typed_pool;
    #[automatically_derived]
    impl __typed_pool::Pooled for Bullet {
        type __Storage = __typed_pool::InThread<
            __typed_pool::LocalPool<Self, __typed_pool::InFreeList>,
        >;
        const __POOL: Self::__Storage = {
            let _ = <<__typed_pool::Checked as __typed_pool::HoldsLink<
                Bullet,
                { __typed_pool::size_up_to_link::<Bullet>() },
            >>::Outcome as __typed_pool::HasSize<Bullet>>::check;
            __typed_pool::__thread_local!(
                __typed_pool::LocalPool < Bullet, __typed_pool::InFreeList >, <
                __typed_pool::LocalPool < Bullet, __typed_pool::InFreeList > > ::EMPTY
            )
        };
    }
};
