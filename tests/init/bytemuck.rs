//! With the feature `bytemuck`, `init::zeroed` builds every type that is `bytemuck::Zeroable`.

#![cfg(feature = "bytemuck")]

use typed_pool::{FreeList, Init, init};

struct Vertex {
    position: [f32; 3],
    color: u32,
}

// SAFETY: both fields are numbers.
unsafe impl bytemuck::Zeroable for Vertex {}

struct Mesh {
    name: String,
    vertices: [Vertex; 1000],
}

#[derive(typed_pool::Zeroable)]
struct Grid {
    vertices: [Vertex; 4],
    scale: f32,
}

#[test]
fn what_bytemuck_can_zero_is_zeroed() {
    let pool = FreeList::new();
    let Ok(mesh) = pool.init(init!(Mesh { name: "cube".into(), vertices <- init::zeroed() }));
    assert_eq!(
        (&*mesh.name, mesh.vertices[999].position, mesh.vertices[0].color),
        ("cube", [0.0; 3], 0)
    );
}

#[test]
fn and_so_is_what_consists_of_it() {
    let pool = FreeList::new();
    let Ok(grid) = pool.init(init!(Grid { scale: 2.0, ..init::zeroed() }));
    assert_eq!((grid.vertices[3].color, grid.scale), (0, 2.0));
}

/// What is `Zeroable` without the feature is so with it.
#[test]
fn no_type_is_lost() {
    use std::cell::{Cell, UnsafeCell};
    use std::marker::{PhantomData, PhantomPinned};
    use std::mem::{ManuallyDrop, MaybeUninit};
    use std::num::{NonZero, Wrapping};
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64};

    fn is_zeroable<T: init::Zeroable>() -> impl Init<T> {
        init::zeroed()
    }
    drop(is_zeroable::<(u8, i16, u32, i64, u128, usize, f32, (f64, bool, char, ()))>());
    drop(is_zeroable::<(PhantomPinned, PhantomData<str>, *const String, *mut String)>());
    drop(is_zeroable::<[(MaybeUninit<String>, ManuallyDrop<u8>, Wrapping<u8>); 1001]>());
    drop(is_zeroable::<(Cell<u8>, UnsafeCell<u8>, AtomicBool, AtomicU64, AtomicPtr<String>)>());
    drop(is_zeroable::<(Option<&u8>, Option<&mut u8>, Option<NonNull<u8>>, Option<Box<u8>>)>());
    drop(is_zeroable::<(Option<NonZero<u8>>, Option<NonZero<i128>>, Option<NonZero<usize>>)>());
}
