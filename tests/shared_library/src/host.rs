//! Loads the plug-in, lets threads use it, and unloads it: nothing may be left of it.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Barrier;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::thread;

/// The same in `lib.rs`.
#[repr(C)]
#[derive(Debug)]
struct Counts {
    bytes: AtomicIsize,
    elements: AtomicIsize,
}

static COUNTS: Counts = Counts { bytes: AtomicIsize::new(0), elements: AtomicIsize::new(0) };

impl Counts {
    fn elements(&self) -> isize {
        self.elements.load(Ordering::Relaxed)
    }

    /// Returns the bytes lost since the last call.
    fn lost(&self) -> isize {
        self.bytes.swap(0, Ordering::Relaxed)
    }
}

unsafe extern "C" {
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlclose(library: *mut c_void) -> c_int;
}

const RTLD_NOW: c_int = 2;
/// To ask whether it is loaded.
const RTLD_NOLOAD: c_int = 4;

/// The plug-in, beside this program.
fn path() -> CString {
    let library = env::current_exe().expect("a program").with_file_name("libplugin.so");
    CString::new(library.as_os_str().as_bytes()).expect("a path")
}

/// The plug-in while it is loaded.
struct Plugin(*mut c_void);

// SAFETY: the functions of a library may be called in any thread.
unsafe impl Send for Plugin {}
// SAFETY: the same.
unsafe impl Sync for Plugin {}

impl Plugin {
    fn load() -> Self {
        // SAFETY: the path ends with a zero.
        let library = unsafe { dlopen(path().as_ptr(), RTLD_NOW) };
        assert!(!library.is_null(), "the plug-in is beside the program");
        let plugin = Self(library);
        let count_in = plugin.function(c"count_in");
        // SAFETY: that is its type.
        let count_in = unsafe {
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const Counts)>(count_in)
        };
        // SAFETY: a static, which stays.
        unsafe { count_in(&raw const COUNTS) };
        plugin
    }

    fn function(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the library is loaded, and the name ends with a zero.
        let function = unsafe { dlsym(self.0, name.as_ptr()) };
        assert!(!function.is_null(), "the plug-in has {name:?}");
        function
    }

    fn work(&self) {
        // SAFETY: that is its type.
        let work = unsafe {
            std::mem::transmute::<*mut c_void, extern "C" fn() -> u64>(self.function(c"work"))
        };
        let below = |n: u64| n * (n - 1) / 2;
        assert!(work() >= 2 * below(3000) + 4 * below(1000));
    }

    fn shut_down(&self) -> usize {
        let shut_down = self.function(c"shut_down");
        // SAFETY: that is its type.
        let shut_down =
            unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> usize>(shut_down) };
        shut_down()
    }

    fn unload(&self) {
        // SAFETY: it was loaded.
        assert_eq!(unsafe { dlclose(self.0) }, 0);
    }
}

/// Whether the plug-in is in this process, loaded or not.
fn is_here() -> bool {
    // SAFETY: the path ends with a zero.
    let library = unsafe { dlopen(path().as_ptr(), RTLD_NOW | RTLD_NOLOAD) };
    // SAFETY: it was loaded.
    !library.is_null() && unsafe { dlclose(library) } == 0
}

/// Runs `f` in `count` other threads, to their ends. (A scope alone does not wait for the destructors of thread-locals.)
fn in_threads(count: usize, f: impl Fn() + Sync) {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(&f)).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
}

/// Threads end before the plug-in is unloaded.
fn threads_that_end(rounds: usize) {
    for round in 0..rounds {
        let plugin = Plugin::load();
        for _ in 0..2 {
            in_threads(4, || plugin.work());
        }
        in_threads(1, || assert!(plugin.shut_down() > 0));
        plugin.unload();
        assert!(!is_here(), "round {round}");
        assert_eq!((COUNTS.elements(), COUNTS.lost()), (0, 0), "round {round}");
    }
}

/// So many pools at a time that the plug-in needs a table for the list of them, which stays.
fn many_threads() {
    let plugin = Plugin::load();
    let worked = Barrier::new(20);
    in_threads(20, || {
        plugin.work();
        worked.wait();
    });
    in_threads(1, || _ = plugin.shut_down());
    plugin.unload();
    assert!(!is_here());
    assert_eq!(COUNTS.elements(), 0);
    let lost = COUNTS.lost();
    println!("lost with 20 threads: {lost} bytes");
    assert!((0..=64 * 1024).contains(&lost), "{lost} bytes");
}

/// Threads live on while the plug-in is unloaded: it stays as long as they do.
fn threads_that_live_on() {
    for _ in 0..3 {
        let plugin = Plugin::load();
        let (worked, unloaded) = (Barrier::new(5), Barrier::new(5));
        thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        plugin.work();
                        worked.wait();
                        unloaded.wait();
                    })
                })
                .collect();
            worked.wait();
            in_threads(1, || _ = plugin.shut_down());
            plugin.unload();
            assert!(is_here(), "threads will call its destructors");
            unloaded.wait();
            workers.into_iter().for_each(|worker| worker.join().expect("no panic"));
        });
        assert_eq!(COUNTS.elements(), 0);
        // What the threads had is in the static pools now.
        let again = Plugin::load();
        in_threads(1, || _ = again.shut_down());
        again.unload();
        assert!(!is_here());
        assert_eq!(COUNTS.lost(), 0);
    }
}

/// The main thread uses it, too, and so keeps it to the end of the program.
fn the_main_thread() {
    for _ in 0..3 {
        let plugin = Plugin::load();
        plugin.work();
        in_threads(1, || plugin.work());
        plugin.shut_down();
        plugin.unload();
        assert!(is_here(), "the main thread will call its destructors");
    }
}

/// The plug-in is linked so that it stays, and is found again with its pools.
fn never_unloaded() {
    for round in 0..5 {
        let plugin = Plugin::load();
        in_threads(1, || plugin.work());
        plugin.unload();
        assert!(is_here());
        let more = COUNTS.lost();
        assert_eq!((COUNTS.elements(), more == 0), (0, round > 0), "round {round}: {more} bytes");
    }
}

fn main() {
    if env::args().any(|argument| argument == "--stays") {
        never_unloaded();
        return println!("passed");
    }
    threads_that_end(5);
    many_threads();
    threads_that_end(2);
    threads_that_live_on();
    the_main_thread();
    println!("passed");
}
