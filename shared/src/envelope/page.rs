//! The small pages that a person sees, at the end of an authorization for one. No script, no foreign resource, no frame.

use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use lambda_http::Body;

/// A page: a heading and paragraphs of plain text.
#[derive(Debug)]
pub struct Page {
    /// What it tells of.
    pub outcome: PageOutcome,
    /// Heading and title.
    pub title: String,
    /// Paragraphs, escaped when rendered.
    pub paragraphs: Vec<String>,
}

/// What a page tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageOutcome {
    /// Something done, a denial by the user included: 200.
    Done,
    /// Something refused: 400.
    Refused,
    /// A platform that failed: 502.
    PlatformFailed,
    /// Our own fault: 500.
    Failed,
}

const STYLE: &str = "body{font:1.05rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem;\
color:#1c2430;background:#f6f7f9}main{background:#fff;border:1px solid #dde1e7;border-radius:12px;padding:1.5rem 2rem}\
h1{font-size:1.4rem;margin:.2rem 0 1rem}footer{color:#5b6675;font-size:.85rem;margin-top:1.5rem}";

impl Page {
    pub(super) fn response(&self) -> Response<Body> {
        let mut response = html(self.html());
        *response.status_mut() = match self.outcome {
            PageOutcome::Done => StatusCode::OK,
            PageOutcome::Refused => StatusCode::BAD_REQUEST,
            PageOutcome::PlatformFailed => StatusCode::BAD_GATEWAY,
            PageOutcome::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        response
    }

    fn html(&self) -> String {
        let title = escaped(&self.title);
        let paragraphs: String = self.paragraphs.iter().map(|text| format!("<p>{}</p>\n", escaped(text))).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{paragraphs}\
             <footer>Unified Ads</footer>\n</main>\n</body>\n</html>\n"
        )
    }
}

/// A page as an answer: its browser runs no script, loads nothing, and shows it in no frame.
pub(super) fn html(page: String) -> Response<Body> {
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

/// Text that cannot become markup.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_platform_calls_an_account_cannot_become_markup() {
        let page =
            Page { outcome: PageOutcome::Done, title: "a".into(), paragraphs: vec!["<script>\"x\" & 'y'".into()] };
        assert!(page.html().contains("<p>&lt;script&gt;&quot;x&quot; &amp; &#39;y&#39;</p>"));
    }
}
