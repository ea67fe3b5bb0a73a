//! A closure that is called once, called twice
//!
//! Fix: `any::Box<dyn FnMut()>`, which can be called again.

use typed_pool::any::BoxFnOnce;

fn main() {
    let job: BoxFnOnce<()> = BoxFnOnce::new(|| println!("done"));
    job.call(());
    job.call(());
}
