//! Which URLs a customer may choose for an endpoint.

use super::address;
use super::address::SpecialUse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Maximum length of a URL in characters, as written and as sent.
const MAX_URL_CHARS: usize = 2_000;
/// Suffixes of names that only a local network resolves (RFC 6761, RFC 6762, RFC 8375, and ICANN's `.internal`).
const LOCAL_SUFFIXES: &[&str] = &[".localhost", ".local", ".internal", ".home.arpa"];

/// Where endpoints may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// On the public internet, by https on port 443.
    Public,
    /// In addition at `localhost`, `127.0.0.1` and `[::1]` of this machine, by http or https.
    Local {
        /// The ports of this service itself. They stay refused.
        own_ports: Vec<u16>,
    },
}

/// The rules for the URLs of endpoints. They apply when an endpoint is stored, and again at every call.
#[derive(Clone, Debug)]
pub struct UrlPolicy {
    reach: Reach,
    own_host: Option<String>,
}

/// Why a URL is refused. The text completes "url: …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlRefusal {
    TooLong,
    /// Not an absolute URL, or one with white space, control characters or backslashes, which a parser would change.
    Invalid,
    NotHttps,
    UserInfo,
    Fragment,
    /// The host is a literal address, in whatever spelling, and not one of the public internet.
    Address(SpecialUse),
    /// The host has a name of a local network.
    LocalName,
    /// This service would call itself.
    OwnService,
    Port,
}

impl UrlPolicy {
    /// `own_url` is the address of this service, such as `PUBLIC_BASE_URL`: its host is refused.
    pub fn new(reach: Reach, own_url: Option<&str>) -> UrlPolicy {
        let own_url = own_url.and_then(|text| Url::parse(text).ok());
        UrlPolicy { reach, own_host: own_url.and_then(|url| host_name(&url).map(str::to_owned)) }
    }

    /// Reads and checks a URL. A literal address is judged here, a name only when it is resolved for a call.
    pub fn check(&self, text: &str) -> Result<Url, UrlRefusal> {
        if text.chars().count() > MAX_URL_CHARS {
            return Err(UrlRefusal::TooLong);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(UrlRefusal::Invalid);
        }
        let url = Url::parse(text).map_err(|_| UrlRefusal::Invalid)?;
        let local_ports = self.local_ports(&url);
        match url.scheme() {
            "https" => (),
            "http" if local_ports.is_some() => (),
            _ => return Err(UrlRefusal::NotHttps),
        }
        // Escapes make it longer than it was written.
        if url.as_str().len() > MAX_URL_CHARS {
            return Err(UrlRefusal::TooLong);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlRefusal::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(UrlRefusal::Fragment);
        }
        match local_ports {
            Some(own_ports) if url.port_or_known_default().is_some_and(|port| own_ports.contains(&port)) => {
                Err(UrlRefusal::OwnService)
            }
            Some(_) => Ok(url),
            None => self.check_public(&url).map(|()| url),
        }
    }

    /// Whether a URL leads to this machine by the names that [`Reach::Local`] allows.
    pub fn is_local(text: &str) -> bool {
        Url::parse(text).is_ok_and(|url| is_on_this_machine(&url))
    }

    /// Judges an address that a name of a checked URL resolves to.
    pub(super) fn check_address(&self, name: &str, address: IpAddr) -> Result<(), SpecialUse> {
        let is_local = matches!(self.reach, Reach::Local { .. }) && is_localhost(name);
        if is_local && address.is_loopback() { Ok(()) } else { address::check(address) }
    }

    /// Our own ports, if the URL leads to this machine and may.
    fn local_ports(&self, url: &Url) -> Option<&[u16]> {
        let Reach::Local { own_ports } = &self.reach else { return None };
        is_on_this_machine(url).then_some(own_ports)
    }

    fn check_public(&self, url: &Url) -> Result<(), UrlRefusal> {
        let name = host_name(url).ok_or(UrlRefusal::Invalid)?;
        match url.host() {
            Some(Host::Ipv4(literal)) => address::check(literal.into()).map_err(UrlRefusal::Address)?,
            Some(Host::Ipv6(literal)) => address::check(literal.into()).map_err(UrlRefusal::Address)?,
            Some(Host::Domain(_)) if is_local_name(name) => return Err(UrlRefusal::LocalName),
            Some(Host::Domain(_)) | None => (),
        }
        if self.own_host.as_deref() == Some(name) {
            return Err(UrlRefusal::OwnService);
        }
        // 443 is the default of https, which the parser leaves out.
        if url.port().is_some() { Err(UrlRefusal::Port) } else { Ok(()) }
    }
}

/// Whether the host of a URL is `localhost`, `127.0.0.1` or `[::1]`.
fn is_on_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(address)) => address == Ipv4Addr::LOCALHOST,
        Some(Host::Ipv6(address)) => address == Ipv6Addr::LOCALHOST,
        None => false,
    }
}

/// The host of a URL, in lowercase and without the dot of the root. The same name with that dot is the same host.
fn host_name(url: &Url) -> Option<&str> {
    Some(url.host_str()?.trim_end_matches('.')).filter(|name| !name.is_empty())
}

/// A name without a dot has one of a local network's search domains added.
fn is_local_name(name: &str) -> bool {
    !name.contains('.') || LOCAL_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

fn is_localhost(name: &str) -> bool {
    name.trim_end_matches('.') == "localhost"
}

impl std::fmt::Display for UrlRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            UrlRefusal::TooLong => "must have at most 2,000 characters",
            UrlRefusal::Invalid => "must be an absolute URL without spaces, such as https://hooks.example.com/events",
            UrlRefusal::NotHttps => "must use https",
            UrlRefusal::UserInfo => "must not contain a user name or a password",
            UrlRefusal::Fragment => "must not contain a fragment (#)",
            UrlRefusal::Address(special) => return write!(f, "must be on the public internet: its host is {special}"),
            UrlRefusal::LocalName => "must be on the public internet: its host has a local name",
            UrlRefusal::OwnService => "must not be an address of this service",
            UrlRefusal::Port => "must use port 443",
        })
    }
}

#[cfg(test)]
mod tests;
