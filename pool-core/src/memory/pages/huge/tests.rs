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
