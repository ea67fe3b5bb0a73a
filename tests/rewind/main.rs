//! Rewinds, as users have them: panics at every step, leaks, elements without a size. (`pool-core` runs a random program.)

mod derive;
mod hostile;
mod panics;
mod uses;
