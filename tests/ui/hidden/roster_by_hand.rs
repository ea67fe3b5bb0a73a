//! Two static rosters with one borrow state

#![forbid(unsafe_code)]

use typed_pool::__private::{BorrowState, Config, SharedRoster};

std::thread_local! {
    static STATE: BorrowState = const { BorrowState::UNUSED };
}

static FIRST: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);
static SECOND: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);

fn main() {}
