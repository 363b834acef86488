//! Redirect URIs: addresses that an authorization may return a customer's users to (RFC 9700, section 4.1.3).

#[cfg(test)]
mod tests;

use crate::domain::sha256_hex;
use jiff::Timestamp;
use std::fmt;
use url::{Host, Position, Url};

/// Maximum number of redirect URIs per customer.
pub const MAX_REDIRECT_URIS: i64 = 10;
/// Maximum length of a redirect URI, in bytes.
pub const MAX_URI_BYTES: usize = 2_048;

/// A redirect URI. It is stored and compared as text, so only the canonical spelling is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUri {
    text: String,
    url: Url,
}

/// Reason why a redirect URI is rejected. The message continues the name of the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectUriError {
    /// Longer than [`MAX_URI_BYTES`].
    TooLong,
    /// A space, control character or backslash. URL parsers drop or convert these in different ways.
    ForbiddenCharacter,
    /// Not an absolute URL.
    NotAbsolute,
    /// Neither https nor http.
    Scheme,
    /// A user name or a password.
    UserInfo,
    /// A fragment (RFC 6749 3.1.2).
    Fragment,
    /// `http` to a host that is not loopback.
    NotHttps,
    /// A loopback host other than `localhost` and `127.0.0.1`.
    Loopback,
    /// Not the canonical spelling, which is inside.
    NotCanonical(String),
}

/// Identifies a registered URI: `ruri_` and 32 hexadecimal digits of its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectUriId(String);

/// A URI that a customer has registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredUri {
    pub uri: RedirectUri,
    pub created_at: Timestamp,
}

impl RedirectUri {
    /// Parses a redirect URI. Rejects every text that a browser might resolve to another address than this service.
    pub fn parse(text: &str) -> Result<RedirectUri, RedirectUriError> {
        if text.len() > MAX_URI_BYTES {
            return Err(RedirectUriError::TooLong);
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(RedirectUriError::ForbiddenCharacter);
        }
        let url = Url::parse(text).map_err(|_| RedirectUriError::NotAbsolute)?;
        check(&url)?;
        // The only accepted difference: `https://example.com` for `https://example.com/`.
        let without_path = format!("{}{}", &url[..Position::BeforePath], &url[Position::AfterPath..]);
        if text != url.as_str() && !(url.path() == "/" && text == without_path) {
            return Err(RedirectUriError::NotCanonical(url.into()));
        }
        Ok(RedirectUri { text: text.to_owned(), url })
    }

    /// The URI, as registered.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The id, derived from the URI.
    pub fn id(&self) -> RedirectUriId {
        RedirectUriId(format!("ruri_{}", &sha256_hex(&self.text)[..32]))
    }

    /// Returns `true` if a requested URI equals this one, character by character. On `http://127.0.0.1` the port may
    /// differ, because a native app listens on any free port (RFC 8252, section 7.3).
    pub fn matches(&self, requested: &str) -> bool {
        let differs_in_port =
            |requested: &RedirectUri| requested.is_loopback_ip() && requested.after_port() == self.after_port();
        requested == self.text
            || (self.is_loopback_ip()
                && RedirectUri::parse(requested).is_ok_and(|requested| differs_in_port(&requested)))
    }

    /// The URI with query parameters appended.
    pub fn with_parameters(&self, parameters: &[(&str, &str)]) -> String {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }

    fn is_loopback_ip(&self) -> bool {
        self.url.scheme() == "http" && self.url.host_str() == Some("127.0.0.1")
    }

    fn after_port(&self) -> &str {
        // Up to the port the text equals the parsed form.
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
    if !is_local && url.host().is_some_and(|host| is_loopback_host(&host)) {
        return Err(RedirectUriError::Loopback);
    }
    if url.scheme() == "http" && !is_local {
        return Err(RedirectUriError::NotHttps);
    }
    Ok(())
}

/// Returns `true` if a host is the loopback interface.
fn is_loopback_host(host: &Host<&str>) -> bool {
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
            RedirectUriError::ForbiddenCharacter => {
                f.write_str("must not contain spaces, control characters or backslashes; percent-encode or remove them")
            }
            RedirectUriError::NotAbsolute => {
                f.write_str("must be an absolute URL, such as https://example.com/connected")
            }
            RedirectUriError::Scheme => {
                f.write_str("must begin with https://, or with http:// for localhost and 127.0.0.1")
            }
            RedirectUriError::UserInfo => {
                f.write_str("must not contain a user name or password; remove the part before the @")
            }
            RedirectUriError::Fragment => f.write_str("must not have a fragment; remove the # and the text after it"),
            RedirectUriError::NotHttps => {
                f.write_str("must begin with https://; http:// is allowed for localhost and 127.0.0.1 only")
            }
            RedirectUriError::Loopback => f.write_str("must spell a loopback host as localhost or 127.0.0.1"),
            RedirectUriError::NotCanonical(canonical) => write!(f, "must be in canonical form: {canonical}"),
        }
    }
}

impl std::error::Error for RedirectUriError {}

impl RedirectUriId {
    /// Parses an id; `None` for any other text.
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
