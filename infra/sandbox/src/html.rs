//! HTML pages: plain forms, no script, nothing loaded from elsewhere.

use crate::http::Response;
use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest;

/// The style sheet of every page, inlined by `base.html`.
pub(crate) const STYLE: &str = include_str!("../templates/style.css");

/// A page with one sentence.
#[derive(Template)]
#[template(path = "message.html")]
pub(crate) struct Message<'a> {
    pub(crate) title: &'a str,
    pub(crate) message: &'a str,
}

/// Renders a page with its security headers.
pub(crate) fn page(status: u16, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => Response::new(status, "text/html; charset=utf-8", html)
            .with("content-security-policy", content_security_policy())
            .with("cache-control", "no-store")
            .with("referrer-policy", "no-referrer"),
        Err(error) => Response::new(500, "text/plain; charset=utf-8", format!("the page did not render: {error}")),
    }
}

/// Allows the inlined style and nothing else. `form-action` allows every host: browsers apply it to each redirect
/// after a form, and consent redirects to the client's address.
fn content_security_policy() -> String {
    let style = STANDARD.encode(digest::digest(&digest::SHA256, STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self' http: https:; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}
