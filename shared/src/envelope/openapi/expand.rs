//! Expands the notation of the JSON files, which write once what the document repeats:
//!
//! - `{a|b}` in a name or a text is `a` in the flat shape and `b` in the enveloped one. The outermost name with such a
//!   choice makes a member for each shape: `{Flat|Enveloped}Campaign`. A name that is empty in a shape makes no member
//!   there: `{|raw}`.
//! - The members of a value named `...` take its place. A text names a value of `components/schema_fragments.json` or
//!   `components/example_fragments.json`. A later member of the same name replaces the earlier one. So `{...|data}` is
//!   bare in the flat shape, and in `data` in the enveloped one.
//! - A property is required unless its name ends with `?`.

use super::super::Shape;
use super::ordered_json::{Members, OrderedJson, object, parse, string};
use serde_json::Value;
use std::sync::LazyLock;

/// The values that `...` names.
pub(super) const FRAGMENTS: [&str; 2] =
    [include_str!("components/schema_fragments.json"), include_str!("components/example_fragments.json")];

static FRAGMENTS_BY_NAME: LazyLock<OrderedJson> =
    LazyLock::new(|| object(FRAGMENTS.into_iter().flat_map(|text| parse(text).into_members())));

/// Parses a file and expands it.
pub(super) fn expanded(text: &str) -> OrderedJson {
    value(parse(text), None)
}

/// A value in a shape; `None` outside of the names that make a member for each.
fn value(source: OrderedJson, shape: Option<Shape>) -> OrderedJson {
    match source {
        OrderedJson::Object(source) => OrderedJson::Object(with_required(members(source, shape))),
        OrderedJson::Array(items) => OrderedJson::Array(items.into_iter().map(|item| value(item, shape)).collect()),
        OrderedJson::Scalar(Value::String(text)) => string(chosen(text, shape)),
        OrderedJson::Scalar(_) => source,
    }
}

fn members(source: Members, shape: Option<Shape>) -> Members {
    let mut members = Members::with_capacity(source.len());
    for (name, value) in source {
        if shape.is_none() && has_choice(&name) {
            add(&mut members, name.clone(), value.clone(), Some(Shape::Flat));
            add(&mut members, name, value, Some(Shape::Enveloped));
        } else {
            add(&mut members, name, value, shape);
        }
    }
    members
}

/// Adds the members that a member of a file stands for.
fn add(members: &mut Members, name: String, source: OrderedJson, shape: Option<Shape>) {
    let name = chosen(name, shape);
    if name == "..." {
        let spread = source.text().map_or(&source, |fragment| FRAGMENTS_BY_NAME.child(fragment)).clone();
        for (name, value) in value(spread, shape).into_members() {
            put(members, name, value);
        }
    } else if !name.is_empty() {
        put(members, name, value(source, shape));
    }
}

fn put(members: &mut Members, name: String, value: OrderedJson) {
    match members.iter_mut().find(|(known, _)| *known == name) {
        Some((_, known)) => *known = value,
        None => members.push((name, value)),
    }
}

/// The text with the alternatives of a shape.
fn chosen(text: String, shape: Option<Shape>) -> String {
    let Some(shape) = shape.filter(|_| has_choice(&text)) else { return text };
    let mut parts = text.split('{');
    let mut chosen = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if let Some(Choice { flat, enveloped, rest }) = Choice::at_start(part) {
            chosen.push_str(if shape == Shape::Flat { flat } else { enveloped });
            chosen.push_str(rest);
        } else {
            chosen.push('{');
            chosen.push_str(part);
        }
    }
    chosen
}

fn has_choice(text: &str) -> bool {
    text.split('{').skip(1).any(|part| Choice::at_start(part).is_some())
}

struct Choice<'a> {
    flat: &'a str,
    enveloped: &'a str,
    rest: &'a str,
}

impl Choice<'_> {
    /// The choice that a text begins with, after its brace.
    fn at_start(text: &str) -> Option<Choice<'_>> {
        let (choice, rest) = text.split_once('}')?;
        let (flat, enveloped) = choice.split_once('|')?;
        Some(Choice { flat, enveloped, rest })
    }
}

/// Lists the required properties of a schema, and takes the marks from the names of the others.
fn with_required(mut members: Members) -> Members {
    let is_schema = members.iter().any(|(name, value)| name == "type" && value.text() == Some("object"));
    let properties = members.iter_mut().enumerate().find(|(_, (name, _))| name == "properties");
    let Some((at, (_, OrderedJson::Object(properties)))) = properties.filter(|_| is_schema) else { return members };
    let mut required = Vec::new();
    for (name, _) in properties {
        if let Some(optional) = name.strip_suffix('?') {
            *name = optional.to_owned();
        } else {
            required.push(string(name.as_str()));
        }
    }
    if !required.is_empty() {
        members.insert(at, ("required".to_owned(), OrderedJson::Array(required)));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::super::build;
    use super::*;

    fn expansion(text: &str) -> String {
        serde_json::to_string(&expanded(text)).unwrap()
    }

    #[test]
    fn a_name_with_a_choice_makes_a_member_for_each_shape() {
        let text = r#"{"{Flat|Enveloped}Goal": ["{|BRAND_}AWARENESS", {"{id|}": 1, "{|raw}": "{id}"}], "Plan": "pro"}"#;
        let [flat, enveloped] = [r#"["AWARENESS",{"id":1}]"#, r#"["BRAND_AWARENESS",{"raw":"{id}"}]"#];
        let expected = format!(r#"{{"FlatGoal":{flat},"EnvelopedGoal":{enveloped},"Plan":"pro"}}"#);
        assert_eq!(expansion(text), expected);
    }

    #[test]
    fn a_spread_takes_the_place_of_its_name_and_later_members_replace() {
        let text = r#"{"{flat|enveloped}": {"{...|data}": {"...": {"a": 1, "b": 2}, "a": 3}}}"#;
        assert_eq!(expansion(text), r#"{"flat":{"a":3,"b":2},"enveloped":{"data":{"a":3,"b":2}}}"#);
        let fragment = expansion(r#"{"...": "values of a campaign", "name": "Another"}"#);
        assert!(fragment.starts_with(r#"{"name":"Another","status":"ACTIVE","#), "{fragment}");
    }

    #[test]
    fn a_property_is_required_unless_its_name_has_the_mark() {
        let schema = |properties| expansion(&format!(r#"{{"type": "object", "properties": {properties}}}"#));
        let mixed = r#"{"type":"object","required":["a"],"properties":{"a":{},"b":{}}}"#;
        assert_eq!(schema(r#"{"a": {}, "b?": {}}"#), mixed);
        assert_eq!(schema(r#"{"a?": {}}"#), r#"{"type":"object","properties":{"a":{}}}"#);
    }

    #[test]
    fn the_document_has_nothing_of_the_notation() {
        assert_plain(&build());
    }

    fn assert_plain(value: &OrderedJson) {
        for (name, member) in value.members() {
            assert!(!["", "..."].contains(&name.as_str()) && !name.ends_with('?'), "{name}");
            assert!(!name.ends_with(" errors"), "{name}");
            assert!(!has_choice(name), "{name}");
            assert_plain(member);
        }
        value.items().iter().for_each(assert_plain);
        assert!(!value.text().is_some_and(has_choice), "{:?}", value.text());
    }
}
