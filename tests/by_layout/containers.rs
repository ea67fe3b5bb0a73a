//! Containers by the allocators of `allocator-api2`.

use std::alloc::Layout;

use allocator_api2::alloc::Allocator;
use allocator_api2::vec::Vec as PoolVec;
use typed_pool::ByLayout;

#[test]
fn containers_have_no_lifetime_and_no_size_more() {
    fn made() -> PoolVec<String, ByLayout> {
        let mut names = PoolVec::new_in(ByLayout);
        names.extend((0..500).map(|n: u32| n.to_string()));
        names
    }
    let names = made();
    assert_eq!((names.len(), &*names[499]), (500, "499"));
    assert_eq!(size_of::<PoolVec<u8, ByLayout>>(), 3 * size_of::<usize>());
    drop(names);
    assert!(ByLayout::stats().all(|pool| pool.live == 0));
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
