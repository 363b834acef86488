//! Names, other texts, and addresses.

use crate::domain::Platform;
use crate::domain::redirect_uri::RedirectUriError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a text must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextRule {
    /// It is not blank, and has at most so many characters.
    Length { most: usize, has: usize },
    /// It is one line, without control characters.
    OneLine,
    /// No space stands around it.
    Trimmed,
    /// The shortest name of a platform, in characters.
    AtLeast { characters: usize, platform: Platform },
    /// The longest name of a platform, in characters.
    Characters { most: usize, has: usize, platform: Platform },
    /// The longest name of a platform, in bytes of UTF-8.
    Bytes { most: usize, has: usize, platform: Platform },
    /// A platform takes no emoji, such as this one.
    NoEmoji { found: char, platform: Platform },
    /// It is an address to which a consent returns.
    #[serde(skip)]
    RedirectUri(RedirectUriError),
}

impl fmt::Display for TextRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextRule::Length { most, has } => {
                write!(f, "must be 1 to {most} characters and not blank; it has {has}")
            }
            TextRule::OneLine => f.write_str("must not contain control characters or line breaks"),
            TextRule::Trimmed => f.write_str("must not start or end with a space"),
            TextRule::AtLeast { characters, platform } => {
                write!(f, "must have at least {characters} characters on {}", platform.display_name())
            }
            TextRule::Characters { most, has, platform } => {
                write!(f, "must be at most {most} characters on {}; it is {has}", platform.display_name())
            }
            TextRule::Bytes { most, has, platform } => {
                write!(f, "must be at most {most} bytes of UTF-8 on {}; it is {has}", platform.display_name())
            }
            TextRule::NoEmoji { found, platform } => {
                write!(f, "must not contain emoji on {}: {found:?}", platform.display_name())
            }
            TextRule::RedirectUri(reason) => reason.fmt(f),
        }
    }
}
