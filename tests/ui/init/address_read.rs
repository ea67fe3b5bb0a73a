//! As `address_as_a_reference`: a field read through the address, in safe code.

use std::ptr::NonNull;

use typed_pool::init;

struct Link {
    value: u32,
    next: NonNull<Link>,
}

fn main() {
    let _ = init!(&this in Link { value: this.as_ref().value, next: this });
    let _ = init!(&this in Link { value: 1, next: (*this.as_ptr()).next });
}
