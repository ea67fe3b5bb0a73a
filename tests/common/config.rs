//! How many cases a model is tested with.

use proptest::test_runner::Config;

/// At most this many cases, or fewer by `PROPTEST_CASES`, where each takes fifty times as long: under Valgrind, say. (For
/// more there is `fuzz/`.)
pub(crate) fn config(cases: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|asked| asked.parse().ok());
    let cases = asked.map_or(cases, |asked: u32| asked.min(cases));
    Config { cases, failure_persistence: None, ..Config::default() }
}
