//! The OpenAPI document as an HTML page with a console. The page loads nothing; its style and its script are inlined,
//! and its policy allows these two by their digests.

mod markup;
mod operation;
mod requests;
mod schema;

use super::ordered_json::OrderedJson;
use crate::digest::sha256_base64;
use askama::Template;
use markup::{inline, paragraphs};
use operation::Operation;
use requests::ExampleRequest;
use schema::{error_codes, fields, literal, type_name};
use std::collections::{BTreeMap, BTreeSet};

const STYLE: &str = include_str!("../../../../templates/docs.css");
/// The console. Without it the page is complete but for the forms.
const SCRIPT: &str = include_str!("../../../../templates/docs.js");

/// Renders the page.
pub(super) fn page(document: &OrderedJson) -> Result<String, askama::Error> {
    DocsPage { style: STYLE, script: SCRIPT, document, info: document.child("info") }.render()
}

/// The page's policy. The console calls this API only.
pub(super) fn content_security_policy() -> String {
    let script = sha256_base64(SCRIPT);
    let style = sha256_base64(STYLE);
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; connect-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    style: &'static str,
    script: &'static str,
    document: &'a OrderedJson,
    info: &'a OrderedJson,
}

/// The error codes of a status, and its meanings in different operations.
#[derive(Default)]
struct ErrorStatus<'a> {
    codes: BTreeSet<&'a str>,
    meanings: BTreeSet<&'a str>,
}

impl<'a> DocsPage<'a> {
    fn operations(&self) -> impl Iterator<Item = Operation<'a>> {
        self.document.child("paths").members().iter().flat_map(|(path, item)| {
            item.members().iter().map(move |(method, json)| Operation { method: method.to_uppercase(), path, json })
        })
    }

    /// The tags of operations. That of the webhooks has a table of its own.
    fn tags(&self) -> impl Iterator<Item = &'a OrderedJson> {
        let tags = self.document.child("tags").items().iter();
        tags.filter(|tag| !self.operations_of(tag).is_empty())
    }

    fn operations_of(&self, tag: &OrderedJson) -> Vec<Operation<'a>> {
        let name = tag.text_at("name");
        let has_tag =
            |operation: &Operation<'_>| operation.json.child("tags").items().iter().any(|tag| tag.text() == Some(name));
        self.operations().filter(has_tag).collect()
    }

    fn parameters(&self, operation: &Operation<'a>) -> Vec<&'a OrderedJson> {
        let parameters = operation.json.child("parameters").items();
        parameters.iter().map(|parameter| parameter.resolved(self.document)).collect()
    }

    /// The example of a request, in each language.
    fn requests(&self, operation: &Operation<'a>) -> [(&'static str, String); 3] {
        ExampleRequest::new(operation, &self.parameters(operation), self.document).in_languages()
    }

    /// The values of a parameter that is an enumeration; empty for any other.
    fn values(&self, parameter: &OrderedJson) -> Vec<String> {
        parameter.child("schema").resolved(self.document).child("enum").items().iter().map(literal).collect()
    }

    /// The examples of a body, each with a title and formatted JSON.
    fn examples(&self, media: &OrderedJson) -> Vec<(String, String)> {
        let named = |(name, example): &(String, OrderedJson)| {
            let example = example.resolved(self.document);
            let title = if example.text_at("summary").is_empty() { name.as_str() } else { example.text_at("summary") };
            (format!("Example: {title}"), formatted(example.child("value")))
        };
        let named = media.child("examples").members().iter().map(named);
        named.chain(media.get("example").map(|example| ("Example".to_owned(), formatted(example)))).collect()
    }

    /// Error responses by status. Operations share them through `$ref`, so the page explains each status once.
    fn error_statuses(&self) -> BTreeMap<&'a str, ErrorStatus<'a>> {
        let mut statuses: BTreeMap<&str, ErrorStatus<'_>> = BTreeMap::new();
        for (status, response) in self.operations().flat_map(|operation| operation.errors()) {
            let response = response.resolved(self.document);
            let known = statuses.entry(status).or_default();
            known.codes.extend(error_codes(response));
            known.meanings.insert(response.text_at("description"));
        }
        statuses
    }

    fn schemas(&self) -> &'a [(String, OrderedJson)] {
        self.document.child("components").child("schemas").members()
    }
}

/// JSON on several lines.
fn formatted(value: &OrderedJson) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
