//! An interrupt handler uses the static pools that it interrupts, on a Cortex-M3 without a heap.
//!
//! The timer interrupts after any number of instructions, within pool operations, too. Main loop and handler both take and
//! free elements of the same pools, know each by its contents, and count what they have. The emulator's exit code is 0 if
//! nothing was lost, and no slot had two owners.

#![no_std]
#![no_main]

use core::arch::asm;
use core::cell::UnsafeCell;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use typed_pool::{PoolArc, PoolBox, PoolStats, Pooled};

/// Few, so that pools are full and empty all the time, and the same slots come up again and again.
const SLOTS: usize = 8;

/// An element that can be told from another in the same place.
macro_rules! elements {
    ($($Element:ident $pool:tt: $Owner:ident, $then:expr;)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Element(u32, u32);

        impl Owner for $Owner<$Element> {
            fn new(serial: u32) -> Option<Self> {
                $Owner::try_new($Element(serial, !serial)).ok().map($then)
            }

            fn intact(&self) -> Option<u32> {
                (self.0 == !self.1).then_some(self.0)
            }
        }
    )*};
}

elements! {
    Packet(static, capacity = SLOTS): PoolBox, |owner| owner;
    Event(static, capacity = SLOTS, strategy = free_list): PoolBox, |owner| owner;
    // Another owner comes and goes.
    Shared(static, capacity = SLOTS, rc): PoolArc, |owner| PoolArc::clone(&owner);
}

/// A box, or a shared element.
trait Owner: Sized {
    fn new(serial: u32) -> Option<Self>;

    /// The serial number, if the element is as it was made.
    fn intact(&self) -> Option<u32>;
}

/// Elements, each with the serial number that it was made with.
struct Held<P> {
    places: [Option<(u32, P)>; SLOTS],
    made: u32,
    refused: u32,
}

impl<P: Owner> Held<P> {
    const fn new() -> Self {
        Self { places: [const { None }; SLOTS], made: 0, refused: 0 }
    }

    /// Fills a place if it is vacant, and vacates it if not.
    fn turn(&mut self, at: usize, first: u32) {
        let place = &mut self.places[at % SLOTS];
        match place.take() {
            Some((serial, element)) => {
                if element.intact() != Some(serial) {
                    exit(10);
                }
                within(|| drop(element));
            }
            None => {
                let serial = first + self.made;
                match within(|| P::new(serial)) {
                    Some(element) => {
                        self.made += 1;
                        *place = Some((serial, element));
                    }
                    None => self.refused += 1,
                }
            }
        }
    }

    fn clear(&mut self) {
        for at in 0..SLOTS {
            if self.places[at].is_some() {
                self.turn(at, 0);
            }
        }
    }
}

/// The objects of the main loop, or of the handler.
struct Side {
    packets: Held<PoolBox<Packet>>,
    events: Held<PoolBox<Event>>,
    shared: Held<PoolArc<Shared>>,
    random: u32,
}

impl Side {
    const fn new(random: u32) -> Self {
        Self { packets: Held::new(), events: Held::new(), shared: Held::new(), random }
    }

    fn random(&mut self) -> u32 {
        self.random = self.random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.random >> 16
    }

    /// Uses one of the pools.
    fn step(&mut self, first: u32) {
        let at = self.random() as usize;
        match at / SLOTS % 3 {
            0 => self.packets.turn(at, first),
            1 => self.events.turn(at, first),
            _ => self.shared.turn(at, first),
        }
    }

    fn clear(&mut self) {
        self.packets.clear();
        self.events.clear();
        self.shared.clear();
    }

    /// How often each pool gave something, and how often it had nothing to give.
    fn figures(&self) -> [(u32, u32); 3] {
        let Self { packets, events, shared, .. } = self;
        [
            (packets.made, packets.refused),
            (events.made, events.refused),
            (shared.made, shared.refused),
        ]
    }
}

/// The handler's own objects, until it is switched off.
struct Handler(UnsafeCell<Side>);

// SAFETY: there is one core; the handler does not interrupt itself, and the main loop looks when the timer is off.
unsafe impl Sync for Handler {}

static HANDLER: Handler = Handler(UnsafeCell::new(Side::new(77)));

/// Whether the main loop is in a pool.
static IS_WITHIN: AtomicBool = AtomicBool::new(false);

/// How often it was interrupted, and how often it was interrupted there.
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);
static INTERRUPTS_WITHIN: AtomicU32 = AtomicU32::new(0);

/// In two steps, since some processors have no more. Nothing but the handler writes there.
fn count(number: &AtomicU32) {
    number.store(number.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

fn within<R>(f: impl FnOnce() -> R) -> R {
    let before = IS_WITHIN.load(Ordering::SeqCst);
    IS_WITHIN.store(true, Ordering::SeqCst);
    let result = f();
    IS_WITHIN.store(before, Ordering::SeqCst);
    result
}

const TIMER_CONTROL: *mut u32 = ptr::without_provenance_mut(0xE000_E010);
const TIMER_RELOAD: *mut u32 = ptr::without_provenance_mut(0xE000_E014);
const TIMER_CURRENT: *mut u32 = ptr::without_provenance_mut(0xE000_E018);

fn write(register: *mut u32, value: u32) {
    // SAFETY: it is one of the timer's registers.
    unsafe { register.write_volatile(value) };
}

/// Sets how many ticks there are until the next interrupt.
fn set_timer(ticks: u32) {
    write(TIMER_RELOAD, ticks);
    write(TIMER_CURRENT, 0);
}

extern "C" fn timer() {
    count(&INTERRUPTS);
    if IS_WITHIN.load(Ordering::SeqCst) {
        count(&INTERRUPTS_WITHIN);
    }
    // SAFETY: see `Handler`.
    let side = unsafe { &mut *HANDLER.0.get() };
    for _ in 0..side.random() % 6 {
        side.step(1 << 24);
    }
    let ticks = 20 + side.random() % 200;
    set_timer(ticks);
}

/// Ends the emulation.
fn exit(code: u32) -> ! {
    let block = [0x2_0026, code];
    // SAFETY: the emulator reads the two words, and does not return.
    unsafe {
        asm!("bkpt 0xAB", in("r0") 0x20, in("r1") block.as_ptr(), options(nostack));
    }
    loop {}
}

/// Prints a line.
fn print(text: &str, number: u32) {
    let mut line = [0_u8; 64];
    let mut digits = [0_u8; 10];
    let (mut left, mut first) = (number, digits.len());
    while first == digits.len() || left > 0 {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
    }
    let bytes = text.bytes().chain([b' ']).chain(digits[first..].iter().copied()).chain([b'\n']);
    line.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    // SAFETY: the emulator reads up to the first zero, which is there: lines are short.
    unsafe {
        asm!("bkpt 0xAB", inout("r0") 0x04 => _, in("r1") line.as_ptr(), options(nostack));
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    exit(101)
}

extern "C" fn fault() {
    exit(102);
}

extern "C" fn reset() {
    let mut side = Side::new(3);
    set_timer(100);
    // On, by the processor's clock, with its interrupt.
    write(TIMER_CONTROL, 7);
    while INTERRUPTS_WITHIN.load(Ordering::Relaxed) < 20_000 {
        side.step(0);
    }
    write(TIMER_CONTROL, 0);
    side.clear();
    // SAFETY: see `Handler`; from here on there are no interrupts.
    let other = unsafe { &mut *HANDLER.0.get() };
    other.clear();

    print("interrupts:", INTERRUPTS.load(Ordering::Relaxed));
    print("in the middle of a pool's operation:", INTERRUPTS_WITHIN.load(Ordering::Relaxed));
    for (made, refused) in side.figures().into_iter().chain(other.figures()) {
        print("elements made:", made);
        print("elements refused:", refused);
        if made == 0 || refused == 0 {
            exit(11);
        }
    }
    for PoolStats { live, high_water, .. } in
        [Packet::pool_stats(), Event::pool_stats(), Shared::pool_stats()]
    {
        if (live, high_water) != (0, SLOTS) {
            exit(12);
        }
    }
    // All slots are there, once each.
    let all = [(); SLOTS].map(|()| <PoolBox<Event> as Owner>::new(1));
    if all.iter().any(Option::is_none) || <PoolBox<Event> as Owner>::new(1).is_some() {
        exit(13);
    }
    exit(0);
}

/// An entry of the vector table: the stack, or an address to go to.
union Vector {
    address: *const u8,
    handler: extern "C" fn(),
    none: usize,
}

// SAFETY: it is read by the processor alone.
unsafe impl Sync for Vector {}

unsafe extern "C" {
    /// The linker's.
    static stack_top: u8;
}

#[used]
#[unsafe(link_section = ".vectors")]
static VECTORS: [Vector; 16] = [
    Vector { address: &raw const stack_top },
    Vector { handler: reset },
    Vector { handler: fault },
    Vector { handler: fault },
    Vector { handler: fault },
    Vector { handler: fault },
    Vector { handler: fault },
    Vector { none: 0 },
    Vector { none: 0 },
    Vector { none: 0 },
    Vector { none: 0 },
    Vector { handler: fault },
    Vector { handler: fault },
    Vector { none: 0 },
    Vector { handler: fault },
    Vector { handler: timer },
];
