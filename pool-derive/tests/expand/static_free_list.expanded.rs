const _: () = {
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    #[automatically_derived]
    unsafe impl ::typed_pool::__private::Pooled for Node<f32> {
        type __Storage = ::typed_pool::__private::FixedList<
            Self,
            { ::typed_pool::__private::slots_of_static(__CAPACITY) },
        >;
        const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
            .capacity(__CAPACITY);
        #[inline]
        fn __storage() -> &'static Self::__Storage {
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
                Node<f32>,
                { ::typed_pool::__private::zero_or_link::<Node<f32>>() },
            >>::Outcome as ::typed_pool::__private::HasSizeInStatic<Node<f32>>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
                Node<f32>,
            >>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::CompareAndSwap<
                Node<f32>,
            >>::check;
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::WithinAddressSpace<
                Node<f32>,
                { ::typed_pool::__private::slots_out_of_range::<Node<f32>>(__CAPACITY) },
            >>::Outcome as ::typed_pool::__private::SomeSlots<Node<f32>>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::WithinStaticRange<
                Node<f32>,
                { ::typed_pool::__private::slots_over_most::<Node<f32>>(__CAPACITY) },
            >>::check;
            static __POOL: <Node<f32> as ::typed_pool::__private::Pooled>::__Storage = ::typed_pool::__private::Fixed::EMPTY;
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
const _: () = {
    const __CAPACITY: ::typed_pool::__private::usize = 64;
    #[automatically_derived]
    unsafe impl ::typed_pool::__private::Pooled for Node<f64> {
        type __Storage = ::typed_pool::__private::FixedList<
            Self,
            { ::typed_pool::__private::slots_of_static(__CAPACITY) },
        >;
        const __CONFIG: ::typed_pool::__private::Config = ::typed_pool::__private::Config::new()
            .capacity(__CAPACITY);
        #[inline]
        fn __storage() -> &'static Self::__Storage {
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
                Node<f64>,
                { ::typed_pool::__private::zero_or_link::<Node<f64>>() },
            >>::Outcome as ::typed_pool::__private::HasSizeInStatic<Node<f64>>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::StaticElement<
                Node<f64>,
            >>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::CompareAndSwap<
                Node<f64>,
            >>::check;
            let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::WithinAddressSpace<
                Node<f64>,
                { ::typed_pool::__private::slots_out_of_range::<Node<f64>>(__CAPACITY) },
            >>::Outcome as ::typed_pool::__private::SomeSlots<Node<f64>>>::check;
            let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::WithinStaticRange<
                Node<f64>,
                { ::typed_pool::__private::slots_over_most::<Node<f64>>(__CAPACITY) },
            >>::check;
            static __POOL: <Node<f64> as ::typed_pool::__private::Pooled>::__Storage = ::typed_pool::__private::Fixed::EMPTY;
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
