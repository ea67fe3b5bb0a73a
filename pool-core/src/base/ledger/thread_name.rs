//! What the system calls a thread.
//!
//! To ask the system takes longer than a thread's first object should. So an account has the number of its thread, and who
//! looks at the account asks. A thread that leaves something notes its name as it ends: later there is nobody to ask
//! about.
//!
//! std knows the whole name, but cannot be asked here: `thread::current` may allocate, and a heap that is a user of pools may be
//! the one that asks; and once a thread's locals are destroyed, it panics.

use core::ffi::c_int;
use core::num::NonZeroU32;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;

use crate::base::ledger::terms::ThreadName;

unsafe extern "C" {
    fn prctl(option: c_int, ...) -> c_int;
}

const PR_GET_NAME: c_int = 16;

/// The name of this thread, or its first 15 bytes.
pub(super) fn current() -> ThreadName {
    let mut name = ThreadName::default();
    // SAFETY: the call writes at most 16 bytes, with a zero at the end.
    unsafe { prctl(PR_GET_NAME, name.bytes.as_mut_ptr()) };
    name
}

/// The name of the thread that has this number now, if there is one. Does not call the heap.
pub(super) fn of(number: NonZeroU32) -> ThreadName {
    let mut path = Cursor::new([0; 48]);
    // There is room for any number.
    let _ = write!(path, "/proc/self/task/{number}/comm");
    let path = OsStr::from_bytes(&path.get_ref()[..path.position() as usize]);
    let mut name = ThreadName::default();
    let read = File::open(path).and_then(|mut file| file.read(&mut name.bytes));
    // The end of the line.
    if let Some(end) = read.unwrap_or(0).checked_sub(1) {
        name.bytes[end] = 0;
    }
    name
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::mpsc::channel;
    use std::thread;

    use super::{current, of};
    use crate::base::thread_number;

    #[test]
    fn a_thread_is_found_by_its_number() {
        let link = fs::read_link("/proc/thread-self").unwrap();
        let own = thread_number::current().unwrap();
        assert_eq!(link.file_name().unwrap(), &*own.to_string());
        let (tell, told) = channel();
        let (end, ended) = channel::<()>();
        let name = "sixteen letters.";
        let run = move || {
            tell.send((thread_number::current().unwrap(), current())).unwrap();
            ended.recv().unwrap_err();
        };
        let thread = thread::Builder::new().name(name.into()).spawn(run).unwrap();
        let (number, called) = told.recv().unwrap();
        assert_ne!(number, own);
        assert_eq!((&*called, of(number)), (&name[..15], called));
        drop(end);
        thread.join().unwrap();
    }
}
