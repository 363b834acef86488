//! Where the answer to the program of an agents' host goes.

use shared::assistants::clients::RedirectTarget;
use url::{Host, Url};

/// Where the answer goes, in words.
pub(crate) fn place_words(target: &RedirectTarget) -> String {
    match target {
        RedirectTarget::Site { host } => host.clone(),
        RedirectTarget::Computer => "an app on this device".to_owned(),
        RedirectTarget::Scheme(scheme) => format!("the app for {scheme}: links on this device"),
    }
}

/// What the policy of a page allows so that its form may end there: the origin, or the scheme of an address that has none or
/// that a policy cannot name, such as an IPv6 address.
pub(crate) fn form_target(redirect_uri: &str) -> Option<String> {
    let uri = Url::parse(redirect_uri).ok()?;
    let is_web = matches!(uri.scheme(), "http" | "https");
    let has_name = is_web && matches!(uri.host(), Some(Host::Domain(_) | Host::Ipv4(_)));
    Some(if has_name { uri.origin().ascii_serialization() } else { format!("{}:", uri.scheme()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_may_end_where_the_answer_goes() {
        for (uri, target) in [
            ("https://claude.ai/api/mcp/auth_callback", "https://claude.ai"),
            ("https://a.example:8443/b", "https://a.example:8443"),
            ("http://127.0.0.1:33418/", "http://127.0.0.1:33418"),
            ("http://localhost:3118/callback", "http://localhost:3118"),
            ("http://[::1]:5000/callback", "http:"),
            ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor:"),
            ("https://bücher.example/;form-action", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(form_target(uri).as_deref(), Some(target), "{uri}");
        }
        assert_eq!(form_target("no address"), None);
    }
}
