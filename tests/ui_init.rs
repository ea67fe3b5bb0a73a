//! What does not compile of construction in place, and what the compiler says.
//!
//! `TRYBUILD=overwrite cargo test --test ui_init` writes the messages down. Read every one that
//! changed.

#[test]
fn ui() {
    trybuild::TestCases::new().compile_fail("tests/ui/init/*.rs");
}
