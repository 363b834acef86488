//! The first steps with the API: printed in the terminal at the start, and shown on the page at `/`.

use crate::error::StartError;
use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};

/// Shell commands from the first connection to a deleted campaign. Their headings have no `#`: an interactive zsh does
/// not accept comments.
#[derive(Template)]
#[template(path = "quickstart.txt")]
pub(crate) struct Steps<'a> {
    /// URL of the gateway, without a trailing slash.
    pub(crate) gateway: &'a str,
    pub(crate) api_key: &'a str,
}

#[derive(Template)]
#[template(path = "quickstart.html")]
struct Page<'a> {
    dashboard: &'static str,
    sandbox: &'a str,
    steps: Steps<'a>,
}

/// Renders the page at `/`. It never holds the API key: any page open in the browser could read it here.
pub(crate) fn page(gateway: &str, sandbox: &str) -> Result<String, StartError> {
    let page =
        Page { dashboard: shared::routes::DASHBOARD, sandbox, steps: Steps { gateway, api_key: "uac_test_..." } };
    page.render().map_err(|error| StartError::Service(error.into()))
}

/// The response that carries the page.
pub(crate) fn response(page: &str) -> Response {
    let mut response = Response::new(Body::from(page.to_owned()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_contain_the_address_and_the_key_once() {
        let steps = Steps { gateway: "http://127.0.0.1:8080", api_key: "uac_test_x" }.render().unwrap();
        assert!(steps.contains("API=http://127.0.0.1:8080/v1\n") && steps.contains("KEY=uac_test_x\n"), "{steps}");
        assert_eq!((steps.matches("8080").count(), steps.matches("uac_test_x").count()), (1, 1));
    }

    #[test]
    fn the_page_escapes_its_values() {
        let page = page("http://127.0.0.1:1", "http://h/<script>").unwrap();
        assert!(!page.contains("<script>"), "{page}");
        assert!(!page.contains("\"X-API-Key: $KEY\"") && page.contains("X-API-Key: $KEY"), "{page}");
    }
}
