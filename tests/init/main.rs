//! Construction in place.

mod address;
mod bytemuck;
mod in_place;
mod names;
