//! Redirect URIs.

use url::Url;

/// True if a URI counts as registered: any https URI, or http on this machine (RFC 8252 section 7.3), without a
/// fragment or credentials.
pub(crate) fn is_redirect_uri(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    let host = url.host_str().unwrap_or_default();
    let is_plain = url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    let is_local = url.scheme() == "http" && matches!(host, "127.0.0.1" | "localhost");
    is_plain && (is_local || (url.scheme() == "https" && !host.is_empty()))
}

/// Appends parameters to the query of a URI.
pub(crate) fn with_parameters(uri: &str, parameters: &[(&str, &str)]) -> String {
    let Ok(mut url) = Url::parse(uri) else { return uri.to_owned() };
    url.query_pairs_mut().extend_pairs(parameters);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_uris_are_https_or_on_this_machine() {
        for valid in ["http://127.0.0.1:9/cb", "http://localhost/cb", "https://app.example/cb?a=1"] {
            assert!(is_redirect_uri(valid), "{valid}");
        }
        for invalid in [
            "http://app.example/cb",
            "http://localhost.example/cb",
            "http://localhost@evil.example/",
            "https://app.example/#x",
            "myapp:/cb",
            "",
        ] {
            assert!(!is_redirect_uri(invalid), "{invalid}");
        }
    }

    #[test]
    fn parameters_are_appended_to_an_existing_query() {
        let uri = with_parameters("https://app.example/cb?a=1", &[("state", "x&y"), ("code", "4/z")]);
        assert_eq!(uri, "https://app.example/cb?a=1&state=x%26y&code=4%2Fz");
    }
}
