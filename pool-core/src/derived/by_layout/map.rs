//! How pools by layout draw their maps.

use core::alloc::Layout;

use crate::base::map::{Canvas, PoolMap, Room};
use crate::derived::by_layout::classes::Class;
use crate::derived::by_layout::{ByLayout, Classes as _, SharedByLayout};

macro_rules! maps {
    ($($marker:ident $name:literal)*) => {$(
        impl $marker {
            /// A map of the pool with slots for this layout; an empty one for a layout that takes no slot. O(slots).
            ///
            /// # Examples
            ///
            /// ```
            /// use std::alloc::Layout;
            #[doc = concat!("use typed_pool::{", $name, ", PoolBox};")]
            ///
            #[doc = concat!("let kept = PoolBox::new_in([1_u64, 2, 3], ", $name, ");")]
            #[doc = concat!("let map = ", $name, "::map(Layout::new::<[u64; 3]>());")]
            /// # #[cfg(not(feature = "passthrough"))]
            #[doc = concat!("assert_eq!((map.name(), map.live()), (\"", $name, ", 24 bytes\", 1));")]
            /// # drop(kept);
            /// ```
            pub fn map(layout: Layout) -> PoolMap {
                match Class::of(layout) {
            Some(class) => Self::facts(class).expect(Self::facts(class).upkeep.map()),
            None => Canvas::draw(|canvas| {
                canvas.begin(Self::NAME, layout.size(), Room { chunks: 0, slots: 0 })
            }),
        }
            }
        }
    )*};
}

maps! { ByLayout "ByLayout" SharedByLayout "SharedByLayout" }
