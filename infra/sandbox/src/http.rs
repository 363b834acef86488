//! Requests and responses of the services as plain data, without I/O.

use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response as HttpResponse, StatusCode, header};
use serde_json::Value;
use std::collections::BTreeMap;
use url::form_urlencoded;

/// A request as a platform receives it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    /// Method in upper case.
    pub(crate) method: String,
    /// Path without the service's prefix, still percent-encoded.
    pub(crate) path: String,
    /// Raw query without the question mark.
    pub(crate) query: String,
    /// Values by lower-case name. The values of a repeated header are joined with commas.
    pub(crate) headers: BTreeMap<String, String>,
    /// Body as text; invalid UTF-8 is replaced.
    pub(crate) body: String,
}

impl Request {
    /// `path` is the path without the service's prefix.
    pub(crate) fn new(parts: &Parts, path: &str, body: &[u8]) -> Self {
        let mut headers = BTreeMap::<String, String>::new();
        for (name, value) in &parts.headers {
            let value = String::from_utf8_lossy(value.as_bytes());
            headers
                .entry(name.as_str().to_owned())
                .and_modify(|known| {
                    known.push_str(", ");
                    known.push_str(&value);
                })
                .or_insert_with(|| value.to_string());
        }
        // An in-process request may have its host in the URL only.
        if let Some(authority) = parts.uri.authority() {
            headers.entry("host".to_owned()).or_insert_with(|| authority.to_string());
        }
        Self {
            method: parts.method.to_string(),
            path: path.to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers,
            body: String::from_utf8_lossy(body).into_owned(),
        }
    }

    /// The value of a header by its lower-case name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// True if the content type is an HTML form.
    pub(crate) fn is_form(&self) -> bool {
        self.has_content_type("application/x-www-form-urlencoded")
    }

    /// True if the content type is JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.has_content_type("application/json")
    }

    fn has_content_type(&self, expected: &str) -> bool {
        has_content_type(self.header("content-type").unwrap_or_default(), expected)
    }
}

/// Compares a content type without its parameters.
pub(crate) fn has_content_type(content_type: &str, expected: &str) -> bool {
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(expected)
}

/// Decoded name-value pairs of a query or a form body, in order, repetitions included.
pub(crate) struct Pairs(Vec<(String, String)>);

impl Pairs {
    pub(crate) fn parse(encoded: &str) -> Self {
        Self(form_urlencoded::parse(encoded.as_bytes()).into_owned().collect())
    }

    /// The first value of `name`. An empty value counts as absent, as in OAuth.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let first = self.0.iter().find(|(known, _)| known == name);
        first.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Every pair, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Every value of `name`.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Every name, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The first of `names` that is repeated.
    pub(crate) fn repeated(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().find(|name| self.all(name).count() > 1).copied()
    }
}

/// The response to a request.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn new(status: u16, content_type: &str, body: impl Into<String>) -> Self {
        Self { status, headers: vec![("content-type", content_type.to_owned())], body: body.into() }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json; charset=UTF-8", body.to_string())
    }

    pub(crate) fn redirect(to: &str) -> Self {
        Self { status: 302, headers: vec![("location", to.to_owned())], body: String::new() }
            .with("cache-control", "no-store")
    }

    /// Redirect after a form: the client follows with GET.
    pub(crate) fn see_other(to: &str) -> Self {
        Self { status: 303, ..Self::redirect(to) }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Converts it into the type of the `http` crate.
    pub(crate) fn into_http(self) -> HttpResponse<Bytes> {
        let mut response = HttpResponse::new(Bytes::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        for (name, value) in self.headers {
            // A value with a line break can only come from a request, so the header is omitted.
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_without_a_host_header_has_the_host_of_its_url() {
        let read = |request: axum::http::request::Builder| {
            let (parts, ()) = request.body(()).unwrap().into_parts();
            Request::new(&parts, "/x", b"").header("host").map(str::to_owned)
        };
        let address = || axum::http::Request::get("http://sandbox.test:81/zeta_ads/x");
        assert_eq!(read(address()).as_deref(), Some("sandbox.test:81"));
        assert_eq!(read(address().header("host", "other")).as_deref(), Some("other"));
        assert_eq!(read(axum::http::Request::get("/zeta_ads/x")), None);
    }
}
