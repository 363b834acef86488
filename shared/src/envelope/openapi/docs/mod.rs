//! The reference: the OpenAPI document as HTML pages. There is an overview, a page for each group of endpoints, and pages
//! of the types. A page loads its style and its script from this service, and nothing else.

mod frame;
mod markup;
mod operation;
mod pages;
mod samples;
mod schema;

use super::super::page::html_response;
use super::super::{Asset, WebReply};
use super::{CACHE_CONTROL, OrderedJson, TREE};
use askama::Template;
use frame::{Frame, TYPE_PAGES, groups};
use http::header::{self, HeaderValue};
use lambda_http::{Body, Response};
use pages::{GroupPage, Overview, TypesPage};
use std::sync::LazyLock;

/// What is before the name of a page or a file in its address.
const BEFORE: &str = "/v1/docs/";

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(BEFORE, "css", "text/css; charset=utf-8", include_str!("../../../../templates/docs.css"))
});
/// The console. Without it a page is complete but for the forms.
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new(BEFORE, "js", "text/javascript; charset=utf-8", include_str!("../../../../templates/docs.js"))
});
/// The policy of a page. The console calls this API only.
const CONTENT_SECURITY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
     form-action 'none'",
);

/// A page of the reference, or what such pages load.
#[derive(Debug)]
pub struct DocsPage(Content);

#[derive(Debug)]
enum Content {
    /// The text of a page; `None` is a failed template.
    Page(Option<String>),
    Asset(WebReply),
}

impl DocsPage {
    /// The page with this name in its address; the overview has none. Its samples send their requests to `base_url`,
    /// and without one to the address in the document.
    pub fn find(name: &str, base_url: Option<String>) -> Option<DocsPage> {
        let path = format!("{BEFORE}{name}");
        if let Some(asset) = [&STYLE, &SCRIPT].into_iter().find_map(|asset| asset.at(&path)) {
            return Some(DocsPage(Content::Asset(asset)));
        }
        let document = &*TREE;
        let base_url = base_url.filter(|url| is_plain(url)).unwrap_or_else(|| production_url(document));
        let group = groups(document).into_iter().find(|group| group.name == name);
        let types = TYPE_PAGES.into_iter().find(|(known, _)| *known == name);
        let html = match (name, group, types) {
            ("", _, _) => rendered(&Overview { frame: Frame { document, title: "Overview", name, base_url } }),
            (_, Some(group), _) => {
                let frame = Frame { document, title: group.title, name, base_url };
                rendered(&GroupPage { frame, group })
            }
            (_, None, Some((_, title))) => rendered(&TypesPage { frame: Frame { document, title, name, base_url } }),
            (_, None, None) => return None,
        };
        Some(DocsPage(Content::Page(html)))
    }

    pub(in super::super) fn response(&self) -> Response<Body> {
        let html = match &self.0 {
            Content::Page(html) => html.clone(),
            Content::Asset(asset) => return asset.response(),
        };
        let mut response = html_response(html);
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, CACHE_CONTROL);
        headers.insert(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
        response
    }
}

/// Names of all pages. That of the overview is empty.
#[cfg(test)]
fn names() -> Vec<String> {
    let groups = groups(&TREE).into_iter().map(|group| group.name);
    let types = TYPE_PAGES.into_iter().map(|(name, _)| name.to_owned());
    std::iter::once(String::new()).chain(groups).chain(types).collect()
}

fn rendered(template: &impl Template) -> Option<String> {
    template.render().inspect_err(|error| tracing::error!(%error, "a page of the reference did not render")).ok()
}

/// Whether a URL means itself within the quotes of a shell and of a program. A `Host` may have other characters.
fn is_plain(url: &str) -> bool {
    url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":/.-_[]".contains(&byte))
}

/// The URL of the first server, with the default values of its variables.
fn production_url(document: &OrderedJson) -> String {
    let Some(server) = document.child("servers").items().first() else { return String::new() };
    server.child("variables").members().iter().fold(server.text_at("url").to_owned(), |url, (name, variable)| {
        url.replace(&format!("{{{name}}}"), variable.text_at("default"))
    })
}

#[cfg(test)]
mod tests;
