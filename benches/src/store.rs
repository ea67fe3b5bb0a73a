//! How a workload sees a container that its objects live in: with keys, or without.

/// A container of `T`s that can be iterated over.
pub trait Store<T>: Sized + 'static {
    /// The name in tables.
    fn name() -> &'static str;

    /// An empty one, which has reserved nothing.
    fn new() -> Self;

    /// Adds a value.
    fn add(&mut self, value: T);

    /// Shows every value once, in the container's own order, and drops those that are not to be
    /// kept. In the way that the container's documentation suggests.
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);

    /// Shows every value once.
    fn visit(&self, see: impl FnMut(&T));
}

/// A container that names its values by keys.
pub trait Keyed<T>: Store<T> {
    /// Whether a key that was removed is told from the one that has its place now.
    const KNOWS_STALE: bool = true;

    /// The result of `insert`.
    type Key: Copy + 'static;

    /// Adds a value.
    fn insert(&mut self, value: T) -> Self::Key;

    /// Takes the value out. `None` where the key is stale.
    fn remove(&mut self, key: Self::Key) -> Option<T>;

    /// The value. `None` where the key is stale.
    fn get(&self, key: Self::Key) -> Option<&T>;
}
