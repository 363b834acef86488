//! A text that is equal for all callers, and the same as long as the process runs: its entity tag and its gzip are made
//! once, at first use.

use super::compression::gzip;
use super::entity_tag::entity_tag;
use http::Response;
use http::header::HeaderValue;
use lambda_http::Body;
use std::borrow::Cow;
use std::sync::OnceLock;

/// A public text.
#[derive(Debug)]
pub(super) struct PublicText {
    text: Cow<'static, str>,
    tag: OnceLock<Option<HeaderValue>>,
    packed: OnceLock<Option<Vec<u8>>>,
}

impl PublicText {
    pub(super) fn new(text: impl Into<Cow<'static, str>>) -> PublicText {
        PublicText { text: text.into(), tag: OnceLock::new(), packed: OnceLock::new() }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// A response with the text. It carries the text itself, too, whose gzip is kept.
    pub(super) fn response(&'static self) -> Response<Body> {
        let mut response = Response::new(Body::Text(self.text.clone().into_owned()));
        response.extensions_mut().insert(self);
        response
    }

    /// Its entity tag.
    pub(super) fn tag(&self) -> Option<HeaderValue> {
        self.tag.get_or_init(|| entity_tag(&self.text)).clone()
    }

    /// The text as gzip.
    pub(super) fn packed(&self) -> Option<&[u8]> {
        self.packed.get_or_init(|| gzip(&self.text)).as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_text_is_packed_and_tagged_once() {
        let text = PublicText::new("a rule; ".repeat(1_000));
        let place = |packed: Option<&[u8]>| packed.unwrap().as_ptr();
        assert_eq!(place(text.packed()), place(text.packed()));
        assert_eq!(text.packed().map(<[u8]>::to_vec), gzip(text.as_str()));
        assert_eq!((text.tag(), text.tag()), (entity_tag(text.as_str()), entity_tag(text.as_str())));
    }
}
