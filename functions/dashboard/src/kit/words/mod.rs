//! What the API says, in a person's words. A rule or a statement without them here does not compile.

mod reasons;
mod rules;
mod statements;

pub(crate) use reasons::{
    in_our_words, is_about_access, is_of_platform, no_access, not_read, of_change, refused, unread, unread_because,
};
pub(crate) use rules::{Subject, number, requirement};
pub(crate) use statements::{error, field, fields, message};

/// The message of a stored response, which is text: without the name of a field before it.
pub(crate) fn stored(text: &str) -> String {
    let is_field =
        |name: &str| name.contains('_') && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    text.split_once(": ").filter(|(name, _)| is_field(name)).map_or(text, |(_, message)| message).to_owned()
}

#[cfg(test)]
mod tests;
