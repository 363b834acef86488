//! The document of one shape, without unions of the shapes. A client that is generated from it does not compile with a
//! body of the other shape (D80).
//!
//! Names say which shape a component, an example or a link has: `FlatCampaign`, `enveloped_targets`. Endpoints that always
//! have one shape keep it in both documents.

#[cfg(test)]
mod tests;
mod unused;

use super::super::Shape;
use super::ordered_json::{Members, OrderedJson, object, reference, string};
use std::collections::BTreeMap;
use unused::without_unused;

/// The schemas of one shape whose names do not say so.
const NAMED_OTHERWISE: [(&str, Shape); 4] = [
    ("DryRunResults", Shape::Enveloped),
    ("Event", Shape::Flat),
    ("MultiTargetCreate", Shape::Enveloped),
    ("TargetResults", Shape::Enveloped),
];
/// Schemas with the values of both shapes, and their parts.
const OF_BOTH: [(&str, [&str; 2]); 2] =
    [("PlatformFilter", ["Platform", "EnvelopedPlatform"]), ("StatusFilter", ["FlatStatus", "EnvelopedStatus"])];
/// What descriptions say of the choice between the shapes.
const CHOICE: [&str; 7] = [
    ", in either shape",
    " An upper-case name selects the enveloped shape.",
    " Selects the enveloped shape, unless `X-API-Shape` says flat.",
    " An empty page is equal in both shapes.",
    " An empty page is valid in both.",
    " Both shapes.",
    " Detected from the request if absent.",
];
const SCHEMAS: &str = "#/components/schemas/";
const SHAPE_PARAMETER: &str = "#/components/parameters/Shape";

/// The shape that a name says.
fn named_shape(name: &str) -> Option<Shape> {
    let name = name.to_ascii_lowercase();
    let says = |shape: &Shape| name.contains(shape.as_str());
    [Shape::Flat, Shape::Enveloped].into_iter().find(says)
}

/// The shape of a schema, if it has one.
fn schema_shape(name: &str) -> Option<Shape> {
    let otherwise = NAMED_OTHERWISE.iter().find(|(known, _)| *known == name);
    otherwise.map_or_else(|| named_shape(name), |(_, shape)| Some(*shape))
}

/// The name of the schema that a value refers to.
fn schema_name(value: &OrderedJson) -> Option<&str> {
    value.text_at("$ref").strip_prefix(SCHEMAS)
}

/// The alternatives of a schema.
fn alternatives(schema: &OrderedJson) -> &[OrderedJson] {
    schema.get("oneOf").or_else(|| schema.get("anyOf")).map(OrderedJson::items).unwrap_or_default()
}

/// Whether both shapes are among the alternatives.
fn is_union_of_shapes(alternatives: &[OrderedJson]) -> bool {
    let has = |shape| alternatives.iter().filter_map(schema_name).any(|name| schema_shape(name) == Some(shape));
    has(Shape::Flat) && has(Shape::Enveloped)
}

/// The document of a shape.
pub(super) fn in_shape(document: &OrderedJson, shape: Shape) -> OrderedJson {
    let narrowing = Narrowing { shape, substitutes: substitutes(document, shape) };
    let members = document.members().iter().map(|(name, value)| {
        let narrowed = match name.as_str() {
            "info" => narrowing.info(value),
            "paths" => narrowing.paths(value),
            "components" => narrowing.components(value),
            _ => narrowing.value(value),
        };
        (name.clone(), narrowed)
    });
    without_unused(OrderedJson::Object(members.collect()))
}

/// What stands for a schema with both shapes, where that is one other schema.
fn substitutes(document: &OrderedJson, shape: Shape) -> BTreeMap<&str, &str> {
    let schemas = document.child("components").child("schemas").members();
    let unions = schemas.iter().filter(|(_, schema)| is_union_of_shapes(alternatives(schema)));
    let of_union = unions.filter_map(|(name, schema)| {
        let names = alternatives(schema).iter().filter_map(schema_name);
        let mut own = names.filter(|name| schema_shape(name) == Some(shape));
        own.next().filter(|_| own.next().is_none()).map(|only| (name.as_str(), only))
    });
    let of_values = OF_BOTH.into_iter().map(|(name, [flat, enveloped])| match shape {
        Shape::Flat => (name, flat),
        Shape::Enveloped => (name, enveloped),
    });
    of_union.chain(of_values).collect()
}

struct Narrowing<'a> {
    shape: Shape,
    substitutes: BTreeMap<&'a str, &'a str>,
}

impl Narrowing<'_> {
    fn value(&self, value: &OrderedJson) -> OrderedJson {
        match value {
            OrderedJson::Object(members) => OrderedJson::Object(self.members(members)),
            OrderedJson::Array(items) => OrderedJson::Array(items.iter().map(|item| self.value(item)).collect()),
            OrderedJson::Scalar(_) => value.clone(),
        }
    }

    fn members(&self, members: &[(String, OrderedJson)]) -> Members {
        members.iter().map(|(name, value)| (name.clone(), self.member(name, value))).collect()
    }

    fn member(&self, name: &str, value: &OrderedJson) -> OrderedJson {
        match (name, value.text()) {
            ("$ref", Some(path)) => string(self.substitute(path)),
            ("description", Some(text)) => {
                string(CHOICE.iter().fold(text.to_owned(), |text, said| text.replace(said, "")))
            }
            ("oneOf" | "anyOf", _) if is_union_of_shapes(value.items()) => {
                let is_own = |item: &&OrderedJson| schema_name(item).and_then(schema_shape) == Some(self.shape);
                OrderedJson::Array(value.items().iter().filter(is_own).map(|item| self.value(item)).collect())
            }
            ("examples" | "links" | "x-error-codes", _) if !value.members().is_empty() => {
                OrderedJson::Object(self.members(&self.without_the_other(value.members())))
            }
            _ => self.value(value),
        }
    }

    fn substitute(&self, path: &str) -> String {
        let substitute = path.strip_prefix(SCHEMAS).and_then(|name| self.substitutes.get(name));
        substitute.map_or_else(|| path.to_owned(), |name| format!("{SCHEMAS}{name}"))
    }

    /// The members whose names do not say the other shape. All of them, if they are of the other shape alone: an endpoint
    /// that has no choice.
    fn without_the_other(&self, members: &[(String, OrderedJson)]) -> Members {
        let is_own = |(name, _): &&(String, OrderedJson)| named_shape(name).is_none_or(|shape| shape == self.shape);
        let own: Members = members.iter().filter(is_own).cloned().collect();
        if own.is_empty() { members.to_vec() } else { own }
    }

    fn paths(&self, paths: &OrderedJson) -> OrderedJson {
        let item = |item: &OrderedJson| {
            object(item.members().iter().map(|(method, operation)| (method.clone(), self.operation(operation))))
        };
        object(paths.members().iter().map(|(path, operations)| (path.clone(), item(operations))))
    }

    /// An operation without the responses that only a request of the other shape has. An operation with one shape loses
    /// its 405, because only undocumented methods get it.
    fn operation(&self, operation: &OrderedJson) -> OrderedJson {
        let mut parameters = operation.child("parameters").items().iter();
        let has_choice = parameters.any(|parameter| parameter.text_at("$ref") == SHAPE_PARAMETER);
        let is_own = |(_, response): &&(String, OrderedJson)| {
            let schema = response.at(&["content", "application/json", "schema"]).and_then(schema_name);
            let is_other = schema.and_then(schema_shape).is_some_and(|shape| shape != self.shape);
            let is_of_both = response.text_at("$ref").contains("/Either");
            if has_choice { !is_other } else { !is_of_both }
        };
        let responses = operation.child("responses").members().iter().filter(is_own).cloned();
        let own = OrderedJson::Object(responses.collect());
        object(operation.members().iter().map(|(name, value)| {
            let value = if name == "responses" { &own } else { value };
            (name.clone(), self.member(name, value))
        }))
    }

    /// The components. The header that chooses the shape is required and has one value.
    fn components(&self, components: &OrderedJson) -> OrderedJson {
        let members = components.members().iter();
        let mut narrowed = object(members.map(|(kind, all)| (kind.clone(), self.value(all))));
        let value = || string(self.shape.as_str());
        let schema = narrowed.get_mut("schemas").and_then(|schemas| schemas.get_mut("Shape"));
        if let Some(values) = schema.and_then(|schema| schema.get_mut("enum")) {
            *values = OrderedJson::Array(vec![value()]);
        }
        let parameter = narrowed.get_mut("parameters").and_then(|parameters| parameters.get_mut("Shape"));
        if let Some(OrderedJson::Object(members)) = parameter {
            members.insert(2, ("required".to_owned(), OrderedJson::Scalar(true.into())));
            if let Some((_, schema)) = members.iter_mut().find(|(name, _)| name == "schema") {
                // Generators overlook a default beside a `$ref`. With one, their clients need not name the shape.
                let named = OrderedJson::Array(vec![reference("schemas", "Shape")]);
                *schema = object([("allOf", named), ("default", value())]);
            }
        }
        narrowed
    }

    fn info(&self, info: &OrderedJson) -> OrderedJson {
        let shape = self.shape.as_str();
        object(info.members().iter().map(|(name, value)| {
            let value = match (name.as_str(), value.text()) {
                ("title", Some(title)) => string(format!("{title}, {shape}")),
                ("description", Some(text)) => string(self.introduction(text)),
                _ => value.clone(),
            };
            (name.clone(), value)
        }))
    }

    /// The description of the API, with this document's shape instead of the choice.
    fn introduction(&self, text: &str) -> String {
        let shape = self.shape.as_str();
        let own = format!(
            "**Shape.** This document has the {shape} shape only: every request of an endpoint that lists `X-API-Shape` \
             sends `X-API-Shape: {shape}`. Endpoints that do not list it always have one shape."
        );
        let paragraph = |paragraph: &str| {
            if paragraph.starts_with("**Two shapes.**") { own.clone() } else { paragraph.to_owned() }
        };
        text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n")
    }
}
