//! Documents of other hosts: what a host gives, and those that the process keeps.

use crate::recent_map::RecentMap;
use bytes::Bytes;
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// Time limit for a document, from resolving the name to the end of the body.
pub const DOCUMENT_TIME_LIMIT: Duration = Duration::from_secs(3);
/// The largest document: 5 KB. One byte more is read, which says that it is larger.
pub const MAX_DOCUMENT_BYTES: usize = 5 * 1_024;
/// A document is kept for so long at least, whatever its headers say.
const MIN_AGE: SignedDuration = SignedDuration::from_mins(5);
/// And at most for so long.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);
/// The number of documents that a process keeps: with 5 KB each, a megabyte.
const CAPACITY: usize = 200;

/// What a host gives at an address, with any status: a redirect is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicDocument {
    pub status: StatusCode,
    /// The text of `Content-Type`.
    pub content_type: Option<String>,
    /// The text of `Cache-Control`.
    pub cache_control: Option<String>,
    /// The whole body, or one byte more than [`MAX_DOCUMENT_BYTES`].
    pub body: Bytes,
}

impl PublicDocument {
    /// Whether it is JSON, by its media type.
    pub fn is_json(&self) -> bool {
        let of_media = self.content_type.as_deref().unwrap_or_default().split(';').next().unwrap_or_default();
        let media = of_media.trim().to_ascii_lowercase();
        media == "application/json" || media.starts_with("application/") && media.ends_with("+json")
    }

    /// How long it may be kept.
    fn age(&self) -> SignedDuration {
        let max_age = self.cache_control.as_deref().unwrap_or_default().split(',').find_map(|directive| {
            let (name, value) = directive.split_once('=')?;
            name.trim().eq_ignore_ascii_case("max-age").then(|| value.trim().trim_matches('"'))
        });
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that does not fit is more than a day.
        let seconds = max_age.filter(is_number).map_or(0, |text| text.parse().unwrap_or(i64::MAX));
        SignedDuration::from_secs(seconds).clamp(MIN_AGE, MAX_AGE)
    }
}

/// The documents that a process keeps, each with the time until which it does.
#[derive(Debug, Default)]
pub struct KeptDocuments(RecentMap<String, (Bytes, Timestamp), CAPACITY>);

impl KeptDocuments {
    /// The document at an address, if it is kept.
    pub fn get(&self, url: &str, now: Timestamp) -> Option<Bytes> {
        self.0.get(url).filter(|(_, until)| now < *until).map(|(body, _)| body)
    }

    /// Keeps a document for as long as its headers say.
    pub fn keep(&self, url: &str, document: PublicDocument, now: Timestamp) {
        let until = now + document.age();
        self.0.insert(url.to_owned(), (document.body, until));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_keeps_a_bounded_number_of_documents() {
        let kept = KeptDocuments::default();
        let url = |n: usize| format!("https://a.example/{n}");
        let document = |body| PublicDocument {
            status: StatusCode::OK,
            content_type: None,
            cache_control: None,
            body: Bytes::from_static(body),
        };
        let now = Timestamp::UNIX_EPOCH;
        for n in 0..10 * CAPACITY {
            kept.keep(&url(n), document(b"old"), now);
        }
        assert!((0..10 * CAPACITY).filter(|n| kept.get(&url(*n), now).is_some()).count() <= CAPACITY);
        let last = url(10 * CAPACITY - 1);
        kept.keep(&last, document(b"new"), now);
        assert_eq!(
            (kept.get(&last, now), kept.get("https://a.example/0", now)),
            (Some(Bytes::from_static(b"new")), None)
        );
    }
}
