//! Redirect URIs: where a customer's users may be sent back to when an authorization ends (spec 4.4, RFC 9700 4.1.3).

#[cfg(test)]
mod tests;

use crate::digest::sha256_hex;
use jiff::Timestamp;
use std::fmt;
use url::{Host, Position, Url};

/// Longest redirect URI, in bytes.
pub const MAX_URI_BYTES: usize = 2_048;

/// A URI that users may be sent to. It is kept and compared as it was given, so only a URI that reads the same to
/// everybody gets this far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    url: Url,
}

/// Why a text is no redirect URI. Reads on from the name of its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectUriError {
    /// More than [`MAX_URI_BYTES`].
    TooLong,
    /// A space, a control character or a backslash: parsers drop or turn them, each in its own way.
    Character,
    /// No absolute URL.
    NoUrl,
    /// Neither https nor http.
    Scheme,
    /// A user name or a password.
    UserInfo,
    /// A fragment (RFC 6749 3.1.2).
    Fragment,
    /// `http` to a host that is not this machine.
    NotHttps,
    /// This machine in another spelling than the two that are taken.
    Loopback,
    /// Written otherwise than it is understood; the right spelling is inside.
    Spelling(String),
}

/// Identifies a registered URI: `ruri_` and 32 hexadecimal digits that follow from the URI itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUriId(String);

/// A URI that a customer has registered (spec 2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredUri {
    /// The URI.
    pub uri: RedirectUri,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl RedirectUri {
    /// Reads a URI. Beside the rules of the specification it refuses whatever a browser might take for another
    /// address than this service does.
    pub fn parse(text: &str) -> Result<RedirectUri, RedirectUriError> {
        if text.len() > MAX_URI_BYTES {
            return Err(RedirectUriError::TooLong);
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(RedirectUriError::Character);
        }
        let url = Url::parse(text).map_err(|_| RedirectUriError::NoUrl)?;
        check(&url)?;
        // The one difference that says nothing: `https://example.com` is read as `https://example.com/`.
        let without_path = format!("{}{}", &url[..Position::BeforePath], &url[Position::AfterPath..]);
        if text != url.as_str() && !(url.path() == "/" && text == without_path) {
            return Err(RedirectUriError::Spelling(url.into()));
        }
        Ok(RedirectUri { text: text.to_owned(), url })
    }

    /// The URI as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its id: the same URI has the same one.
    pub fn id(&self) -> RedirectUriId {
        RedirectUriId(format!("ruri_{}", &sha256_hex(&self.text)[..32]))
    }

    /// Whether an address that is asked for is this one, character by character. On `http://127.0.0.1` the port may
    /// differ, because a program on the user's machine takes any that is free (RFC 8252 7.3).
    pub fn matches(&self, asked: &str) -> bool {
        let differs_in_port = |asked: &RedirectUri| asked.is_loopback_ip() && asked.after_port() == self.after_port();
        asked == self.text
            || (self.is_loopback_ip() && RedirectUri::parse(asked).is_ok_and(|asked| differs_in_port(&asked)))
    }

    /// The URI with parameters added to those it has.
    pub fn with_parameters(&self, parameters: &[(&str, &str)]) -> String {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }

    fn is_loopback_ip(&self) -> bool {
        self.url.scheme() == "http" && self.url.host_str() == Some("127.0.0.1")
    }

    fn after_port(&self) -> &str {
        // Up to here the text is the parsed form.
        self.text.get(self.url[..Position::AfterPort].len()..).unwrap_or_default()
    }
}

fn check(url: &Url) -> Result<(), RedirectUriError> {
    if !matches!(url.scheme(), "https" | "http") {
        return Err(RedirectUriError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(RedirectUriError::UserInfo);
    }
    if url.fragment().is_some() {
        return Err(RedirectUriError::Fragment);
    }
    let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    if !is_local && url.host().is_some_and(|host| is_this_machine(&host)) {
        return Err(RedirectUriError::Loopback);
    }
    if url.scheme() == "http" && !is_local {
        return Err(RedirectUriError::NotHttps);
    }
    Ok(())
}

/// Whether a host leads back to the machine that asks for it.
fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => name.trim_end_matches('.') == "localhost",
        Host::Ipv4(address) => address.is_loopback() || address.is_unspecified(),
        Host::Ipv6(address) => {
            let inner = address.to_ipv4_mapped();
            address.is_loopback() || address.is_unspecified() || inner.is_some_and(|inner| inner.is_loopback())
        }
    }
}

impl fmt::Display for RedirectUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedirectUriError::TooLong => write!(f, "must have at most {MAX_URI_BYTES} bytes"),
            RedirectUriError::Character => f.write_str(
                "must not hold spaces, control characters or backslashes: write them percent-encoded or not at all",
            ),
            RedirectUriError::NoUrl => f.write_str("must be an absolute URL, such as https://example.com/connected"),
            RedirectUriError::Scheme => {
                f.write_str("must begin with https://, or with http:// for localhost and 127.0.0.1")
            }
            RedirectUriError::UserInfo => {
                f.write_str("must not hold a user name or password: leave out what stands before the @")
            }
            RedirectUriError::Fragment => f.write_str("must not have a fragment: leave out the # and what follows it"),
            RedirectUriError::NotHttps => {
                f.write_str("must begin with https://: http:// is taken for localhost and 127.0.0.1 only")
            }
            RedirectUriError::Loopback => f.write_str("must call this machine localhost or 127.0.0.1"),
            RedirectUriError::Spelling(right) => write!(f, "must be written as it is understood: {right}"),
        }
    }
}

impl std::error::Error for RedirectUriError {}

impl RedirectUriId {
    /// Reads an id; `None` for anything else.
    pub fn parse(text: &str) -> Option<RedirectUriId> {
        let digits = text.strip_prefix("ruri_")?;
        let is_id = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_id.then(|| RedirectUriId(text.to_owned()))
    }
}

impl fmt::Display for RedirectUriId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
