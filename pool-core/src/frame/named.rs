//! Frame stacks with a name, which are listed.

use core::ptr;

use crate::base::ledger::{Account, Facts, Owner, Strategy};
use crate::base::stats::PoolStats;
use crate::frame::sharing::StateCell as _;
use crate::frame::{Frames, Sharing};

impl<S: Sharing> Frames<S> {
    /// An empty stack with a name, under which [`pools()`](fn@crate::pools::pools) lists it from its first growth on. Its slots
    /// are bytes there: what is used is live.
    ///
    /// Its figures there are always exact, since each operation writes them down. That costs it some 10 ns, under a
    /// lock of all stacks with a name; a stack without one pays nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let mut frame = FrameStack::named("frame");
    /// frame.alloc([0_u8; 1000]);
    /// frame.reset();
    /// let info = typed_pool::pools().find(|info| info.name == Some("frame")).unwrap();
    /// assert_eq!((info.type_name, info.strategy.as_str()), ("FrameStack", "frame_stack"));
    /// assert_eq!((info.stats.live, info.stats.high_water, info.stats.capacity), (0, 1000, 8192));
    /// drop(frame);
    /// assert!(!typed_pool::pools().any(|info| info.name == Some("frame")));
    /// ```
    #[cfg(target_has_atomic = "ptr")]
    pub fn named(name: &'static str) -> Self {
        Self::new().with_name(name)
    }

    /// The same stack with a name: `FrameStack::bounded(4096).with_name("frame")`. See [`Frames::named`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::LocalFrameStack;
    ///
    /// let frame = LocalFrameStack::bounded(4096).with_name("requests");
    /// frame.alloc(0_u64);
    /// assert!(frame.try_alloc([0_u8; 5000]).is_err());
    /// let info = typed_pool::pools().find(|info| info.name == Some("requests")).unwrap();
    /// assert_eq!((info.stats.limit, info.failures), (Some(4096), 1));
    /// ```
    #[cfg(target_has_atomic = "ptr")]
    #[must_use]
    pub fn with_name(mut self, name: &'static str) -> Self {
        let facts = const { &Facts::owned(|| S::STACK, Strategy::FRAME_STACK) };
        // If it had another name, it is listed anew.
        self.account = Account::NONE;
        self.account.open(facts, name, Owner::NONE);
        self.chunks().for_each(|_| self.account.count_growth());
        self.note();
        self
    }

    /// Whether it has a name, and those who ask are told of each operation.
    pub(super) fn is_named(&self) -> bool {
        self.account.is_open()
    }

    /// Tells those who ask what the figures are now, and sees to it that every operation goes the rare way.
    pub(super) fn note(&self) {
        if self.is_named() {
            self.current.set(ptr::null_mut());
            self.account.in_turn(|account| account.note(&self.stats()));
        }
    }

    /// Tells those who ask how much is used now.
    pub(super) fn tell(&self) {
        if self.is_named() {
            self.account.in_turn(|account| account.tell(self.used(), [0; 2]));
        }
    }

    /// The stack has another chunk.
    pub(super) fn note_growth(&self) {
        if self.is_named() {
            self.account.in_turn(Account::count_growth);
            self.note();
        }
    }

    /// The stack could not meet a request, for which it may have grown all the same.
    pub(super) fn note_refusal(&self) {
        if self.account.is_open() {
            self.account.in_turn(Account::refused);
            self.note();
        }
    }

    fn stats(&self) -> PoolStats {
        PoolStats {
            name: S::STACK,
            live: self.used(),
            high_water: self.high_water(),
            capacity: self.capacity(),
            limit: self.is_bounded.then_some(self.initial),
            chunks: self.chunks().count(),
            slot_bytes: 1,
            bytes: self.chunks().map(|chunk| chunk.layout.size()).sum(),
            ..PoolStats::default()
        }
    }
}
