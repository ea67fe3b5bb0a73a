#[automatically_derived]
impl ::typed_pool::__private::Pooled for Texture {
    type __Storage = ::typed_pool::__private::InStatic<
        ::typed_pool::__private::Fixed<
            ::typed_pool::__private::WithCounts<Self>,
            {
                ::typed_pool::__private::slots_of_static(
                    <Texture as ::typed_pool::__private::Pooled>::__CAPACITY,
                )
            },
        >,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Texture,
            { ::typed_pool::__private::zero_or_link::<Texture>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Texture>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
            Texture,
        >>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Texture,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    ::typed_pool::__private::WithCounts<Texture>,
                >(
                    <Texture as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::MOST_SLOTS,
                )
            },
        >>::check;
        ::typed_pool::__private::__static_slots!(
            ::typed_pool::__private::Fixed < ::typed_pool::__private::WithCounts <
            Texture >, { ::typed_pool::__private::slots_of_static(< Texture as
            ::typed_pool::__private::Pooled > ::__CAPACITY) } >
        )
    };
}
