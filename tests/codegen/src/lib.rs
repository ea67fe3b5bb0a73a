//! Pairs of functions, one with `init!` and one by hand, which `tests/codegen.rs` compares.
#![cfg_attr(not(feature = "pools"), no_std)]

use pool_core::{Init, init, try_init};

#[cfg(feature = "pools")]
pub mod pools;

pub struct Big {
    id: u64,
    cells: [u8; 65_536],
    tail: [u32; 4096],
    pair: Pair,
}

pub struct Pair(u32, [u32; 1024]);

fn big(id: u64) -> impl Init<Big> {
    init!(Big {
        id,
        cells <- init::zeroed(),
        tail <- init::from_fn(|i| i as u32),
        pair <- init!(Pair { 0: 1, 1 <- init::zeroed() }),
    })
}

/// # Safety
///
/// `place` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe fn arrays(place: *mut Big, id: u64) {
    let Ok(()) = unsafe { big(id).init(place) };
}

#[derive(Clone, Copy)]
pub struct Vector(f32, f32, f32);

pub struct Body {
    position: Vector,
    velocity: Vector,
    mass: f32,
    links: [u32; 8],
    owner: Option<u32>,
    flags: u8,
}

/// # Safety
///
/// `place` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe fn body_by_init(place: *mut Body, at: &Vector, mass: f32) {
    let Ok(()) = unsafe {
        init!(Body {
            position: *at,
            velocity <- init!(Vector { 0: 0.0, 1: 1.0, 2: 0.0 }),
            mass,
            links <- init::zeroed(),
            owner: None,
            flags <- init::value(3),
        })
        .init(place)
    };
}

/// # Safety
///
/// `place` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe fn body_by_hand(place: *mut Body, at: &Vector, mass: f32) {
    unsafe {
        (&raw mut (*place).position).write(*at);
        (&raw mut (*place).velocity.0).write(0.0);
        (&raw mut (*place).velocity.1).write(1.0);
        (&raw mut (*place).velocity.2).write(0.0);
        (&raw mut (*place).mass).write(mass);
        (&raw mut (*place).links).write_bytes(0, 1);
        (&raw mut (*place).owner).write(None);
        (&raw mut (*place).flags).write(3);
    }
}

unsafe extern "Rust" {
    safe fn may_unwind(n: u32) -> Option<u32>;
}

pub struct Checked {
    first: u32,
    second: u32,
    last: [u64; 4],
}

/// Fields without a destructor, among calls that may fail and may unwind.
///
/// # Safety
///
/// `place` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe fn checked_by_init(place: *mut Checked, n: u32) -> Result<(), u32> {
    unsafe {
        try_init!(Checked {
            first: may_unwind(n).ok_or(1_u32)?,
            second <- init::try_with(|| may_unwind(n).ok_or(2_u32)),
            last <- init::from_fn(|i| i as u64),
        } ? u32)
        .init(place)
    }
}

/// # Safety
///
/// `place` is valid for writes.
#[unsafe(no_mangle)]
pub unsafe fn checked_by_hand(place: *mut Checked, n: u32) -> Result<(), u32> {
    unsafe {
        let Some(first) = may_unwind(n) else { return Err(1) };
        (&raw mut (*place).first).write(first);
        let Some(second) = may_unwind(n) else { return Err(2) };
        (&raw mut (*place).second).write(second);
        (&raw mut (*place).last[0]).write(0);
        (&raw mut (*place).last[1]).write(1);
        (&raw mut (*place).last[2]).write(2);
        (&raw mut (*place).last[3]).write(3);
        Ok(())
    }
}
