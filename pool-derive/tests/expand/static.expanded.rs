const _: () = {
    const __CAPACITY: ::typed_pool::__private::usize = limits::BULLETS;
    #[automatically_derived]
    unsafe impl ::typed_pool::__private::Pooled for Bullet {
        type __Storage = ::typed_pool::__private::FixedStack<
            Self,
            { ::typed_pool::__private::slots_of_static(__CAPACITY) },
        >;
        const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
            .capacity(__CAPACITY)
            .name("bullets");
        #[inline]
        fn __storage() -> &'static Self::__Storage {
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
                Bullet,
                { ::typed_pool::__private::zero_or_link::<Bullet>() },
            >>::Outcome as ::typed_pool::__private::HasSizeInStatic<Bullet>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
                Bullet,
            >>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::CompareAndSwap<
                Bullet,
            >>::check;
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::WithinAddressSpace<
                Bullet,
                { ::typed_pool::__private::slots_out_of_range::<Bullet>(__CAPACITY) },
            >>::Outcome as ::typed_pool::__private::SomeSlots<Bullet>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::WithinStaticRange<
                Bullet,
                { ::typed_pool::__private::slots_over_most::<Bullet>(__CAPACITY) },
            >>::check;
            static __POOL: <Bullet as ::typed_pool::__private::Pooled>::__Storage = ::typed_pool::__private::Fixed::EMPTY;
            &__POOL
        }
        #[inline]
        fn __counts() -> &'static [::typed_pool::__private::Room] {
            static __COUNTS: [::typed_pool::__private::Room; {
                ::typed_pool::__private::slots_of_static(__CAPACITY)
            }] = [::typed_pool::__private::Room::VACANT; {
                ::typed_pool::__private::slots_of_static(__CAPACITY)
            }];
            &__COUNTS
        }
    }
};
