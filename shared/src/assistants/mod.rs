//! Programs that a person connects by signing in: which client asks, and how its tokens end.

pub mod clients;
mod sign_out;

pub use sign_out::{replace_mark, sign_out, sign_out_of_person};
