#[automatically_derived]
impl ::typed_pool::__private::Pooled for r#type {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<::typed_pool::__private::FreeList<Self>>,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = r#const::r#LIMIT;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            r#type,
            { ::typed_pool::__private::size_up_to_link::<r#type>() },
        >>::Outcome as ::typed_pool::__private::HasSize<r#type>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            r#type,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    r#type,
                >(
                    <r#type as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::usize::MAX,
                )
            },
        >>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::FreeList <
            r#type > >, < ::typed_pool::__private::LocalPool <
            ::typed_pool::__private::FreeList < r#type > > > ::new(< r#type as
            ::typed_pool::__private::Pooled > ::__CONFIG)
        )
    };
}
