//! Valgrind's client requests, by which a program that runs under Valgrind tells it about its memory.
//!
//! A request is a sequence of instructions without effect, which Valgrind recognises, and six words that say what is
//! meant. This is a copy of what `valgrind.h` and `memcheck.h` document for every client, so that the feature needs
//! neither these headers nor a C compiler. Outside of Valgrind a request costs half a dozen instructions.

use core::ptr;

// From `valgrind.h`, and from `memcheck.h`, whose numbers begin with its initials.
const CREATE_MEMPOOL: usize = 0x1303;
const DESTROY_MEMPOOL: usize = 0x1304;
const MEMPOOL_ALLOC: usize = 0x1305;
const MEMPOOL_FREE: usize = 0x1306;
const RESIZEINPLACE_BLOCK: usize = 0x130b;
const CHANGE_ERR_DISABLEMENT: usize = 0x1801;
pub(super) const MAKE_MEM_NOACCESS: usize = 0x4d43_0000;
pub(super) const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
pub(super) const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Whether Valgrind is told of memory.
pub(crate) const IS_ON: bool =
    cfg!(all(feature = "valgrind", any(target_arch = "x86_64", target_arch = "aarch64")));

/// A place in a block, whose address Valgrind must not find: a leaked slot to which a pointer leads counts as reachable.
#[derive(Clone, Copy)]
pub(crate) struct Hidden {
    /// The block; the place itself, if there is no Valgrind.
    at: *mut u8,
    offset: [usize; IS_ON as usize],
}

impl Hidden {
    #[inline(always)]
    pub(crate) fn new(block: *mut u8, offset: usize) -> Self {
        let at = if IS_ON { block } else { block.wrapping_add(offset) };
        Self { at, offset: [offset; IS_ON as usize] }
    }

    #[inline(always)]
    pub(crate) fn get(self) -> *mut u8 {
        if IS_ON { self.at.wrapping_add(self.offset.iter().sum()) } else { self.at }
    }
}

/// A number where an address could be.
const fn number(number: usize) -> *const u8 {
    ptr::without_provenance(number)
}

/// The request `code`, with up to five words.
#[inline(always)]
fn request<const WORDS: usize>(code: usize, words: [*const u8; WORDS]) {
    if !IS_ON {
        return;
    }
    let mut request = [number(0); 6];
    request[0] = number(code);
    request[1..=WORDS].copy_from_slice(&words);
    // SAFETY: the rotations of a register by 128 bits altogether and the exchange of one with itself
    // change nothing. Valgrind reads the six words, and answers in `rdx`.
    #[cfg(all(feature = "valgrind", target_arch = "x86_64"))]
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0_usize => _,
            options(nostack),
        );
    }
    // SAFETY: as above, with other registers, and an "or" of one with itself.
    #[cfg(all(feature = "valgrind", target_arch = "aarch64"))]
    unsafe {
        core::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") request.as_ptr(),
            inout("x3") 0_usize => _,
            options(nostack),
        );
    }
}

/// Marks bytes by one of the three requests for that.
#[inline(always)]
pub(super) fn mark(code: usize, start: *mut u8, bytes: usize) {
    if IS_ON {
        request(code, [start, number(bytes)]);
    }
}

/// A chunk, as a memory pool that is known by its address.
///
/// From here on Valgrind takes the block from the heap to be the header alone: otherwise it would name the whole chunk in
/// its reports, and search it for leaks.
#[inline(always)]
pub(crate) fn create(chunk: *mut u8, header: usize, bytes: usize) {
    resize(chunk, bytes, header);
    request(CREATE_MEMPOOL, [chunk, number(0), number(0)]);
}

/// The chunk is no memory pool any more, but a block of the heap.
#[inline(always)]
pub(crate) fn destroy(chunk: *mut u8, header: usize, bytes: usize) {
    request(DESTROY_MEMPOOL, [chunk]);
    resize(chunk, header, bytes);
}

/// Makes Valgrind believe that a block of the heap has another size.
///
/// Valgrind knows the blocks of the system's heap only, and must not complain about those of another allocator.
#[inline(always)]
fn resize(block: *mut u8, from: usize, to: usize) {
    request(CHANGE_ERR_DISABLEMENT, [number(1)]);
    request(RESIZEINPLACE_BLOCK, [block, number(from), number(to), number(0)]);
    request(CHANGE_ERR_DISABLEMENT, [number(usize::MAX)]);
}

/// The chunk, or the static, hands out a slot.
#[inline(always)]
pub(crate) fn hand_out(chunk: *const u8, slot: *mut u8, bytes: usize) {
    request(MEMPOOL_ALLOC, [chunk, slot, number(bytes)]);
}

/// It takes a slot back.
#[inline(always)]
pub(crate) fn take_back(chunk: *const u8, slot: *mut u8) {
    request(MEMPOOL_FREE, [chunk, slot]);
}

/// A static, as a memory pool. Told once, before its first slot is handed out.
#[inline(always)]
pub(crate) fn create_static(pool: *const u8) {
    request(CREATE_MEMPOOL, [pool, number(0), number(0)]);
}
