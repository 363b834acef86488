//! Programs that a person connects by signing in: which client asks, and how its tokens end.

pub mod clients;
