//! Assistants that people connect by signing in, beyond their record: what ends their tokens.

mod sign_out;

pub use sign_out::{replace_mark, sign_out, sign_out_of_person};
