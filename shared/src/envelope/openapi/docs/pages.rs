//! The pages of the reference.

use super::super::ordered_json::OrderedJson;
use super::frame::{Frame, Group, operations};
use super::markup::{code_text, inline, paragraphs, titled_paragraphs};
use super::operation::Operation;
use super::samples::{Sample, connections, formatted};
use super::schema::{Field, error_codes, fields, literal, page, type_name};
use askama::Template;
use std::collections::{BTreeMap, BTreeSet};

/// The first page: what holds for all endpoints.
#[derive(Template)]
#[template(path = "docs_overview.html")]
pub(super) struct Overview<'a> {
    pub(super) frame: Frame<'a>,
}

/// The endpoints of a group.
#[derive(Template)]
#[template(path = "docs_group.html")]
pub(super) struct GroupPage<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) group: Group<'a>,
}

/// The types of some files.
#[derive(Template)]
#[template(path = "docs_types.html")]
pub(super) struct TypesPage<'a> {
    pub(super) frame: Frame<'a>,
}

/// The error codes of a status, and its meanings in different operations.
#[derive(Default)]
struct ErrorStatus<'a> {
    codes: BTreeSet<&'a str>,
    meanings: BTreeSet<&'a str>,
}

impl<'a> Overview<'a> {
    fn component(&self, kind: &str, name: &str) -> &'a OrderedJson {
        self.frame.document.child("components").child(kind).child(name)
    }

    fn headers(&self) -> BTreeMap<String, &'a str> {
        let document = self.frame.document;
        let responses = operations(document).flat_map(|operation| operation.all_responses());
        let headers = responses.flat_map(|(_, response)| response.resolved(document).child("headers").members());
        headers.map(|(name, header)| (name.clone(), header.resolved(document).text_at("description"))).collect()
    }

    /// Error responses by status. Operations share them through `$ref`, so the page explains each status once.
    fn error_statuses(&self) -> BTreeMap<&'a str, ErrorStatus<'a>> {
        let mut statuses: BTreeMap<&str, ErrorStatus<'_>> = BTreeMap::new();
        for (status, response) in operations(self.frame.document).flat_map(|operation| operation.errors()) {
            let response = response.resolved(self.frame.document);
            let known = statuses.entry(status).or_default();
            known.codes.extend(error_codes(response));
            known.meanings.insert(response.text_at("description"));
        }
        statuses
    }
}

impl<'a> GroupPage<'a> {
    /// The requests that the service sends to webhook endpoints, on the page of their group.
    fn webhooks(&self) -> &'a [(String, OrderedJson)] {
        if self.group.operations.is_empty() { self.frame.document.child("webhooks").members() } else { &[] }
    }

    fn has_console(&self) -> bool {
        self.group.operations.iter().any(|operation| operation.is_called_by_customers())
    }

    fn parameters(&self, operation: &Operation<'a>) -> Vec<&'a OrderedJson> {
        operation.parameters(self.frame.document)
    }

    /// The sample of a request; `None` for those that other parties send.
    fn sample<'b>(&'b self, operation: &'b Operation<'a>) -> Option<Sample<'b>> {
        let is_shown = operation.is_called_by_customers();
        is_shown.then(|| Sample::new(operation, self.frame.document, &self.frame.base_url))
    }

    /// The values of a parameter that is an enumeration; empty for any other.
    fn values(&self, parameter: &OrderedJson) -> Vec<String> {
        parameter.child("schema").resolved(self.frame.document).child("enum").items().iter().map(literal).collect()
    }

    /// The fields of a body: those of its type, or of each of its alternatives.
    fn body_fields(&self, media: &'a OrderedJson) -> Vec<(&'a str, Vec<Field<'a>>)> {
        let document = self.frame.document;
        let alternatives = |schema: &'a OrderedJson| match schema.resolved(document).child("oneOf").items() {
            [] => vec![schema],
            several => several.iter().collect(),
        };
        let schemas = alternatives(media.child("schema")).into_iter().flat_map(alternatives);
        let named = schemas.map(|schema| {
            let name = schema.text_at("$ref").rsplit('/').next().unwrap_or_default();
            (name, fields(schema.resolved(document)))
        });
        named.filter(|(_, fields)| !fields.is_empty()).collect()
    }

    /// The examples of a body, each with a title and formatted JSON.
    fn examples(&self, media: &OrderedJson) -> Vec<(String, String)> {
        let named = |(name, example): &(String, OrderedJson)| {
            let example = example.resolved(self.frame.document);
            let title = if example.text_at("summary").is_empty() { name.as_str() } else { example.text_at("summary") };
            (format!("Example: {title}"), formatted(example.child("value")))
        };
        let named = media.child("examples").members().iter().map(named);
        named.chain(media.get("example").map(|example| ("Example".to_owned(), formatted(example)))).collect()
    }
}

impl<'a> TypesPage<'a> {
    fn schemas(&self) -> Vec<(&'a str, &'a OrderedJson)> {
        let all = self.frame.document.child("components").child("schemas").members().iter();
        let own = all.filter(|(name, _)| page(name) == self.frame.name);
        own.map(|(name, schema)| (name.as_str(), schema)).collect()
    }
}
