//! Registrations of clients, and the redirect URIs that they may ask for, checked by a second reader.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use shared::assistants::clients::{Client, ClientSource, RedirectTarget, Registered, answer_uri, register};
use url::Url;

/// Registers what follows the first line, and asks for the redirect URI in that line. Returns whether both succeed.
pub(super) fn client(input: &[u8]) -> bool {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let asked = String::from_utf8_lossy(&input[..end]).into_owned();
    let Ok(Registered { client_id, name, redirect_uris }) = register(&input[(end + 1).min(input.len())..]) else {
        return false;
    };
    let content = json!({"n": name, "r": redirect_uris});
    let held = URL_SAFE_NO_PAD.decode(client_id.strip_prefix("dcr.").expect("a registration")).expect("base64url");
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&held).expect("JSON"), content);
    assert!(client_id.len() <= 1_000 && (1..=60).contains(&name.chars().count()), "{client_id}");
    assert!(!name.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)), "{name:?}");
    let client = Client { id: client_id, name, redirect_uris, source: ClientSource::Registered };
    client.imitates(&asked);
    for uri in &client.redirect_uris {
        check(uri);
        assert!(client.allows(uri), "{uri}");
    }
    let is_allowed = client.allows(&asked);
    if is_allowed && !client.redirect_uris.contains(&asked) {
        assert!(
            asked.starts_with("http://") && RedirectTarget::of(&asked) == Some(RedirectTarget::Computer),
            "{asked}"
        );
        assert!(client.redirect_uris.iter().any(|uri| without_port(uri) == without_port(&asked)), "{asked}");
    }
    is_allowed
}

/// A usable URI has one reading, and an answer to it goes to the same place.
fn check(uri: &str) {
    let url = Url::parse(uri).expect("what is taken is an address");
    let host = url.host_str().expect("a host");
    assert!(uri.starts_with(&format!("{}://{host}", url.scheme())), "{uri} is of another host");
    assert!(url.username().is_empty() && url.password().is_none() && !uri.contains(['#', '\\', ' ']), "{uri}");
    assert!(uri.is_ascii() && uri.len() <= 512 && !uri.chars().any(char::is_control), "{uri}");
    match RedirectTarget::of(uri).expect("a place") {
        RedirectTarget::Site { host: site } => assert_eq!((url.scheme(), host), ("https", site.as_str())),
        RedirectTarget::Computer => assert!(matches!(host, "localhost" | "127.0.0.1" | "[::1]"), "{uri}"),
        RedirectTarget::Scheme(scheme) => {
            assert_eq!(url.scheme(), scheme);
            assert!(!matches!(url.scheme(), "http" | "https" | "javascript" | "data" | "intent"), "{uri}");
        }
    }
    let answer = answer_uri(uri, &[("state", "a&code=b#c")]).expect("a place for an answer");
    let answer = Url::parse(&answer).expect("still an address");
    let same = |url: &Url| (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port());
    assert_eq!(same(&answer), same(&url));
    let added = answer.query_pairs().last().expect("what was added");
    assert_eq!((added.0.as_ref(), added.1.as_ref()), ("state", "a&code=b#c"));
}

fn without_port(uri: &str) -> String {
    let mut url = Url::parse(uri).expect("an address");
    url.set_port(None).ok();
    url.into()
}
