//! Documents that are equal for all callers are sent compressed (RFC 9110, 8.4.1). No other answer is: the length of a
//! compressed page would tell what of it an attacker has guessed.

use super::public_text::PublicText;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::Response;
use http::header::{self, HeaderValue};
use lambda_http::Body;
use std::io::Write;

/// Below it a document fits in a packet or two anyway.
const SMALLEST: usize = 1_000;

/// The response, compressed with gzip if it is a public document and the client takes that. `accepted` is the client's
/// `Accept-Encoding`.
pub fn compressed(mut response: Response<Body>, accepted: Option<&str>) -> Response<Body> {
    let is_public =
        response.headers().get(header::CACHE_CONTROL).is_some_and(|value| value.as_bytes().starts_with(b"public"));
    let Body::Text(text) = response.body() else { return response };
    if !is_public || text.len() < SMALLEST {
        return response;
    }
    let kept = response.extensions().get::<&'static PublicText>();
    let pack = || kept.map_or_else(|| gzip(text), |kept| kept.packed().map(<[u8]>::to_vec));
    let packed = accepted.is_some_and(takes_gzip).then(pack).flatten();
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Some(packed) = packed {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        *response.body_mut() = Body::Binary(packed);
    }
    response
}

/// Whether the client takes gzip: it names it, and not with the weight 0.
fn takes_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = parameters.trim().strip_prefix("q=").map(|weight| weight.trim_matches(['0', '.']));
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| !weight.is_empty())
    })
}

/// A text as gzip; `None` cannot happen, because memory takes every byte.
pub fn gzip(text: &str) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::sync::LazyLock;

    fn answer(cache_control: &'static str, text: &str, accepted: Option<&str>) -> Response<Body> {
        let mut response = Response::new(Body::Text(text.to_owned()));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        compressed(response, accepted)
    }

    #[test]
    fn a_public_document_is_compressed_for_who_takes_it() {
        let text = "a rule; ".repeat(1_000);
        for accepted in ["gzip", "br, GZIP;q=0.5", "gzip; q=1, *;q=0"] {
            let response = answer("public, max-age=300", &text, Some(accepted));
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip", "{accepted}");
            let mut opened = String::new();
            GzDecoder::new(response.body().as_ref()).read_to_string(&mut opened).unwrap();
            assert!(opened == text && response.body().len() < 200, "{} bytes", response.body().len());
        }
        for accepted in [None, Some("br"), Some("gzip;q=0"), Some("gzip;q=0.0"), Some("")] {
            let response = answer("public, max-age=300", &text, accepted);
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING), "{accepted:?}");
            assert_eq!(response.headers()[header::VARY], "Accept-Encoding", "a cache keeps both");
        }
    }

    #[test]
    fn a_text_that_is_kept_is_sent_as_it_was_packed_once() {
        static TEXT: LazyLock<PublicText> = LazyLock::new(|| PublicText::new("a rule; ".repeat(1_000)));
        let mut response = TEXT.response();
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
        let sent = compressed(response, Some("gzip"));
        assert_eq!((Some(sent.body().as_ref()), sent.headers().len()), (TEXT.packed(), 3));
    }

    #[test]
    fn what_is_not_public_or_small_is_left_alone() {
        let text = "a secret; ".repeat(1_000);
        for (cache_control, text) in [("no-store", text.as_str()), ("private", &text), ("public", "short")] {
            let response = answer(cache_control, text, Some("gzip"));
            assert!(response.headers().len() == 1 && response.body().as_ref() == text.as_bytes(), "{cache_control}");
        }
    }
}
