//! Files that pages load. Their addresses contain a digest, so browsers may keep them for ever.

use super::WebReply;
use super::public_text::PublicText;
use crate::domain::sha256_hex;
use http::Response;
use http::header::{self, HeaderValue};
use lambda_http::Body;
use std::borrow::Cow;

/// A file, compiled in.
#[derive(Debug)]
pub struct Asset {
    path: String,
    content_type: &'static str,
    text: PublicText,
}

impl Asset {
    /// A file whose address is a path, the digest, and the ending of its name.
    pub fn new(before: &str, ending: &str, content_type: &'static str, text: impl Into<Cow<'static, str>>) -> Asset {
        let text = PublicText::new(text);
        let digest = sha256_hex(text.as_str());
        Asset { path: format!("{before}{}.{ending}", digest.get(..16).unwrap_or_default()), content_type, text }
    }

    /// The address.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The file, if it is the one at an address.
    pub fn at(&'static self, path: &str) -> Option<WebReply> {
        (path == self.path).then(|| WebReply::asset(self))
    }

    pub(super) fn response(&'static self) -> Response<Body> {
        let mut response = self.text.response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        response
    }
}
