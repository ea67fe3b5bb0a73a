//! What happens seldom.
