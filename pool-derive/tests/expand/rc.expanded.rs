#[automatically_derived]
impl ::typed_pool::__private::Pooled for Squad {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<
            ::typed_pool::__private::WithCounts<Self>,
            ::typed_pool::__private::InFreeList,
        >,
    >;
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Squad,
            { ::typed_pool::__private::zero_or_link::<Squad>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Squad>>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::WithCounts <
            Squad >, ::typed_pool::__private::InFreeList >, <
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::WithCounts <
            Squad >, ::typed_pool::__private::InFreeList > > ::EMPTY
        )
    };
}
