#[automatically_derived]
impl ::typed_pool::__private::Pooled for Node<f32> {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<::typed_pool::__private::FreeList<Self>>,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 16;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Node<f32>,
            { ::typed_pool::__private::size_up_to_link::<Node<f32>>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Node<f32>>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Node<f32>,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Node<f32>,
                >(
                    <Node<f32> as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::usize::MAX,
                )
            },
        >>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::FreeList < Node
            < f32 > > >, < ::typed_pool::__private::LocalPool <
            ::typed_pool::__private::FreeList < Node < f32 > > > > ::new(< Node < f32 >
            as ::typed_pool::__private::Pooled > ::__CONFIG)
        )
    };
}
#[automatically_derived]
impl ::typed_pool::__private::Pooled for Node<Vec<u8>, 2> {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<::typed_pool::__private::FreeList<Self>>,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 16;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Node<Vec<u8>, 2>,
            { ::typed_pool::__private::size_up_to_link::<Node<Vec<u8>, 2>>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Node<Vec<u8>, 2>>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Node<Vec<u8>, 2>,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Node<Vec<u8>, 2>,
                >(
                    <Node<Vec<u8>, 2> as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::usize::MAX,
                )
            },
        >>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < ::typed_pool::__private::FreeList < Node
            < Vec < u8 >, 2 > > >, < ::typed_pool::__private::LocalPool <
            ::typed_pool::__private::FreeList < Node < Vec < u8 >, 2 > > > > ::new(< Node
            < Vec < u8 >, 2 > as ::typed_pool::__private::Pooled > ::__CONFIG)
        )
    };
}
