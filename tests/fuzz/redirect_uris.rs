//! Redirect URIs: an accepted URI, checked by a second reader, and the URIs that match it.

use shared::domain::{RedirectUri, RedirectUriId};
use shared::envelope::read_redirect_uri;
use url::Url;

/// Registers the first line, and matches the second. Returns whether both succeed.
pub(super) fn redirect_uri(input: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(input) else { return false };
    let (text, asked) = text.split_once('\n').unwrap_or((text, text));
    let body = serde_json::json!({ "uri": text }).to_string();
    let parsed = RedirectUri::parse(text);
    assert_eq!(read_redirect_uri(body.as_bytes()).is_ok(), parsed.is_ok(), "{text:?} by itself and in a body");
    let Ok(registered) = parsed else { return false };
    let url = check(text, &registered);
    let is_match = registered.matches(asked);
    if is_match && asked != text {
        let asked = Url::parse(asked).expect("what matches is an address");
        assert!(is_loopback(&url), "{asked} matches {url}");
        assert_eq!(without_port(&asked), without_port(&url));
    }
    is_match
}

/// An accepted URI has one reading: https or this machine, no user name, no fragment, no unusual spelling.
fn check(text: &str, registered: &RedirectUri) -> Url {
    assert_eq!(registered.as_str(), text);
    assert!(registered.matches(text));
    assert_eq!(RedirectUriId::parse(&registered.id().to_string()), Some(registered.id()));
    let url = Url::parse(text).expect("what is taken is an address");
    let host = url.host_str().expect("a host");
    assert!(url.scheme() == "https" || (url.scheme() == "http" && matches!(host, "localhost" | "127.0.0.1")), "{text}");
    assert!(text.starts_with(&format!("{}://{host}", url.scheme())), "{text} is of another host");
    assert!(url.username().is_empty() && url.password().is_none() && !text.contains(['#', '\\', ' ']), "{text}");
    assert!(text.len() <= 2_048 && !text.chars().any(char::is_control), "{text}");
    let with = Url::parse(&registered.with_parameters(&[("state", "a&b=c#d")])).expect("still an address");
    assert_eq!((with.origin(), with.path()), (url.origin(), url.path()));
    let added = with.query_pairs().last().expect("what was added");
    assert_eq!((added.0.as_ref(), added.1.as_ref()), ("state", "a&b=c#d"));
    url
}

fn is_loopback(url: &Url) -> bool {
    url.scheme() == "http" && url.host_str() == Some("127.0.0.1")
}

fn without_port(url: &Url) -> String {
    let mut url = url.clone();
    url.set_port(None).expect("an address with a host");
    url.into()
}
