//! Responses of the dashboard: pages, redirects after a form, downloads, and assets. They load nothing from other origins,
//! and no cache keeps a page.

use super::Asset;
use super::error_response::status_of;
use super::response::empty;
use crate::error::Error;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// The policy of a page before the targets of its forms.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'self'";

/// The policy of a download.
const DOWNLOAD_POLICY: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// A response of the dashboard.
#[derive(Debug)]
pub struct WebReply {
    content: WebContent,
    cookies: Vec<Cookie>,
    unsealed: Vec<Unsealed>,
}

#[derive(Debug)]
enum WebContent {
    Page { status: StatusCode, allow: Vec<&'static str>, html: Option<String>, form_targets: Vec<String> },
    SeeOther(String),
    Csv { name: String, text: String },
    Asset(&'static Asset),
}

/// A cookie that only this host sets and gets, over TLS, and that no script reads.
///
/// Browsers enforce the prefix `__Host-`. Chromium and Firefox accept it over HTTP on this machine, too.
#[derive(Debug)]
pub struct Cookie {
    /// The name, with the prefix `__Host-`.
    pub name: &'static str,
    pub value: SecretString,
    /// The time for which the browser keeps it.
    pub max_age: Duration,
}

/// A value for a later page of the same browser. No response sends it: somebody must seal it into a cookie first.
#[derive(Debug)]
pub struct Unsealed {
    /// The name of the cookie, with the prefix `__Host-`.
    pub name: &'static str,
    pub value: SecretString,
}

impl Cookie {
    /// Removes a cookie from the browser.
    pub fn removed(name: &'static str) -> Cookie {
        Cookie { name, value: SecretString::default(), max_age: Duration::ZERO }
    }

    fn header(&self) -> Option<HeaderValue> {
        let Cookie { name, value, max_age } = self;
        let value = value.expose_secret();
        let seconds = max_age.as_secs();
        let text = format!("{name}={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={seconds}");
        let mut header = HeaderValue::from_str(&text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }
}

impl WebReply {
    /// A page; `None` is a failed template. Browsers apply the policy of forms to the redirects that follow them, so
    /// `form_targets` lists the other origins at which a form of this page may end.
    pub fn page(html: Option<String>, form_targets: Vec<String>) -> WebReply {
        WebReply::of(WebContent::Page { status: StatusCode::OK, allow: Vec::new(), html, form_targets })
    }

    /// The page of an error.
    pub fn error_page(error: &Error, html: Option<String>) -> WebReply {
        let status = status_of(error.kind);
        let allow = error.allow.clone();
        WebReply::of(WebContent::Page { status, allow, html, form_targets: Vec::new() })
    }

    /// A redirect that the browser follows with GET.
    pub fn see_other(to: impl Into<String>) -> WebReply {
        WebReply::of(WebContent::SeeOther(to.into()))
    }

    /// A table that the browser saves under a name of ASCII letters, digits, `.` and `-`.
    pub fn csv(name: String, text: String) -> WebReply {
        WebReply::of(WebContent::Csv { name, text })
    }

    /// A file whose address changes with its content.
    pub(super) fn asset(asset: &'static Asset) -> WebReply {
        WebReply::of(WebContent::Asset(asset))
    }

    /// Adds a cookie.
    #[must_use]
    pub fn with_cookie(mut self, cookie: Cookie) -> WebReply {
        self.cookies.push(cookie);
        self
    }

    /// Adds a value that must be sealed before it is sent.
    #[must_use]
    pub fn with_unsealed(mut self, value: Unsealed) -> WebReply {
        self.unsealed.push(value);
        self
    }

    /// Takes the values that must be sealed before they are sent.
    pub fn take_unsealed(&mut self) -> Vec<Unsealed> {
        std::mem::take(&mut self.unsealed)
    }

    fn of(content: WebContent) -> WebReply {
        WebReply { content, cookies: Vec::new(), unsealed: Vec::new() }
    }

    pub(super) fn response(&self) -> Response<Body> {
        let mut response = match &self.content {
            WebContent::Page { status, allow, html: Some(html), form_targets } => {
                page(*status, allow, html, form_targets)
            }
            WebContent::Page { html: None, .. } => empty(StatusCode::INTERNAL_SERVER_ERROR),
            WebContent::SeeOther(to) => see_other(to),
            WebContent::Csv { name, text } => csv(name, text),
            WebContent::Asset(asset) => asset.response(),
        };
        for cookie in self.cookies.iter().filter_map(Cookie::header) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

fn page(status: StatusCode, allow: &[&str], html: &str, form_targets: &[String]) -> Response<Body> {
    let policy = form_targets.iter().fold(POLICY.to_owned(), |policy, target| format!("{policy} {target}"));
    let Ok(policy) = HeaderValue::from_str(&policy) else { return empty(StatusCode::INTERNAL_SERVER_ERROR) };
    let mut response = Response::new(Body::Text(html.to_owned()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if let (false, Ok(allow)) = (allow.is_empty(), HeaderValue::from_str(&allow.join(", "))) {
        headers.insert(header::ALLOW, allow);
    }
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // Not `no-referrer`: with it, browsers send `Origin: null` with our own forms.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

fn see_other(to: &str) -> Response<Body> {
    let Ok(mut to) = HeaderValue::from_str(to) else { return empty(StatusCode::INTERNAL_SERVER_ERROR) };
    // The address of the issuer contains the state.
    to.set_sensitive(true);
    let mut response = empty(StatusCode::SEE_OTHER);
    response.headers_mut().insert(header::LOCATION, to);
    response
}

fn csv(name: &str, text: &str) -> Response<Body> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let saved = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""));
    let (true, Ok(saved)) = (is_plain, saved) else { return empty(StatusCode::INTERNAL_SERVER_ERROR) };
    let mut response = Response::new(Body::Text(text.to_owned()));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(header::CONTENT_DISPOSITION, saved);
    // A browser that shows the file all the same must not run it.
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(DOWNLOAD_POLICY));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_for_this_host_and_hidden_from_logs() {
        let cookie = Cookie { name: "__Host-a", value: "canary".into(), max_age: Duration::from_secs(9) };
        let response = WebReply::see_other("/").with_cookie(cookie).response();
        let header = &response.headers()[header::SET_COOKIE];
        assert_eq!(header, "__Host-a=canary; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=9");
        assert!(!format!("{response:?}").contains("canary"));
    }

    #[test]
    fn a_value_that_nobody_sealed_is_not_sent() {
        let reply = || WebReply::see_other("/").with_unsealed(Unsealed { name: "__Host-a", value: "canary".into() });
        assert!(!reply().response().headers().contains_key(header::SET_COOKIE));
        assert_eq!(reply().take_unsealed().len(), 1);
    }

    #[test]
    fn a_download_is_saved_and_never_run() {
        let response = WebReply::csv("unified-ads-usage-2026-11-22.csv".to_owned(), "A\r\n".to_owned()).response();
        let header = |name: header::HeaderName| response.headers()[name].to_str().unwrap();
        assert_eq!(header(header::CONTENT_TYPE), "text/csv; charset=utf-8");
        let saved = "attachment; filename=\"unified-ads-usage-2026-11-22.csv\"";
        assert_eq!(header(header::CONTENT_DISPOSITION), saved);
        assert!(header(header::CONTENT_SECURITY_POLICY).contains("sandbox"));
        for name in ["a\"b", "a\r\nb", "../a", "ä"] {
            let response = WebReply::csv(name.to_owned(), String::new()).response();
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR, "{name}");
        }
    }
}
