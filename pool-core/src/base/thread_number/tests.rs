use std::fs;
use std::sync::mpsc::channel;
use std::thread;

use super::{current, current_name, name_of};
use crate::base::ledger::ThreadName;

#[test]
fn a_thread_is_found_by_its_number() {
    let link = fs::read_link("/proc/thread-self").unwrap();
    let own = current().unwrap();
    assert_eq!(link.file_name().unwrap(), &*own.to_string());
    let (tell, told) = channel();
    let (end, ended) = channel::<()>();
    let name = "sixteen letters.";
    let run = move || {
        tell.send((current().unwrap(), current_name())).unwrap();
        ended.recv().unwrap_err();
    };
    let thread = thread::Builder::new().name(name.into()).spawn(run).unwrap();
    let (number, called) = told.recv().unwrap();
    assert_ne!(number, own);
    assert_eq!((&*ThreadName { bytes: called }, name_of(number)), (&name[..15], called));
    drop(end);
    thread.join().unwrap();
}
