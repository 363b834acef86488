//! Why a call has no answer.

use super::{SpecialUse, UrlRefusal};
use std::error::Error;
use std::io;

/// The reason why there is no response. No variant holds a part of the URL, which may contain a token, or an address,
/// which may be known to a private network only. The text is for the customer who chose the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicFailure {
    /// The URL is not allowed. Nothing was sent.
    Url(UrlRefusal),
    /// At least one address of the name is not allowed. Nothing was sent.
    Address(SpecialUse),
    /// The name has no address. Nothing was sent.
    NotResolved,
    /// No address accepts connections. Nothing was sent.
    NotConnected,
    /// TLS failed, mostly because of the certificate.
    Tls,
    /// The response did not begin in time: the request may have taken effect.
    TimedOut,
    /// The connection broke before a response, or what came is not HTTP: the request may have taken effect.
    Broken,
}

/// Drops the error itself: it contains the URL.
pub(super) fn classify(error: &reqwest::Error) -> PublicFailure {
    if let Some(failure) = causes(error).find_map(|cause| cause.downcast_ref::<PublicFailure>()) {
        *failure
    } else if causes(error).any(|cause| cause.is::<rustls::Error>()) {
        PublicFailure::Tls
    } else if error.is_timeout() {
        PublicFailure::TimedOut
    } else if error.is_connect() || error.is_builder() {
        PublicFailure::NotConnected
    } else {
        PublicFailure::Broken
    }
}

/// An error and its causes.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let error: &(dyn Error + 'static) = error;
    std::iter::successors(Some(error), cause_of)
}

/// The next cause. `source` of an I/O error skips the error that it wraps.
fn cause_of<'a>(error: &&'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    let error: &'a (dyn Error + 'static) = *error;
    match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

impl std::fmt::Display for PublicFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PublicFailure::Url(refusal) => return write!(f, "the URL {refusal}"),
            PublicFailure::Address(special) => return write!(f, "the host name resolves to {special}"),
            PublicFailure::NotResolved => "the host name does not resolve",
            PublicFailure::NotConnected => "the host accepts no connection",
            PublicFailure::Tls => "TLS failed: the certificate must be valid for the host, with its whole chain",
            PublicFailure::TimedOut => "no response in time",
            PublicFailure::Broken => "the connection ended before a complete response",
        })
    }
}

impl Error for PublicFailure {}
