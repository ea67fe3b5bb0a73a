//! Tests of resident memory: memory that is used again, or brought in ahead of use by `prefault`; and of memory that may lie on
//! huge pages.

use typed_pool::{FreeList, LocalFrameStack, PointerStack, PoolBox, PoolBoxIn, Pooled, Roster};

type Object = [u64; 8];

const MANY: usize = 100_000;

/// Resident bytes of this process, without files, which the system loads and evicts as it likes. Counted page by page:
/// the sum in `status` lags behind by some pages per processor.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn resident() -> usize {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let of_maps = maps.lines().filter_map(|line| line.strip_prefix("Anonymous:"));
    let kibibytes = |of_map: &str| of_map.trim().trim_end_matches(" kB").parse::<usize>().unwrap();
    of_maps.map(kibibytes).sum::<usize>() * 1024
}

/// Whether the test has this process to itself. If not, runs it in one of its own: the figures are for the whole process,
/// what other tests have given back would be resident already, and Valgrind has memory of its own.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn is_alone(test: &str) -> bool {
    const ALONE: &str = "TYPED_POOL_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact"])
        .env(ALONE, "")
        // For glibc: large blocks are mapped afresh, even if one of that size has been given back.
        .env("MALLOC_MMAP_THRESHOLD_", "65536")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
#[cfg_attr(
    feature = "hardened",
    ignore = "all of it is filled when it is allocated, or nothing is reserved"
)]
fn what_was_reserved_is_resident_after_it_was_touched() {
    if !is_alone("what_was_reserved_is_resident_after_it_was_touched") {
        return;
    }
    /// `pool` touches what it has reserved.
    fn check(name: &str, reserve: impl FnOnce(), touch: impl FnOnce()) {
        let bytes = MANY * size_of::<Object>();
        let before = resident();
        reserve();
        let reserved = resident();
        touch();
        let touched = resident();
        let figures = format!("{name}: {before} bytes, then {reserved}, then {touched}");
        assert!(reserved < before + bytes / 2, "{figures}");
        // Up to half of it was there before, and other threads may end in between.
        assert!(touched >= reserved + bytes / 10 * 4, "{figures}");
    }

    #[derive(Pooled)]
    struct Local(#[expect(dead_code)] Object);
    check("thread-local", || Local::pool_reserve(MANY), Local::pool_prefault);

    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct Stacked(#[expect(dead_code)] Object);
    check("pointer stack", || Stacked::pool_reserve(MANY), Stacked::pool_prefault);

    #[derive(Pooled)]
    #[pool(static)]
    struct Shared(#[expect(dead_code)] Object);
    check("static", || Shared::pool_reserve(MANY), Shared::pool_prefault);

    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Listed(#[expect(dead_code)] Object);
    check("roster", || Listed::pool_reserve(MANY), Listed::pool_prefault);

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct SharedListed(#[expect(dead_code)] Object);
    check("static roster", || SharedListed::pool_reserve(MANY), SharedListed::pool_prefault);
}

/// Chunks double a pool, so the last of them is nearly untouched here; and where the heap puts newer ones below
/// older ones, its address is the lowest.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
#[cfg_attr(pool_asan, ignore = "the memory is the heap's, or the sanitizer has some of its own")]
fn a_pool_that_empties_goes_on_in_the_memory_that_it_has_used() {
    if !is_alone("a_pool_that_empties_goes_on_in_the_memory_that_it_has_used") {
        return;
    }
    const MANY: usize = 66_000;
    type Object = [u64; 16];

    /// `fill` makes `MANY` objects, calls its argument, and frees them.
    fn check(name: &str, fill: impl Fn(&mut dyn FnMut())) {
        let mut rounds = Vec::with_capacity(4);
        let before = resident();
        for _ in 0..4 {
            fill(&mut || rounds.push(resident().saturating_sub(before)));
        }
        let most = rounds.iter().max().copied().unwrap();
        // A static pool has the nodes of its batches from the second round on.
        let allowed = rounds[0] + MANY * size_of::<Object>() / 8;
        assert!(most <= allowed, "{name}: {rounds:?} bytes after {before}");
    }

    macro_rules! owned {
        ($Pool:ident) => {
            let pool = $Pool::<Object>::new();
            let mut boxes = Vec::with_capacity(MANY);
            boxes.resize_with(MANY, || None);
            let boxes = std::cell::RefCell::new(boxes);
            check(stringify!($Pool), |seen| {
                boxes.borrow_mut().iter_mut().for_each(|place| *place = Some(pool.alloc([1; 16])));
                seen();
                boxes.borrow_mut().iter_mut().for_each(|place| *place = None);
            });
        };
    }
    owned!(FreeList);
    owned!(PointerStack);

    macro_rules! derived {
        ($($pool:tt;)*) => {$({
            #[derive(Pooled)]
            #[pool $pool]
            struct Pooling(#[expect(dead_code)] Object);

            let mut boxes = Vec::new();
            boxes.resize_with(MANY, || None);
            let boxes = std::cell::RefCell::new(boxes);
            check(stringify!($pool), |seen| {
                let make = || Some(PoolBox::new(Pooling([1; 16])));
                boxes.borrow_mut().iter_mut().for_each(|place| *place = make());
                seen();
                boxes.borrow_mut().iter_mut().for_each(|place| *place = None);
            });
        })*};
    }
    derived! {
        (thread_local);
        (strategy = pointer_stack);
        (static);
        (static, strategy = free_list);
    }

    let roster = std::cell::RefCell::new(Roster::new());
    let handles = std::cell::RefCell::new(vec![None; MANY]);
    check("Roster", |seen| {
        let (mut roster, mut handles) = (roster.borrow_mut(), handles.borrow_mut());
        handles.iter_mut().for_each(|handle| *handle = Some(roster.insert([1_u64; 16])));
        seen();
        handles.iter().flatten().for_each(|&handle| _ = roster.remove(handle));
    });
}

/// Slots keep their generations when their memory goes back, and new memory is as new as the first.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
#[cfg_attr(
    feature = "hardened",
    ignore = "all of it is filled when it is allocated, or nothing is reserved"
)]
fn what_is_reserved_after_a_trim_is_resident_after_it_was_touched() {
    if !is_alone("what_is_reserved_after_a_trim_is_resident_after_it_was_touched") {
        return;
    }
    // A chunk that no allocator keeps for another use.
    const SLOTS: usize = 10 * MANY;
    for kept in [0, 1, 10] {
        let mut roster: Roster<Object> = (0..10).map(|n| [n; 8]).collect();
        roster.reserve(SLOTS);
        roster.extend((10..SLOTS as u64).map(|n| [n; 8]));
        roster.retain(|handle, _| handle.index() < kept);
        roster.shrink_to_fit();
        roster.reserve(SLOTS);
        let reserved = resident();
        roster.prefault();
        let touched = resident();
        let figures = format!("{kept} kept: {reserved} bytes, then {touched}");
        assert!(touched >= reserved + SLOTS * size_of::<Object>() / 10 * 9, "{figures}");
        assert!(roster.iter().all(|(handle, object)| *object == [handle.index() as u64; 8]));
        assert_eq!(roster.len(), kept);
    }
}

#[test]
#[cfg_attr(
    any(feature = "hardened", feature = "valgrind", pool_asan),
    ignore = "freed memory is filled, or must not be read"
)]
fn what_was_freed_is_not_written() {
    // There is a page in each of them.
    type Page = [u8; 8192];
    let pool = PointerStack::<Page>::with_capacity(10);
    let raw = [(); 5].map(|()| PoolBoxIn::into_raw(pool.alloc([0xa7; 8192])));
    // All are vacant, and then count as never used; some of them are taken again, and freed.
    for taken in [0, 1, 3] {
        if taken == 0 {
            // SAFETY: they came from this pool.
            raw.iter().for_each(|&raw| drop(unsafe { PoolBoxIn::from_raw_in(raw, &pool) }));
        }
        let kept = pool.vacant();
        drop([(); 3].map(|()| pool.vacant()).into_iter().take(taken).collect::<Vec<_>>());
        pool.prefault();
        drop(kept);
        pool.prefault();
        for raw in raw {
            // SAFETY: the memory is still the pool's, was written, and is not in use.
            let page = unsafe { raw.read_volatile() };
            assert!(page.iter().all(|&byte| byte == 0xa7));
        }
    }
}

#[test]
fn pools_without_memory_have_nothing_to_touch() {
    FreeList::<Object>::new().prefault();
    PointerStack::<Object>::bounded(10).prefault();
    Roster::<Object>::new().prefault();
    Roster::<()>::with_capacity(10).prefault();

    #[derive(Pooled)]
    #[pool(static, capacity = 8)]
    struct Fixed(#[expect(dead_code)] Object);
    Fixed::pool_prefault();
    assert_eq!(Fixed::pool_stats().live, 0);
}

/// Bytes in the chunk for each slot's mark.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const BESIDE: usize = if cfg!(feature = "hardened") { size_of::<u32>() } else { 0 };

/// Bytes elsewhere for each slot: its link with `hardened`.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
const LINK: usize = if cfg!(feature = "hardened") { size_of::<usize>() } else { 0 };

#[cfg(all(target_os = "linux", target_pointer_width = "64", feature = "huge-pages"))]
const HUGE: usize = 2 * 1024 * 1024;

/// Whether the system was advised to put the mapping around the address on huge pages.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn is_advised(address: usize) -> bool {
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut is_here = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let range = range.and_then(|(start, end)| {
            let [start, end] = [start, end].map(|bound| usize::from_str_radix(bound, 16).ok());
            Some(start?..end?)
        });
        match range {
            Some(range) => is_here = range.contains(&address),
            None if is_here && line.starts_with("VmFlags:") => return line.contains(" hg"),
            None => {}
        }
    }
    panic!("no mapping at {address:#x}");
}

/// Calls `check` with the addresses of the first objects of a large pool, a large roster, and a large frame stack.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn with_large_chunks(check: impl FnOnce([usize; 3])) {
    let list = FreeList::<Object>::with_capacity(MANY);
    let first = list.alloc([1; 8]);
    let mut roster = Roster::<Object>::with_capacity(MANY);
    let handle = roster.insert([2; 8]);
    let frame = LocalFrameStack::with_capacity(MANY * size_of::<Object>());
    let framed = frame.alloc([3_u64; 8]);
    check(
        [PoolBoxIn::as_ptr(&first), &raw const roster[handle], &raw const *framed]
            .map(|at| at.addr()),
    );
    list.prefault();
    drop(first);
    assert!(list.trim() >= MANY * size_of::<Object>());
    let last = (1..MANY).map(|_| roster.insert([3; 8])).last().unwrap();
    assert_eq!((roster[handle], roster[last]), ([2; 8], [3; 8]));
}

#[cfg(all(target_os = "linux", target_pointer_width = "64", feature = "huge-pages"))]
#[test]
fn large_chunks_are_on_pages_that_may_be_huge() {
    if !is_alone("large_chunks_are_on_pages_that_may_be_huge") {
        return;
    }
    with_large_chunks(|objects| {
        let header = 4096 + MANY * BESIDE;
        for object in objects {
            assert!(object % HUGE < header, "a chunk begins on a huge page: {}", object % HUGE);
            assert!(is_advised(object));
        }
    });

    let small = FreeList::<Object>::with_capacity(100);
    let object = small.alloc([4; 8]);
    assert!(small.stats().bytes < 10_000);
    assert_eq!(*object, [4; 8]);

    // What would leave less than a quarter of a huge page takes all of it: 32,000 objects are 0.98 of one, 60,000 are 1.83,
    // and 40,000 are 1.22.
    let as_large = |objects: usize| objects * size_of::<Object>() / (size_of::<Object>() + BESIDE);
    for (objects, pages) in [(as_large(32_000), 1), (as_large(60_000), 2)] {
        let pool = FreeList::<Object>::with_capacity(objects);
        let bytes = pages * HUGE..=pages * HUGE + LINK * objects;
        assert!(bytes.contains(&pool.stats().bytes), "{}", pool.stats());
        let object = pool.alloc([5; 8]);
        assert!(is_advised(PoolBoxIn::as_ptr(&object).addr() + (pages - 1) * HUGE));
    }
    let pool = FreeList::<Object>::with_capacity(as_large(40_000));
    assert!(pool.stats().bytes < 40_000 * (size_of::<Object>() + LINK) + 10_000);
}

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(feature = "huge-pages")))]
#[test]
fn without_the_feature_there_are_no_huge_pages() {
    if !is_alone("without_the_feature_there_are_no_huge_pages") {
        return;
    }
    with_large_chunks(|objects| assert!(!objects.into_iter().any(is_advised)));
    let pool = FreeList::<Object>::with_capacity(32_000);
    assert!(
        pool.stats().bytes < 32_000 * (size_of::<Object>() + BESIDE + LINK) + 10_000,
        "{}",
        pool.stats()
    );
}
