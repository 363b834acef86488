//! Files that pages load. Their addresses contain a digest, so browsers may keep them for ever.

use super::WebReply;
use crate::domain::sha256_hex;
use std::borrow::Cow;

/// A file, compiled in.
pub struct Asset {
    path: String,
    content_type: &'static str,
    text: Cow<'static, str>,
}

impl Asset {
    /// A file whose address is a path, the digest, and the ending of its name.
    pub fn new(before: &str, ending: &str, content_type: &'static str, text: impl Into<Cow<'static, str>>) -> Asset {
        let text = text.into();
        let digest = sha256_hex(&text);
        Asset { path: format!("{before}{}.{ending}", digest.get(..16).unwrap_or_default()), content_type, text }
    }

    /// The address.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file, if it is the one at an address.
    pub fn at(&self, path: &str) -> Option<WebReply> {
        (path == self.path).then(|| WebReply::asset(self.content_type, self.text.clone()))
    }
}
