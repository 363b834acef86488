//! JSON schemas on the pages: types, fields and error codes.

use super::super::SCHEMAS;
use super::super::expand::expanded;
use super::super::ordered_json::OrderedJson;
use askama::Template;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Constraints that the page shows after a type, under their names in JSON Schema.
const CONSTRAINTS: [&str; 7] =
    ["minimum", "exclusiveMinimum", "maximum", "default", "minLength", "maxLength", "pattern"];

/// The page of each named schema.
static PAGES: LazyLock<BTreeMap<String, &str>> = LazyLock::new(|| {
    let of_file = |(page, text): (&'static str, &str)| {
        expanded(text).into_members().into_iter().map(move |(name, _)| (name, page))
    };
    SCHEMAS.into_iter().flat_map(of_file).collect()
});

/// The page that explains a named schema.
pub(super) fn page(name: &str) -> &'static str {
    PAGES.get(name).copied().unwrap_or_default()
}

/// The type of a value: `string or null`, a link to a named schema, the values of an enumeration.
#[derive(Template)]
#[template(path = "docs_type.html")]
pub(super) struct TypeName<'a> {
    schema: &'a OrderedJson,
}

/// The type of a value.
pub(super) fn type_name(schema: &OrderedJson) -> TypeName<'_> {
    TypeName { schema }
}

impl<'a> TypeName<'a> {
    fn reference(&self) -> Option<&'a str> {
        self.schema.text_at("$ref").strip_prefix("#/components/schemas/")
    }

    /// The alternatives of a schema without a type of its own.
    fn alternatives(&self) -> &'a [OrderedJson] {
        let schema = self.schema;
        if schema.get("type").is_some() {
            return &[];
        }
        schema.get("oneOf").or_else(|| schema.get("anyOf")).map(OrderedJson::items).unwrap_or_default()
    }

    /// The allowed values of an enumeration or a constant.
    fn values(&self) -> Vec<String> {
        if let Some(values) = self.schema.get("enum") {
            return values.items().iter().map(literal).collect();
        }
        self.schema.get("const").map(literal).into_iter().collect()
    }

    fn types(&self) -> String {
        let types = self.schema.child("type");
        let several: Vec<&str> = types.items().iter().filter_map(OrderedJson::text).collect();
        if several.is_empty() { types.text().unwrap_or_default().to_owned() } else { several.join(" or ") }
    }

    fn format(&self) -> Option<&'a str> {
        self.schema.get("format").and_then(OrderedJson::text)
    }

    fn constraints(&self) -> impl Iterator<Item = (&'static str, String)> {
        CONSTRAINTS.into_iter().filter_map(|name| Some((name, literal(self.schema.get(name)?))))
    }
}

/// A value as text: a string without its quotes.
pub(super) fn literal(value: &OrderedJson) -> String {
    value.text().map_or_else(|| serde_json::to_string(value).unwrap_or_default(), str::to_owned)
}

/// A field of an object schema.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) is_required: bool,
    pub(super) schema: &'a OrderedJson,
}

/// The fields of a schema.
pub(super) fn fields(schema: &OrderedJson) -> Vec<Field<'_>> {
    let required = schema.child("required").items();
    let properties = schema.child("properties").members().iter();
    properties
        .map(|(name, schema)| Field {
            name,
            is_required: required.iter().any(|required| required.text() == Some(name)),
            schema,
        })
        .collect()
}

/// The error codes of a response, in all shapes.
pub(super) fn error_codes(response: &OrderedJson) -> impl Iterator<Item = &str> {
    let shapes = response.child("x-error-codes").members().iter();
    shapes.flat_map(|(_, codes)| codes.items()).filter_map(OrderedJson::text)
}
