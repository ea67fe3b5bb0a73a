//! Construction in place.

mod bytemuck;
mod in_place;
