//! Everyone in the race, a file each.

pub mod arena;
pub mod arenas;
pub mod bump;
pub mod by_layout;
pub mod heap;
pub mod held;
pub mod maps;
pub mod nothing;
pub mod objects;
pub mod pool;
pub mod roll;
pub mod rosters;
pub mod sessions;
pub mod shared;
pub mod slabs;
pub mod slots;
pub mod stack;
pub mod statics;
pub mod stores;
pub mod tied;
pub mod vectors;

pub use arena::{SharedArena, SharedPool};
pub use bump::Bump;
pub use by_layout::{AnyBox, AnyShared};
pub use heap::SystemBox;
pub use held::Held;
pub use nothing::Nothing;
pub use pool::{Derived, DerivedFixed, DerivedList, Owned};
pub use slabs::Slabs;
pub use slots::{Slots, Source};
pub use stack::{DerivedStack, OwnedStack};
pub use statics::{DerivedStatic, DerivedStaticList};
