//! Containers by the allocators of `allocator-api2`.

use std::alloc::Layout;

use allocator_api2::alloc::Allocator;
use allocator_api2::vec::Vec as PoolVec;
use typed_pool::ByLayout;

#[test]
fn containers_have_no_lifetime_and_no_size_more() {
    fn made() -> PoolVec<u8, ByLayout> {
        let mut bytes = PoolVec::new_in(ByLayout);
        bytes.extend(0..100);
        bytes
    }
    assert_eq!((made()[99], size_of_val(&made())), (99, 3 * size_of::<usize>()));
}

#[test]
fn a_block_grows_and_shrinks_in_its_slot() {
    let of = |size| Layout::from_size_align(size, 8).unwrap();
    let block = ByLayout.allocate(of(130)).unwrap();
    assert_eq!(block.len(), 160);
    // SAFETY: the block came from there, with that layout.
    let grown = unsafe { ByLayout.grow(block.cast(), of(130), of(160)) }.unwrap();
    // SAFETY: the same.
    let shrunk = unsafe { ByLayout.shrink(grown.cast(), of(160), of(129)) }.unwrap();
    assert_eq!((grown, shrunk), (block, block));
    // SAFETY: the same.
    let moved = unsafe { ByLayout.grow(shrunk.cast(), of(129), of(161)) }.unwrap();
    assert!(moved.addr() != block.addr() && moved.len() == 192);
    // SAFETY: the same. A layout between what was asked for and what there is frees it.
    unsafe { ByLayout.deallocate(moved.cast(), of(180)) };
    assert!(ByLayout::stats().all(|pool| pool.live == 0));
}
