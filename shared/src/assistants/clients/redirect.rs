//! Redirect URIs: where a person's answer goes (RFC 8252, and section 4.1.3 of RFC 9700).

use url::{Host, Url};

/// Maximum length of a redirect URI, in bytes.
pub const MAX_URI_BYTES: usize = 512;

/// Programs that open links of their own scheme. Another scheme may run a script (`javascript:`) or start any program
/// (`intent:`).
const PROGRAM_SCHEMES: &[&str] = &["cursor", "vscode", "vscode-insiders", "windsurf"];

/// The spellings of this computer that a URI may have.
const COMPUTER_HOSTS: &[&str] = &["127.0.0.1", "[::1]", "localhost"];

/// Where a redirect URI leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A site. Its host is in ASCII, in lowercase, without a port.
    Site { host: String },
    /// A program that listens on the computer of the person.
    Computer,
    /// The program for links of this scheme.
    Scheme(String),
}

impl RedirectTarget {
    /// Where a URI leads; `None` for one that must not be used.
    pub fn of(uri: &str) -> Option<RedirectTarget> {
        Some(parse(uri)?.1)
    }
}

/// A redirect URI with the parameters of an answer, encoded and after those that it has; `None` for a URI that must not
/// be used.
pub fn answer_uri(uri: &str, parameters: &[(&str, &str)]) -> Option<String> {
    let (mut url, _) = parse(uri)?;
    url.query_pairs_mut().extend_pairs(parameters);
    Some(url.into())
}

/// Whether a client that lists one URI may ask for the other: they are equal, or differ in the port on the computer of
/// the person, where a program listens on any free one (RFC 8252, section 7.3).
pub(super) fn matches(listed: &str, asked: &str) -> bool {
    listed == asked || without_port(listed).is_some_and(|listed| without_port(asked) == Some(listed))
}

/// The host and what follows the port, of an `http` URI of this computer.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    if parse(uri)?.1 != RedirectTarget::Computer {
        return None;
    }
    let rest = uri.strip_prefix("http://")?;
    let host = COMPUTER_HOSTS.iter().find(|host| rest.starts_with(**host))?;
    let rest = rest.strip_prefix(*host)?;
    let rest = rest.strip_prefix(':').map_or(rest, |port| port.trim_start_matches(|c: char| c.is_ascii_digit()));
    Some((host, rest))
}

/// Reads a URI that a browser takes exactly as it is written: everything else could lead elsewhere than it seems.
fn parse(uri: &str) -> Option<(Url, RedirectTarget)> {
    if uri.len() > MAX_URI_BYTES || !uri.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let url = Url::parse(uri).ok()?;
    let is_canonical = url.as_str() == uri || url.as_str().strip_suffix('/') == Some(uri) && url.path() == "/";
    let has_user = !url.username().is_empty() || url.password().is_some();
    if !is_canonical || has_user || url.fragment().is_some() {
        return None;
    }
    let host = url.host_str().filter(|host| !host.is_empty() && !host.ends_with('.'))?;
    let target = match url.scheme() {
        "http" | "https" if COMPUTER_HOSTS.contains(&host) => RedirectTarget::Computer,
        "https" if !is_loopback(&url) => RedirectTarget::Site { host: host.to_owned() },
        scheme if PROGRAM_SCHEMES.contains(&scheme) => RedirectTarget::Scheme(scheme.to_owned()),
        _ => return None,
    };
    Some((url, target))
}

/// Whether a URL leads to this computer by another spelling.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => {
            let inner = address.to_ipv4_mapped();
            address.is_unspecified() || address.is_loopback() || inner.is_some_and(|inner| inner.is_loopback())
        }
        Some(Host::Domain(name)) => name.ends_with(".localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPBACK: &str = "http://127.0.0.1:33418/callback";

    #[test]
    fn a_uri_says_where_the_answer_goes() {
        let site = |host: &str| Some(RedirectTarget::Site { host: host.to_owned() });
        let scheme = |name: &str| Some(RedirectTarget::Scheme(name.to_owned()));
        for (uri, target) in [
            ("https://claude.ai/api/mcp/auth_callback", site("claude.ai")),
            ("https://claude.ai", site("claude.ai")),
            ("https://claude.ai:8443/cb?a=b", site("claude.ai")),
            ("https://xn--80ak6aa92e.com/", site("xn--80ak6aa92e.com")),
            ("http://127.0.0.1/callback", Some(RedirectTarget::Computer)),
            ("http://[::1]:5/callback", Some(RedirectTarget::Computer)),
            ("https://localhost:8443/", Some(RedirectTarget::Computer)),
            ("cursor://anysphere.cursor-mcp/oauth/callback", scheme("cursor")),
            ("vscode-insiders://vscode.mcp/cb", scheme("vscode-insiders")),
        ] {
            assert_eq!(RedirectTarget::of(uri), target, "{uri}");
        }
    }

    #[test]
    fn a_uri_that_may_lead_elsewhere_is_refused() {
        for uri in [
            "",
            "claude.ai/cb",
            "//claude.ai/cb",
            // Another scheme runs a script, or starts any program.
            "javascript:alert(1)",
            "javascript://127.0.0.1/%0Aalert(1)",
            "data:text/html,<script>alert(1)</script>",
            "intent://scan/#Intent;scheme=zxing;end",
            "file:///etc/passwd",
            "myapp://callback",
            "cursor:callback",
            "cursor://",
            // Plain HTTP leaves this computer only with its own names.
            "http://claude.ai/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1@evil.example/cb",
            "http://localhost:80@evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://127.0.0.2/cb",
            "http://0.0.0.0/cb",
            "http://[::ffff:127.0.0.1]/cb",
            "https://0.0.0.0/cb",
            "https://a.localhost/cb",
            "https://claude.ai@evil.example/cb",
            "https://claude.ai:pw@evil.example/cb",
            "https://claude.ai./cb",
            // A browser would change these.
            "https://claude.ai/a/../cb",
            "https://claude.ai/%2e%2e/cb",
            "https://claude.ai:443/cb",
            "https://CLAUDE.ai/cb",
            "HTTPS://claude.ai/cb",
            "https:/claude.ai/cb",
            "https:\\\\claude.ai\\cb",
            "https://claude.ai/cb\\",
            "https://claude.ai/c b",
            "https://claude.ai/c\nb",
            " https://claude.ai/cb",
            "https://cl\u{430}ude.ai/cb",
            "http://2130706433/cb",
            "http://127.1/cb",
            "http://0x7f.0.0.1/cb",
            "http://LOCALHOST/cb",
            "http://localhost./cb",
            "https://claude.ai/cb#",
            "https://claude.ai/cb#code",
        ] {
            assert_eq!(RedirectTarget::of(uri), None, "{uri}");
        }
        let long = format!("https://claude.ai/{}", "a".repeat(MAX_URI_BYTES - 18));
        assert!(RedirectTarget::of(&long).is_some());
        assert_eq!(RedirectTarget::of(&format!("{long}a")), None);
    }

    #[test]
    fn the_port_is_free_on_this_computer_and_nothing_else_is() {
        for (listed, asked) in [
            ("http://127.0.0.1/callback", LOOPBACK),
            ("http://127.0.0.1:33418/", "http://127.0.0.1:50001/"),
            ("http://localhost/callback", "http://localhost:3118/callback"),
            ("http://localhost:3118/callback", "http://localhost/callback"),
            ("http://[::1]/cb?a=b", "http://[::1]:9/cb?a=b"),
            ("https://vscode.dev/redirect", "https://vscode.dev/redirect"),
        ] {
            assert!(matches(listed, asked), "{listed} {asked}");
        }
        for (listed, asked) in [
            ("http://127.0.0.1/callback", "http://localhost:33418/callback"),
            ("http://localhost/callback", LOOPBACK),
            ("http://127.0.0.1/callback", "http://[::1]:33418/callback"),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418/callback/"),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418/Callback"),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418/callback?a=b"),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418/call%62ack"),
            ("http://127.0.0.1/callback", "https://127.0.0.1:33418/callback"),
            ("http://127.0.0.1/callback", "http://127.0.0.1.evil.example/callback"),
            ("http://127.0.0.1/callback", "http://127.0.0.1:33418@evil.example/callback"),
            ("http://127.0.0.1", "http://127.0.0.1:33418/"),
            ("https://localhost/cb", "https://localhost:8443/cb"),
            ("https://claude.ai/cb", "https://claude.ai:8443/cb"),
            ("https://claude.ai/cb", "https://evil.example/cb"),
            ("https://claude.ai/cb", "https://a.claude.ai/cb"),
            ("https://claude.ai/cb", "https://claude.ai/CB"),
            ("https://claude.ai/cb", "https://claude.ai/cb/"),
            ("https://claude.ai/cb", "https://claude.ai./cb"),
            ("https://claude.ai/cb", "https://claude.ai/%2e/cb"),
            ("https://claude.ai/cb", "https://claude.ai/c%62"),
            ("https://claude.ai/", "https://claude.ai"),
        ] {
            assert!(!matches(listed, asked), "{listed} {asked}");
        }
    }

    #[test]
    fn an_answer_is_encoded_and_keeps_the_query_of_the_uri() {
        let parameters = [("state", "a&code=b#c d"), ("iss", "https://ads.example.com")];
        let uri = answer_uri("https://claude.ai/cb?kept=1", &parameters).unwrap();
        let encoded = "state=a%26code%3Db%23c+d&iss=https%3A%2F%2Fads.example.com";
        assert_eq!(uri, format!("https://claude.ai/cb?kept=1&{encoded}"));
        assert_eq!(answer_uri(LOOPBACK, &[("code", "x")]).unwrap(), format!("{LOOPBACK}?code=x"));
        assert_eq!(answer_uri("cursor://a/cb", &[("code", "x")]).unwrap(), "cursor://a/cb?code=x");
        assert_eq!(answer_uri("javascript:alert(1)", &parameters), None);
    }
}
