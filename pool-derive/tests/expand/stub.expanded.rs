#[automatically_derived]
impl<'a, T: Clone + 'a, const N: usize> ::typed_pool::__private::Pooled
for Node<'a, T, { N }>
where
    Self: ::typed_pool::__private::Mistaken<
        {
            compile_error! {
                "the pool of `Node` outlives every borrow, so `Node` cannot hold one: own the data instead of `'a`, or allocate from a `FreeList<Node<'_>>` that you own"
            }
            compile_error! {
                "unknown key `capcity`; did you mean `capacity`?"
            }
            compile_error! {
                "`chunk` needs a value: write `chunk = 64`"
            }
        },
    >,
{
    type __Storage = ::typed_pool::__private::InThread<
        ::typed_pool::__private::LocalPool<Self, ::typed_pool::__private::InFreeList>,
    >;
}
