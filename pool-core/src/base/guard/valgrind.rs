//! Valgrind's client requests, by which a program that runs under Valgrind tells it about its memory.
//!
//! A request is a sequence of instructions without effect, which Valgrind recognises, and six words that say what is
//! meant. This is a copy of what `valgrind.h` and `memcheck.h` document for every client, so that the feature needs
//! neither these headers nor a C compiler. Outside of Valgrind a request costs half a dozen instructions.

use core::arch::asm;
use core::ptr;

use crate::base::guard::once::Once;

// From `valgrind.h`, and from `memcheck.h`, whose numbers begin with its initials.
const CREATE_MEMPOOL: usize = 0x1303;
const DESTROY_MEMPOOL: usize = 0x1304;
const MEMPOOL_ALLOC: usize = 0x1305;
const MEMPOOL_FREE: usize = 0x1306;
const MEMPOOL_TRIM: usize = 0x1307;
const RESIZEINPLACE_BLOCK: usize = 0x130b;
const CHANGE_ERR_DISABLEMENT: usize = 0x1801;
const MAKE_MEM_NOACCESS: usize = 0x4d43_0000;
const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

/// Whether Valgrind is told of memory.
pub(crate) const IS_ON: bool = true;

/// Bytes between a chunk's header and its slots: what lies within 16 bytes of a live block is reported as that block's.
pub(crate) const RED_ZONE: usize = 32;

/// A place in a block, whose address Valgrind must not find: a leaked slot to which a pointer leads counts as reachable.
#[derive(Clone, Copy)]
pub(crate) struct Hidden {
    block: *mut u8,
    offset: usize,
}

impl Hidden {
    pub(crate) fn new(block: *mut u8, offset: usize) -> Self {
        Self { block, offset }
    }

    pub(crate) fn get(self) -> *mut u8 {
        self.block.wrapping_add(self.offset)
    }
}

/// A number where an address could be.
const fn number(number: usize) -> *const u8 {
    ptr::without_provenance(number)
}

/// The request `code`, with up to five words.
#[inline(always)]
fn request<const WORDS: usize>(code: usize, words: [*const u8; WORDS]) {
    let mut request = [number(0); 6];
    request[0] = number(code);
    request[1..=WORDS].copy_from_slice(&words);
    // SAFETY: the rotations of a register by 128 bits altogether and the exchange of one with itself
    // change nothing. Valgrind reads the six words, and answers in `rdx`.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
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
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
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

/// These bytes may not be used.
#[inline(always)]
pub(super) fn forbid(start: *mut u8, bytes: usize) {
    request(MAKE_MEM_NOACCESS, [start, number(bytes)]);
}

/// These bytes may be written, and then read.
#[inline(always)]
pub(super) fn allow(start: *mut u8, bytes: usize) {
    request(MAKE_MEM_UNDEFINED, [start, number(bytes)]);
}

/// These bytes may be read.
#[inline(always)]
pub(super) fn reveal(start: *mut u8, bytes: usize) {
    request(MAKE_MEM_DEFINED, [start, number(bytes)]);
}

/// A chunk, as a memory pool that is known by its address.
///
/// From here on Valgrind takes the block from the heap to be the header alone: otherwise it would name the whole chunk in
/// its reports, and search it for leaks.
pub(crate) fn create(chunk: *mut u8, header: usize, bytes: usize) {
    resize(chunk, bytes, header);
    request(CREATE_MEMPOOL, [chunk, number(0), number(0)]);
}

/// The chunk is no memory pool any more, but a block of the heap.
pub(crate) fn destroy(chunk: *mut u8, header: usize, bytes: usize) {
    request(DESTROY_MEMPOOL, [chunk]);
    resize(chunk, header, bytes);
}

/// Makes Valgrind believe that a block of the heap has another size.
///
/// It knows the blocks of the system's heap only, and must not complain about those of another allocator.
fn resize(block: *mut u8, from: usize, to: usize) {
    request(CHANGE_ERR_DISABLEMENT, [number(1)]);
    request(RESIZEINPLACE_BLOCK, [block, number(from), number(to), number(0)]);
    request(CHANGE_ERR_DISABLEMENT, [number(usize::MAX)]);
}

/// All slots of the chunk are taken back.
pub(crate) fn empty(chunk: *const u8, header: usize) {
    request(MEMPOOL_TRIM, [chunk, chunk, number(header)]);
}

/// The chunk hands out a slot.
pub(crate) fn hand_out(chunk: *const u8, slot: *mut u8, bytes: usize) {
    request(MEMPOOL_ALLOC, [chunk, slot, number(bytes)]);
}

/// The chunk takes a slot back.
pub(crate) fn take_back(chunk: *const u8, slot: *mut u8) {
    request(MEMPOOL_FREE, [chunk, slot]);
}

/// A slot that lies in a static is handed out.
pub(crate) fn hand_out_static(slot: *mut u8, bytes: usize) {
    hand_out(of_statics(), slot, bytes);
}

/// A slot that lies in a static is taken back.
pub(crate) fn take_static_back(slot: *mut u8) {
    take_back(of_statics(), slot);
}

/// The memory pool of all slots that lie in statics. Created by the first of them.
fn of_statics() -> *const u8 {
    static CREATED: Once = Once::new();

    let pool = (&raw const CREATED).cast();
    CREATED.call(|| request(CREATE_MEMPOOL, [pool, number(0), number(0)]));
    pool
}
