#[automatically_derived]
unsafe impl ::typed_pool::__private::Pooled for Spark {
    type __Storage = ::typed_pool::__private::LocalKey<
        ::typed_pool::__private::Local<::typed_pool::__private::FreeList<Self>>,
    >;
    #[inline]
    fn __storage() -> &'static Self::__Storage {
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::Local < ::typed_pool::__private::FreeList < Spark >
            >, < ::typed_pool::__private::Local < ::typed_pool::__private::FreeList <
            Spark > > > ::EMPTY
        )
    }
}
