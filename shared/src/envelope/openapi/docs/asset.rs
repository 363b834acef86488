//! Files that the pages load. Their addresses contain a digest, so browsers may keep them for ever.

use super::super::super::WebReply;
use crate::digest::sha256_hex;

/// A file that the pages load.
pub(super) struct Asset {
    /// The ending of its name.
    pub(super) ending: &'static str,
    pub(super) content_type: &'static str,
    pub(super) text: &'static str,
}

impl Asset {
    /// The last part of the address.
    pub(super) fn name(&self) -> String {
        let digest = sha256_hex(self.text);
        format!("{}.{}", digest.get(..16).unwrap_or_default(), self.ending)
    }

    pub(super) fn reply(&self) -> WebReply {
        WebReply::asset(self.content_type, self.text)
    }
}
