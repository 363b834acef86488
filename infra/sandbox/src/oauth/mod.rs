//! What platforms with OAuth share: codes, grants, tokens, PKCE and redirect addresses. How they
//! are asked for and answered is each platform's own.

mod client;
pub(crate) mod consent;
pub(crate) mod consent_page;
mod grants;
mod header;
mod pkce;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
pub use client::OAuthClient;
pub(crate) use grants::{Consent, Dead, Grants, Redemption, Refusal};
pub(crate) use header::{basic, bearer};
pub(crate) use pkce::{is_challenge, verifies};
use url::Url;
use uuid::Uuid;

/// 244 unguessable bits as 43 URL-safe characters.
pub(crate) fn random() -> String {
    let mut bytes = Uuid::new_v4().as_bytes().to_vec();
    bytes.extend_from_slice(Uuid::new_v4().as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Whether an address counts as registered: any https address, and http on this machine
/// (RFC 8252 section 7.3), without a fragment or user name.
pub(crate) fn is_redirect_uri(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let host = url.host_str().unwrap_or_default();
    let plain = url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    let local = url.scheme() == "http" && matches!(host, "127.0.0.1" | "localhost");
    plain && (local || (url.scheme() == "https" && !host.is_empty()))
}

/// A redirect address with parameters appended to what its query holds already.
pub(crate) fn redirect_with(address: &str, parameters: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse(address) else { return address.to_owned() };
    url.query_pairs_mut().extend_pairs(parameters);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_addresses_are_https_or_on_this_machine() {
        for good in ["http://127.0.0.1:9/cb", "http://localhost/cb", "https://app.example/cb?a=1"] {
            assert!(is_redirect_uri(good), "{good}");
        }
        for bad in [
            "http://app.example/cb",
            "http://localhost.example/cb",
            "http://localhost@evil.example/",
            "https://app.example/#x",
            "myapp:/cb",
            "",
        ] {
            assert!(!is_redirect_uri(bad), "{bad}");
        }
    }

    #[test]
    fn parameters_join_a_query_that_is_there() {
        let to = redirect_with("https://app.example/cb?a=1", &[("state", "x&y"), ("code", "4/z")]);
        assert_eq!(to, "https://app.example/cb?a=1&state=x%26y&code=4%2Fz");
    }

    #[test]
    fn random_texts_differ_and_fit_into_addresses() {
        let text = random();
        assert_eq!(text.len(), 43);
        assert_ne!(text, random());
    }
}
