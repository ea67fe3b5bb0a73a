#[automatically_derived]
impl ::typed_pool::__private::Pooled for Spark {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<::typed_pool::__private::FreeList<Self>>,
    >;
    const __POOL: Self::__Storage = {
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::FreeList <
            Spark > >, < ::typed_pool::__private::LocalPool <
            ::typed_pool::__private::FreeList < Spark > > > ::EMPTY
        )
    };
}
