#[automatically_derived]
unsafe impl ::typed_pool::__private::Pooled for Bullet {
    type __Storage = ::typed_pool::__private::LocalKey<
        ::typed_pool::__private::Local<::typed_pool::__private::FreeList<Self>>,
    >;
    #[inline]
    fn __storage() -> &'static Self::__Storage {
        #[allow(unused_braces, unused_parens)]
        const __CHUNK: ::typed_pool::__private::usize = { 64 };
        const __MAX: ::typed_pool::__private::usize = 1024;
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Bullet,
            { ::typed_pool::__private::size_up_to_link::<Bullet>() },
        >>::Outcome as ::typed_pool::__private::NotZeroSized<Bullet>>::check;
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::WithinAddressSpace<
            Bullet,
            { ::typed_pool::__private::slots_out_of_range::<Bullet>(__CHUNK) },
        >>::Outcome as ::typed_pool::__private::SomeSlots<Bullet>>::check;
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::WithinAddressSpace<
            Bullet,
            { ::typed_pool::__private::slots_out_of_range::<Bullet>(__MAX) },
        >>::Outcome as ::typed_pool::__private::SomeSlots<Bullet>>::check;
        let _ = <::typed_pool::__private::Checked as ::typed_pool::__private::ChunkWithinMax<
            Bullet,
            { ::typed_pool::__private::chunk_over_max(__CHUNK, __MAX) },
            { __MAX },
        >>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::Local < ::typed_pool::__private::FreeList < Bullet >
            >, < ::typed_pool::__private::Local < ::typed_pool::__private::FreeList <
            Bullet > > > ::new(::typed_pool::__private::Config::new().chunk(__CHUNK)
            .max(__MAX))
        )
    }
}
