//! HTML pages, for example at the end of an authorization. They have no scripts, load nothing, and forbid framing.

use super::response::empty;
use askama::Template;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// A page with a heading and paragraphs of plain text.
#[derive(Debug, Template)]
#[template(path = "page.html")]
pub struct Page {
    /// Selects the status.
    pub outcome: PageOutcome,
    /// Title and heading.
    pub title: String,
    /// Paragraphs of plain text.
    pub paragraphs: Vec<String>,
}

/// The outcome that a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOutcome {
    /// Success, or a denial by the user: 200.
    Done,
    /// Rejected: 400.
    Refused,
    /// The platform failed: 502.
    PlatformFailed,
    /// Internal error: 500.
    Failed,
}

impl Page {
    pub(super) fn response(&self) -> Response<Body> {
        let mut response = html_response(self.render().ok());
        *response.status_mut() = match self.outcome {
            PageOutcome::Done => StatusCode::OK,
            PageOutcome::Refused => StatusCode::BAD_REQUEST,
            PageOutcome::PlatformFailed => StatusCode::BAD_GATEWAY,
            PageOutcome::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        response
    }
}

/// An HTML response. Its headers forbid scripts, external resources and framing. `None` is a failed template: 500.
pub(super) fn html_response(page: Option<String>) -> Response<Body> {
    let Some(page) = page else { return empty(StatusCode::INTERNAL_SERVER_ERROR) };
    let mut response = Response::new(Body::Text(page));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_ad_account_is_escaped() {
        let page =
            Page { outcome: PageOutcome::Done, title: "a".into(), paragraphs: vec!["<script>\"x\" & 'y'".into()] };
        assert!(page.render().unwrap().contains("<p>&#60;script&#62;&#34;x&#34; &#38; &#39;y&#39;</p>"));
    }
}
