//! The version of a document that is equal for all callers, so that a client that has it downloads nothing (RFC 9110,
//! 8.8.3 and 13.1.2).

use crate::domain::sha256_hex;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// The entity tag of a text: half of its hash.
pub(super) fn entity_tag(text: &str) -> Option<HeaderValue> {
    let hash = sha256_hex(text);
    HeaderValue::from_str(&format!("\"{}\"", hash.get(..32)?)).ok()
}

/// The response, or 304 without a body if it is what the client has by its `If-None-Match`.
pub fn unless_known(mut response: Response<Body>, known: Option<&str>) -> Response<Body> {
    let tag = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
    let is_same = |known: &str| known.trim() == "*" || Some(known.trim().trim_start_matches("W/")) == tag;
    let is_known = tag.is_some() && known.is_some_and(|known| known.split(',').any(is_same));
    if is_known && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(header::CONTENT_TYPE);
        *response.body_mut() = Body::Empty;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(known: Option<&str>) -> StatusCode {
        let mut response = Response::new(Body::Text("a".to_owned()));
        response.headers_mut().insert(header::ETAG, entity_tag("a").unwrap());
        unless_known(response, known).status()
    }

    #[test]
    fn a_known_version_is_not_sent_again() {
        let tag = entity_tag("a").unwrap().to_str().unwrap().to_owned();
        for known in [tag.as_str(), &format!("W/{tag}"), &format!("\"other\", {tag}"), "*"] {
            assert_eq!(answered(Some(known)), StatusCode::NOT_MODIFIED, "{known}");
        }
        for known in [None, Some("\"other\""), Some(tag.trim_matches('"'))] {
            assert_eq!(answered(known), StatusCode::OK, "{known:?}");
        }
    }

    #[test]
    fn what_has_no_version_is_sent() {
        let response = unless_known(Response::new(Body::Text("a".to_owned())), Some("*"));
        assert_eq!(response.status(), StatusCode::OK);
    }
}
