//! A platform under test: without a server, at a fixed time.

use crate::http::{Request, Response};
use crate::service::{RequestContext, Service, Settings};
use jiff::Timestamp;

/// The time of every test: 07:00 in New York, 21:00 in Tokyo.
pub(crate) const NOON: &str = "2026-03-02T12:00:00Z";

/// A platform with a clock and settings.
pub(crate) struct Session<P> {
    pub(crate) platform: P,
    pub(crate) now: Timestamp,
    pub(crate) settings: Settings,
}

impl<P: Service + Default> Session<P> {
    /// A new platform at noon.
    pub(crate) fn at_noon() -> Self {
        Self { platform: P::default(), now: NOON.parse().unwrap(), settings: Settings::default() }
    }

    pub(crate) fn quirk(&mut self, name: &'static str) {
        self.settings.quirks.insert(name);
    }

    pub(crate) fn send(&mut self, request: &Request) -> Response {
        let context = RequestContext { now: self.now, settings: &self.settings, is_ignored: false };
        self.platform.handle(request, &context)
    }
}

/// A request to a path, which may have a query.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body: body.to_owned(),
    }
}
