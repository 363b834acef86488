//! Programs that a person connects by signing in.

mod clients;
