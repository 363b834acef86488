//! The OpenAPI document as an HTML page. The page has no scripts and loads nothing.

mod markup;
mod schema;

use super::ordered_json::OrderedJson;
use askama::Template;
use markup::{inline, paragraphs};
use schema::{error_codes, fields, type_name};
use std::collections::{BTreeMap, BTreeSet};

/// Renders the page.
pub(super) fn page(document: &OrderedJson) -> Result<String, askama::Error> {
    DocsPage { document, info: document.child("info"), tags: document.child("tags").items() }.render()
}

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    document: &'a OrderedJson,
    info: &'a OrderedJson,
    tags: &'a [OrderedJson],
}

/// An operation of the document.
struct Operation<'a> {
    method: String,
    path: &'a str,
    json: &'a OrderedJson,
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

impl<'a> Operation<'a> {
    fn is_public(&self) -> bool {
        self.json.get("security").is_some_and(|schemes| schemes.items().is_empty())
    }

    fn request_body(&self) -> Option<&'a OrderedJson> {
        self.json.at(&["requestBody", "content", "application/json"])
    }

    /// The responses that belong to this operation alone: all but the shared errors.
    fn responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_none())
    }

    fn errors(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.all_responses().filter(|(_, response)| response.get("$ref").is_some())
    }

    fn all_responses(&self) -> impl Iterator<Item = (&'a str, &'a OrderedJson)> + use<'a> {
        self.json.child("responses").members().iter().map(|(status, response)| (status.as_str(), response))
    }
}

/// The examples of a body, each with a title and formatted JSON.
fn examples(media: &OrderedJson) -> Vec<(String, String)> {
    let formatted = |value: &OrderedJson| serde_json::to_string_pretty(value).unwrap_or_default();
    let named = |(name, example): &(String, OrderedJson)| {
        let title = if example.text_at("summary").is_empty() { name.as_str() } else { example.text_at("summary") };
        (format!("Example: {title}"), formatted(example.get("value").unwrap_or(example)))
    };
    let named = media.child("examples").members().iter().map(named);
    named.chain(media.get("example").map(|example| ("Example".to_owned(), formatted(example)))).collect()
}
