//! The variable `TYPED_POOL_HUGE_PAGES=0` in the environment, which opts out of huge pages.
//!
//! Read from `/proc`, which has the environment as the process was started. `getenv` races with foreign code's `setenv`.
//! `std::env::var_os` allocates with a lock held, and the heap may be a user of pools that is called by std with that
//! lock held. To open a file and read it does neither.

use std::fs::File;
use std::io::Read;
use std::sync::OnceLock;

/// In the environment, behind a zero byte: each variable ends with one.
const OPT_OUT: &[u8] = b"\0TYPED_POOL_HUGE_PAGES=0\0";

/// Whether the environment opts out. Read once: the answer never changes, since a block is freed with the layout with
/// which it was allocated.
pub(super) fn is_opted_out() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| File::open("/proc/self/environ").is_ok_and(opts_out))
}

/// Whether the variable is among these.
fn opts_out(mut environment: impl Read) -> bool {
    let mut buffer = [0; 512];
    // As if the first variable came behind another.
    let mut matched = 1;
    loop {
        let count = environment.read(&mut buffer).unwrap_or(0);
        if count == 0 {
            return false;
        }
        for &byte in &buffer[..count] {
            // Zero bytes are at both ends of what is searched for, and nowhere else.
            matched = if byte == OPT_OUT[matched] { matched + 1 } else { usize::from(byte == 0) };
            if matched == OPT_OUT.len() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one byte at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0.by_ref().take(1).read(buffer)
        }
    }

    #[test]
    fn only_zero_opts_out() {
        let long = [b"A=".as_slice(), &[b'x'; 5000], b"\0TYPED_POOL_HUGE_PAGES=0\0"].concat();
        let cases: [(&[u8], bool); 13] = [
            (b"", false),
            (b"TYPED_POOL_HUGE_PAGES=0\0", true),
            (b"A=1\0TYPED_POOL_HUGE_PAGES=0\0B=2\0", true),
            (b"\0\0TYPED_POOL_HUGE_PAGES=0\0", true),
            (b"TYPED_POOL_\0TYPED_POOL_HUGE_PAGES=0\0", true),
            (&long, true),
            (b"TYPED_POOL_HUGE_PAGES=1\0", false),
            (b"TYPED_POOL_HUGE_PAGES=\0", false),
            (b"TYPED_POOL_HUGE_PAGES=00\0", false),
            (b"TYPED_POOL_HUGE_PAGES\0", false),
            (b"NOT_TYPED_POOL_HUGE_PAGES=0\0", false),
            (b"A=TYPED_POOL_HUGE_PAGES=0\0", false),
            (b"TYPED_POOL_HUGE_PAGES=0", false),
        ];
        for (environment, expected) in cases {
            let shown = environment.escape_ascii();
            assert_eq!(opts_out(environment), expected, "{shown}");
            assert_eq!(opts_out(Slowly(environment)), expected, "{shown}, byte by byte");
        }
    }
}
