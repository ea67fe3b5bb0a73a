//! The README's blocks that need a feature. Its other blocks are doc tests.

const README: &str = include_str!("../README.md");
const THIS_FILE: &str = include_str!("readme.rs");

/// Where a block that is no doc test begins.
const IGNORED: &str = "```rust,ignore\n";

#[test]
fn each_ignored_block_stands_in_this_file() {
    let here: Vec<_> = THIS_FILE.lines().map(str::trim).collect();
    for rest in README.split(IGNORED).skip(1) {
        let (block, _) = rest.split_once("```").expect("a block ends");
        let lines: Vec<_> = block.lines().map(str::trim).collect();
        let is_here = here.windows(lines.len()).any(|window| window == lines);
        assert!(is_here, "no test runs this block:\n{block}");
    }
}

#[cfg(any(feature = "serde", feature = "rayon"))]
mod with_features {
    use typed_pool::{Handle, Roster};

    struct Monster {
        health: i32,
    }

    // By hand: the tests have serde without its derive.
    #[cfg(feature = "serde")]
    impl serde::Serialize for Monster {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.health.serialize(serializer)
        }
    }

    #[cfg(feature = "serde")]
    impl<'de> serde::Deserialize<'de> for Monster {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Ok(Self { health: i32::deserialize(deserializer)? })
        }
    }

    fn monsters() -> (Roster<Monster>, Handle<Monster>) {
        let mut monsters = Roster::new();
        let orc = monsters.insert(Monster { health: 25 });
        (monsters, orc)
    }

    #[cfg(feature = "serde")]
    #[test]
    fn save() -> Result<(), serde_json::Error> {
        let (monsters, orc) = monsters();
        let saved = serde_json::to_string(&monsters)?;
        let again: Roster<Monster> = serde_json::from_str(&saved)?;
        assert_eq!(again[orc].health, monsters[orc].health);
        Ok(())
    }

    #[cfg(feature = "rayon")]
    #[test]
    fn rayon() {
        let (mut monsters, orc) = monsters();
        {
            use rayon::prelude::*;
            monsters.par_values_mut().for_each(|monster| monster.health += 1);
        }
        assert_eq!(monsters[orc].health, 26);
    }
}
