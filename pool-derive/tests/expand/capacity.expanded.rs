#[automatically_derived]
impl ::typed_pool::__private::Pooled for Bullet {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<Self, ::typed_pool::__private::InFreeList>,
    >;
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
        .capacity(<Self as ::typed_pool::__private::Pooled>::__CAPACITY);
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Bullet,
            { ::typed_pool::__private::size_up_to_link::<Bullet>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Bullet>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::SlotsInRange<
            Bullet,
            {
                ::typed_pool::__private::slots_out_of_range::<
                    Bullet,
                >(
                    <Bullet as ::typed_pool::__private::Pooled>::__CAPACITY,
                    ::typed_pool::__private::usize::MAX,
                )
            },
        >>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < Bullet,
            ::typed_pool::__private::InFreeList >, < ::typed_pool::__private::LocalPool <
            Bullet, ::typed_pool::__private::InFreeList > > ::new(< Bullet as
            ::typed_pool::__private::Pooled > ::__CONFIG)
        )
    };
}
