//! Schemas in words.

use super::super::super::page::escaped;
use super::super::tree::Tree;
use super::inline;

/// What a value is: `string or null`, a link to a named schema, the words of an enumeration.
pub(super) fn kind(schema: &Tree) -> String {
    if let Some(name) = schema.text_at("$ref").strip_prefix("#/components/schemas/") {
        let name = escaped(name);
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    for several in ["oneOf", "anyOf"] {
        if let (Some(choices), None) = (schema.get(several), schema.get("type")) {
            let choices: Vec<String> = choices.items().iter().map(kind).collect();
            return choices.join(" or ");
        }
    }
    if let Some(values) = schema.get("enum") {
        let values: Vec<String> = values.items().iter().map(literal).collect();
        return values.join(" ");
    }
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if let Some(items) = schema.get("items") {
        return format!("array of {}", kind(items));
    }
    let types = schema.get("type").map(types).unwrap_or_default();
    types + &limits(schema)
}

fn types(is: &Tree) -> String {
    let several: Vec<&str> = is.items().iter().filter_map(Tree::text).collect();
    if several.is_empty() { escaped(is.text().unwrap_or_default()) } else { escaped(&several.join(" or ")) }
}

/// What else is said of a value, by the document's own words for it.
fn limits(schema: &Tree) -> String {
    let words = ["format", "minimum", "exclusiveMinimum", "maximum", "default", "minLength", "maxLength", "pattern"];
    let said: Vec<String> = words
        .iter()
        .filter_map(|word| {
            let value = schema.get(word)?;
            Some(if *word == "format" { literal(value) } else { format!("{word} {}", literal(value)) })
        })
        .collect();
    if said.is_empty() { String::new() } else { format!(", {}", said.join(", ")) }
}

fn literal(value: &Tree) -> String {
    let text = value.text().map_or_else(|| serde_json::to_string(value).unwrap_or_default(), str::to_owned);
    format!("<code>{}</code>", escaped(&text))
}

/// The rows of an object's fields, with those of objects without a name below them.
pub(super) fn properties(schema: &Tree) -> String {
    rows("", schema)
}

fn rows(above: &str, schema: &Tree) -> String {
    let required = schema.get("required").map(Tree::items).unwrap_or_default();
    let fields = schema.get("properties").map(Tree::members).unwrap_or_default();
    let row = |(name, field): &(String, Tree)| {
        let is_required = required.iter().any(|required| required.text() == Some(name.as_str()));
        let (name, mark) = (format!("{above}{name}"), if is_required { "" } else { ", optional" });
        let below = match field.get("items") {
            Some(items) => rows(&format!("{name}[]."), items),
            None => rows(&format!("{name}."), field),
        };
        let (shown, description) = (escaped(&name), inline(field.text_at("description")));
        format!("<tr><td><code>{shown}</code>{mark}</td><td>{}</td><td>{description}</td></tr>\n{below}", kind(field))
    };
    fields.iter().map(row).collect()
}

/// The error codes that a response may have, wherever in its schemas they stand.
pub(super) fn codes(response: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![response];
    while let Some(tree) = open.pop() {
        open.extend(tree.items());
        for (name, value) in tree.members() {
            open.push(value);
            let words = value.get("enum").map(Tree::items).unwrap_or_default();
            if name == "code" {
                found.extend(words.iter().chain(value.get("const")).filter_map(Tree::text).map(str::to_owned));
            }
        }
    }
    found
}
