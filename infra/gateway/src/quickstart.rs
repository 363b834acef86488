//! The first steps with the API: printed in the terminal at the start, and shown on the page at `/`.

use crate::error::StartError;
use crate::options::{DEFAULT_FOLDER, Storage};
use askama::Template;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};
use std::path::Path;

/// Shell commands from the first connection to a deleted campaign. Their headings have no `#`: an interactive zsh does
/// not accept comments.
#[derive(Template)]
#[template(path = "quickstart.txt")]
pub(crate) struct Steps<'a> {
    /// URL of the gateway, without a trailing slash.
    pub(crate) gateway: &'a str,
    pub(crate) api_key: &'a str,
    /// The command that receives events.
    pub(crate) listen: &'a str,
}

/// The command that receives events of a gateway. A folder has its address and the demo customer's key; memory has none.
pub(crate) fn listen_command(storage: &Storage, gateway: &str, api_key: &str) -> String {
    let command = "cargo local listen http://localhost:4000/webhooks";
    match storage {
        Storage::Folder(folder) | Storage::Shared(folder) if folder == Path::new(DEFAULT_FOLDER) => command.to_owned(),
        Storage::Folder(folder) | Storage::Shared(folder) => format!("{command} --data {}", folder.display()),
        Storage::Memory => format!("UNIFIED_ADS_KEY={api_key} {command} --api {gateway}"),
    }
}

#[derive(Template)]
#[template(path = "quickstart.html")]
struct Page<'a> {
    dashboard: &'static str,
    sandbox: &'a str,
    steps: Steps<'a>,
}

/// Renders the page at `/`. It never holds the API key: any page open in the browser could read it here.
pub(crate) fn page(gateway: &str, sandbox: &str, storage: &Storage) -> Result<String, StartError> {
    let api_key = "uac_test_...";
    let steps = Steps { gateway, api_key, listen: &listen_command(storage, gateway, api_key) };
    let page = Page { dashboard: shared::routes::DASHBOARD, sandbox, steps };
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
        let (gateway, api_key) = ("http://127.0.0.1:8080", "uac_test_x");
        let listen = &listen_command(&Storage::Folder(DEFAULT_FOLDER.into()), gateway, api_key);
        let steps = Steps { gateway, api_key, listen }.render().unwrap();
        assert!(steps.contains("API=http://127.0.0.1:8080/v1\n") && steps.contains("KEY=uac_test_x\n"), "{steps}");
        assert_eq!((steps.matches("8080").count(), steps.matches("uac_test_x").count()), (1, 1));
    }

    #[test]
    fn the_listen_command_has_an_option_only_where_the_default_is_wrong() {
        let command = |storage| listen_command(&storage, "http://127.0.0.1:1", "uac_test_x");
        let default = command(Storage::Folder(DEFAULT_FOLDER.into()));
        assert_eq!(command(Storage::Shared("other".into())), format!("{default} --data other"));
        let memory = format!("UNIFIED_ADS_KEY=uac_test_x {default} --api http://127.0.0.1:1");
        assert_eq!(command(Storage::Memory), memory);
    }

    #[test]
    fn the_page_escapes_its_values() {
        let page = page("http://127.0.0.1:1", "http://h/<script>", &Storage::Memory).unwrap();
        assert!(!page.contains("<script>"), "{page}");
        assert!(!page.contains("\"X-API-Key: $KEY\"") && page.contains("X-API-Key: $KEY"), "{page}");
    }
}
