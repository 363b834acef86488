//! Page tokens. A token is valid for the same query of the same customer.
//!
//! Google Ads API: Paging.

use super::error::AdsError;
use super::failure::{Failure, Status};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest;

/// Encodes the offset of the next page.
pub(crate) fn encode(offset: usize, customer: i64, query: &str) -> String {
    let mut bytes = fingerprint(customer, query);
    bytes.extend_from_slice(offset.to_string().as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes the offset of a page.
pub(crate) fn decode(token: &str, customer: i64, query: &str) -> Result<usize, Failure> {
    let expected = fingerprint(customer, query);
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
    let offset = bytes.strip_prefix(expected.as_slice());
    let offset = offset.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    offset.ok_or_else(|| {
        let code = ("requestError", "INVALID_PAGE_TOKEN");
        let error = AdsError::new(code, "The page token is invalid.").at("page_token");
        Failure::one(Status::InvalidArgument, error)
    })
}

fn fingerprint(customer: i64, query: &str) -> Vec<u8> {
    let hash = digest::digest(&digest::SHA256, format!("{customer}\n{query}").as_bytes());
    hash.as_ref().iter().take(12).copied().collect()
}
