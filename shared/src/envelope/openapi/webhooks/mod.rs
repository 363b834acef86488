//! `webhooks` of the document: what the service sends to the endpoints of a customer. The requests differ in their
//! type only; the first part of the type says what `data` has.

use super::ordered_json::{OrderedJson, object, parse, reference, string};

/// The members that all requests have alike.
const REQUEST: &str = include_str!("request.json");
/// What has happened, by type.
const TYPES: &str = include_str!("types.json");

/// The requests: one for each type of event, and the test send.
pub(super) fn webhooks() -> OrderedJson {
    let event = |(kind, summary): (String, OrderedJson)| {
        let examples = if kind == "change.applied" { &["FlatEvent", "EnvelopedEvent"][..] } else { &[] };
        let request = request(&kind, summary, "EventPayload", examples);
        (kind, request)
    };
    let ping = ("ping".to_owned(), request("ping", string("A test send."), "Ping", &[]));
    object(parse(TYPES).into_members().into_iter().map(event).chain([ping]))
}

fn request(kind: &str, summary: OrderedJson, schema: &str, examples: &[&str]) -> OrderedJson {
    let mut media = vec![("schema", reference("schemas", schema))];
    if !examples.is_empty() {
        media.push(("examples", object(examples.iter().map(|name| (*name, reference("examples", name))))));
    }
    let content = object([("application/json", object(media))]);
    let body = object([("required", OrderedJson::Scalar(true.into())), ("content", content)]);
    let own = [
        ("tags", OrderedJson::Array(vec![string("Webhooks")])),
        ("operationId", string(operation_id(kind))),
        ("summary", summary),
        ("requestBody", body),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    object([("post", object(own.into_iter().chain(parse(REQUEST).into_members())))])
}

/// `onChangeApplied` for `change.applied`.
fn operation_id(kind: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    format!("on{}", kind.split(['.', '_']).map(capitalized).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_operations_are_in_camel_case() {
        assert_eq!(operation_id("change.partly_applied"), "onChangePartlyApplied");
        assert_eq!(operation_id("quota.80_percent"), "onQuota80Percent");
    }
}
