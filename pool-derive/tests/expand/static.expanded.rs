#[automatically_derived]
impl ::typed_pool::__private::Pooled for Bullet {
    type __Storage = ::typed_pool::__private::InStatic<
        ::typed_pool::__private::Fixed<
            Self,
            {
                ::typed_pool::__private::slots_of_static(
                    <Bullet as ::typed_pool::__private::Pooled>::__CAPACITY,
                )
            },
        >,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = limits::BULLETS;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY)
        .name("bullets");
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Bullet,
            { ::typed_pool::__private::zero_or_link::<Bullet>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Bullet>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
            Bullet,
        >>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Bullet,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Bullet,
                >(
                    <Bullet as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::MOST_SLOTS,
                )
            },
        >>::check;
        ::typed_pool::__private::__static_slots!(
            ::typed_pool::__private::Fixed < Bullet, {
            ::typed_pool::__private::slots_of_static(< Bullet as
            ::typed_pool::__private::Pooled > ::__CAPACITY) } >
        )
    };
}
