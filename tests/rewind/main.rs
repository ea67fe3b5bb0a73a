//! Rewinds, as users have them: panics at every step, leaks, elements without a size. (`pool-core` runs a random program.)

mod costs;
mod derive;
mod hostile;
mod maps;
mod panics;
mod uses;
