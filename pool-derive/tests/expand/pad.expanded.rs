#[automatically_derived]
impl ::typed_pool::__private::Pooled for Spark {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<Self, ::typed_pool::__private::InFreeList>,
    >;
    const __POOL: Self::__Storage = {
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < Spark,
            ::typed_pool::__private::InFreeList >, < ::typed_pool::__private::LocalPool <
            Spark, ::typed_pool::__private::InFreeList > > ::EMPTY
        )
    };
}
