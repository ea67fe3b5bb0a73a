#[automatically_derived]
impl ::typed_pool::__private::Pooled for Node<f32> {
    type __Storage = ::typed_pool::__private::InStatic<
        ::typed_pool::__private::Fixed<
            Self,
            {
                ::typed_pool::__private::slots_of_static(
                    <Node<f32> as ::typed_pool::__private::Pooled>::__CAPACITY,
                )
            },
        >,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Node<f32>,
            { ::typed_pool::__private::zero_or_link::<Node<f32>>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Node<f32>>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
            Node<f32>,
        >>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Node<f32>,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Node<f32>,
                >(
                    <Node<f32> as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::MOST_SLOTS,
                )
            },
        >>::check;
        ::typed_pool::__private::__static_slots!(
            ::typed_pool::__private::Fixed < Node < f32 >, {
            ::typed_pool::__private::slots_of_static(< Node < f32 > as
            ::typed_pool::__private::Pooled > ::__CAPACITY) } >
        )
    };
}
#[automatically_derived]
impl ::typed_pool::__private::Pooled for Node<f64> {
    type __Storage = ::typed_pool::__private::InStatic<
        ::typed_pool::__private::Fixed<
            Self,
            {
                ::typed_pool::__private::slots_of_static(
                    <Node<f64> as ::typed_pool::__private::Pooled>::__CAPACITY,
                )
            },
        >,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Node<f64>,
            { ::typed_pool::__private::zero_or_link::<Node<f64>>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Node<f64>>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
            Node<f64>,
        >>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Node<f64>,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Node<f64>,
                >(
                    <Node<f64> as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::MOST_SLOTS,
                )
            },
        >>::check;
        ::typed_pool::__private::__static_slots!(
            ::typed_pool::__private::Fixed < Node < f64 >, {
            ::typed_pool::__private::slots_of_static(< Node < f64 > as
            ::typed_pool::__private::Pooled > ::__CAPACITY) } >
        )
    };
}
