//! Two static rosters with one note of who reads
//!
//! Fix: write `#[pool(static, strategy = roster)]`. The note says that a thread has the lock already, so each
//! roster has its own.

#![forbid(unsafe_code)]

use typed_pool::__private::{BorrowState, Config, SharedRoster};

std::thread_local! {
    static STATE: BorrowState = const { BorrowState::UNUSED };
}

static FIRST: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);
static SECOND: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);

fn main() {}
