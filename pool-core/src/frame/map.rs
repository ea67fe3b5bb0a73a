//! How a frame stack draws its map.

use crate::base::map::{Canvas, PoolMap, Room};
use crate::frame::Frames;
use crate::frame::sharing::Sharing;

impl<S: Sharing> Frames<S> {
    /// A map of the stack's memory, in which slots are bytes: those up to the end of the last block of each chunk are live.
    /// O(chunks).
    ///
    /// While no other thread uses the stack; otherwise each chunk is shown as it was at a moment of its own.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::FrameStack;
    ///
    /// let frame = FrameStack::bounded(1000);
    /// frame.alloc_str("seven");
    /// let map = frame.map();
    /// assert_eq!((map.live(), map.vacant(), map.chunks().len()), (5, 995, 1));
    /// ```
    pub fn map(&self) -> PoolMap {
        Canvas::draw(|canvas| self.draw(canvas))
    }

    fn draw(&self, canvas: &mut Canvas) -> Result<(), Room> {
        let chunks = self.chunks().count();
        canvas.begin(S::STACK, 1, Room { chunks, slots: 0 })?;
        canvas.count_bytes();
        let mut bytes = 0;
        // Other threads may link more of them meanwhile.
        for chunk in self.chunks().take(chunks) {
            let (start, used) = (chunk.start.addr(), chunk.top().offset());
            canvas.stack(start, chunk.size, chunk.layout.size(), used);
            bytes += chunk.layout.size();
        }
        // A trim takes everything back.
        canvas.set_returnable(bytes);
        Ok(())
    }
}
