//! The addresses of endpoints: what can be said without the network.

use std::fmt;
use url::{Host, Url};

/// Maximum length of an address, in characters.
pub const MAX_ENDPOINT_URL_CHARS: usize = 2_000;

/// The address of an endpoint, in the canonical spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl(String);

/// Reason why an address is rejected. The message continues the name of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndpointUrlError {
    /// Longer than [`MAX_ENDPOINT_URL_CHARS`].
    TooLong,
    /// A space, control character or backslash. URL parsers drop or convert these in different ways.
    ForbiddenCharacter,
    /// Not an absolute URL with a host.
    NotAbsolute,
    /// Neither https, nor http where that is allowed.
    NotHttps,
    /// A port other than 443.
    Port,
    /// A user name or a password.
    UserInfo,
    /// A fragment, which is never sent.
    Fragment,
}

/// Checks the structure of an address: https on port 443. Where the service runs on the caller's own machine
/// (`is_local`), `localhost`, `127.0.0.1` and `[::1]` are allowed too, with http or https on every port.
pub fn check_endpoint_url(text: &str, is_local: bool) -> Result<EndpointUrl, EndpointUrlError> {
    if text.chars().count() > MAX_ENDPOINT_URL_CHARS {
        return Err(EndpointUrlError::TooLong);
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return Err(EndpointUrlError::ForbiddenCharacter);
    }
    let url = Url::parse(text).map_err(|_| EndpointUrlError::NotAbsolute)?;
    let host = url.host().ok_or(EndpointUrlError::NotAbsolute)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(EndpointUrlError::UserInfo);
    }
    if url.fragment().is_some() {
        return Err(EndpointUrlError::Fragment);
    }
    let is_own_machine = is_local && is_loopback(&host);
    match (url.scheme(), url.port()) {
        ("https", None) => {}
        ("http" | "https", _) if is_own_machine => {}
        ("https", Some(_)) => return Err(EndpointUrlError::Port),
        _ => return Err(EndpointUrlError::NotHttps),
    }
    // The canonical spelling may be longer: it encodes what is not ASCII.
    if url.as_str().len() > MAX_ENDPOINT_URL_CHARS {
        return Err(EndpointUrlError::TooLong);
    }
    Ok(EndpointUrl(url.into()))
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.octets() == [127, 0, 0, 1],
        Host::Ipv6(address) => address.is_loopback(),
    }
}

impl EndpointUrl {
    /// A stored address. It was checked before it was stored, maybe by other rules.
    pub fn from_stored(text: String) -> EndpointUrl {
        EndpointUrl(text)
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EndpointUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndpointUrlError::TooLong => write!(f, "must have at most {MAX_ENDPOINT_URL_CHARS} characters"),
            EndpointUrlError::ForbiddenCharacter => {
                f.write_str("must not contain spaces, control characters or backslashes; percent-encode or remove them")
            }
            EndpointUrlError::NotAbsolute => {
                f.write_str("must be an absolute URL, such as https://example.com/webhooks")
            }
            EndpointUrlError::NotHttps => f.write_str("must begin with https://"),
            EndpointUrlError::Port => f.write_str("must use port 443; remove the port"),
            EndpointUrlError::UserInfo => {
                f.write_str("must not contain a user name or password; remove the part before the @")
            }
            EndpointUrlError::Fragment => f.write_str("must not have a fragment; remove the # and the text after it"),
        }
    }
}

impl std::error::Error for EndpointUrlError {}

#[cfg(test)]
mod tests {
    use super::*;
    use EndpointUrlError::{ForbiddenCharacter, Fragment, NotAbsolute, NotHttps, Port, TooLong, UserInfo};

    fn check(text: &str, is_local: bool) -> Result<String, EndpointUrlError> {
        check_endpoint_url(text, is_local).map(|url| url.as_str().to_owned())
    }

    #[test]
    fn an_address_is_https_on_port_443() {
        for (text, canonical) in [
            ("https://example.com", "https://example.com/"),
            ("https://example.com:443/a?b=c", "https://example.com/a?b=c"),
            ("HTTPS://Example.COM/Path", "https://example.com/Path"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ] {
            assert_eq!(check(text, false).as_deref(), Ok(canonical), "{text}");
        }
    }

    #[test]
    fn every_other_address_is_rejected_with_its_reason() {
        for (text, expected) in [
            ("", NotAbsolute),
            ("example.com/webhooks", NotAbsolute),
            ("https://", NotAbsolute),
            ("https://999.999.999.999/", NotAbsolute),
            ("mailto:a@example.com", NotAbsolute),
            ("http://example.com/", NotHttps),
            ("http://example.com:443/", NotHttps),
            ("ftp://example.com/", NotHttps),
            ("http://localhost/", NotHttps),
            ("https://localhost:8443/", Port),
            ("https://example.com:8443/", Port),
            ("https://a@example.com/", UserInfo),
            ("https://a:b@example.com/", UserInfo),
            ("https://:b@example.com/", UserInfo),
            ("https://example.com/#", Fragment),
            ("https://example.com/#a", Fragment),
            ("https://example.com/a b", ForbiddenCharacter),
            (" https://example.com/", ForbiddenCharacter),
            ("https://example.com/\n", ForbiddenCharacter),
            ("https:\\\\example.com\\", ForbiddenCharacter),
        ] {
            assert_eq!(check(text, false), Err(expected), "{text}");
        }
    }

    #[test]
    fn the_own_machine_is_allowed_on_every_port_where_the_service_runs_there() {
        for text in [
            "http://localhost/",
            "http://localhost:9000/a",
            "https://localhost:9000/a",
            "http://127.0.0.1:9000/",
            "http://[::1]:9000/",
        ] {
            assert_eq!(check(text, true).as_deref(), Ok(text));
            assert!(check(text, false).is_err(), "{text}");
        }
        for (text, expected) in [
            ("http://example.com/", NotHttps),
            ("http://127.0.0.2:9000/", NotHttps),
            ("http://localhost.example.com/", NotHttps),
            ("ftp://localhost/", NotHttps),
            ("http://a@localhost/", UserInfo),
        ] {
            assert_eq!(check(text, true), Err(expected), "{text}");
        }
    }

    #[test]
    fn the_longest_address_has_2000_characters_in_either_spelling() {
        let of = |length: usize| format!("https://example.com/{}", "a".repeat(length - 20));
        assert!(check(&of(2_000), false).is_ok());
        assert_eq!(check(&of(2_001), false), Err(TooLong));
        assert_eq!(check(&format!("https://example.com/{}", "ü".repeat(1_000)), false), Err(TooLong));
    }
}
