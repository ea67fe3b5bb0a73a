#[automatically_derived]
impl ::typed_pool::__private::Pooled for Shape {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<::typed_pool::__private::FreeList<Self>>,
    >;
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Shape,
            { ::typed_pool::__private::size_up_to_link::<Shape>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Shape>>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::FreeList <
            Shape > >, < ::typed_pool::__private::LocalPool <
            ::typed_pool::__private::FreeList < Shape > > > ::EMPTY
        )
    };
}
