#[automatically_derived]
impl ::typed_pool::__private::Pooled for Bullet {
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<Self, ::typed_pool::__private::InFreeList>,
    >;
    const __POOL: Self::__Storage = {
        let _ = <<::typed_pool::__private::Checked as ::typed_pool::__private::HoldsLink<
            Bullet,
            { ::typed_pool::__private::size_up_to_link::<Bullet>() },
        >>::Outcome as ::typed_pool::__private::HasSize<Bullet>>::check;
        ::typed_pool::__private::__thread_local!(
            ::typed_pool::__private::LocalPool < Bullet,
            ::typed_pool::__private::InFreeList >, < ::typed_pool::__private::LocalPool <
            Bullet, ::typed_pool::__private::InFreeList > > ::EMPTY
        )
    };
}
