//! The arguments of a tool, read by its schema. Several hosts send an object or a number as a text. A text that can only
//! mean what the schema wants is read as that. Any other text stays as it is, and its argument is refused.

use super::{Tool, definition};
use crate::object::{Object, object};
use serde_json::Value;
use shared::envelope::canonical_json;
use shared::error::{Error, FieldError};

/// The arguments, where a text that stands for an object or a number becomes one if the schema wants it.
pub(super) fn coerce(tool: Tool, json: &str) -> String {
    definition::input_schema(tool).map_or_else(|| json.to_owned(), |schema| coerce_to(schema, json))
}

fn coerce_to(schema: &Value, json: &str) -> String {
    let text = text(json);
    if wants(schema, "object") {
        // A text that repeats a member is no object: readers would take different ones.
        let written = text.filter(|text| canonical_json(text).is_some());
        let Ok(members) = Object::parse(written.as_deref().unwrap_or(json)) else { return json.to_owned() };
        let member = |name: &str, json: &str| match property(schema, name) {
            Some(schema) => coerce_to(schema, json),
            None => json.to_owned(),
        };
        return object(members.members().map(|(name, json)| (name, member(name, json))));
    }
    let number = text.filter(|text| is_number(schema) && is_decimal(text));
    number.unwrap_or_else(|| json.to_owned())
}

/// Refuses values of the wrong type. For a change it also refuses values outside the enumeration, because the API's
/// message would suggest things that no tool can do. The filters of a list take more than one value, and the API checks
/// them.
pub(super) fn check(tool: Tool, arguments: &Object<'_>) -> Result<(), Error> {
    let Some(schema) = definition::input_schema(tool) else { return Ok(()) };
    let mut errors: Vec<FieldError> = Vec::new();
    for (name, json) in arguments.members().filter(|(_, json)| *json != "null") {
        let Some(schema) = property(schema, name) else { continue };
        let message = match tool {
            Tool::Change(_) => type_error(schema, json).or_else(|| choice_error(schema, json)),
            _ => type_error(schema, json),
        };
        errors.extend(message.map(|message| FieldError::new(name, message)));
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
}

/// Why a value is not of the type that the schema wants.
fn type_error(schema: &Value, json: &str) -> Option<String> {
    let begins_with = |is_first: fn(&u8) -> bool| json.as_bytes().first().is_some_and(is_first);
    let (is_right, must) = if wants(schema, "object") {
        (begins_with(|first| *first == b'{'), "must be an object")
    } else if is_number(schema) {
        (begins_with(|first| *first == b'-' || first.is_ascii_digit()), "must be a number, such as 50 or 12.5")
    } else {
        (!wants(schema, "string") || text(json).is_some(), "must be a text")
    };
    (!is_right).then(|| must.to_owned())
}

/// Why a text is none of the schema's choice, and what does instead.
fn choice_error(schema: &Value, json: &str) -> Option<String> {
    let (names, text) = (schema["enum"].as_array()?, text(json)?);
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let instead = match text.as_str() {
        "MONTHLY" => "; a person sets a monthly budget on the dashboard",
        "REMOVED" => "; delete_campaign removes a campaign",
        _ => "",
    };
    (!names.contains(&text.as_str())).then(|| format!("must be {}{instead}", names.join(" or ")))
}

/// The schema of a member; of several variants, the first that has it. No two differ in its type.
fn property<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    let own = schema["properties"].get(name);
    own.or_else(|| schema["anyOf"].as_array()?.iter().find_map(|variant| property(variant, name)))
}

/// Whether the schema, or a variant of it, has a type.
fn wants(schema: &Value, kind: &str) -> bool {
    let variants = schema["anyOf"].as_array();
    schema["type"] == kind || variants.is_some_and(|variants| variants.iter().any(|variant| wants(variant, kind)))
}

fn is_number(schema: &Value) -> bool {
    wants(schema, "number") || wants(schema, "integer")
}

/// Digits, perhaps with a sign and a point: nothing that a locale reads in another way, and no exponent.
fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(fraction) && (whole == "0" || !whole.starts_with('0'))
}

fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::ChangeKind;

    const UPDATE: Tool = Tool::Change(ChangeKind::Update);

    #[test]
    fn a_text_is_read_as_the_object_or_number_that_the_schema_wants() {
        for (tool, sent, read) in [
            (UPDATE, r#""{\"budget_amount\":\"12.50\"}""#, r#"{"budget_amount":12.50}"#),
            (UPDATE, r#"{"budget_amount":"-1","name":"50"}"#, r#"{"budget_amount":-1,"name":"50"}"#),
            (
                Tool::ListCampaigns,
                r#"{"limit":"5","cursor":"7","other":"5"}"#,
                r#"{"limit":5,"cursor":"7","other":"5"}"#,
            ),
            (
                Tool::PreviewChange,
                r#"{"kind":"update","arguments":"{\"budget_amount\":\"99999999999999999999.01\",\"end_at\":null}"}"#,
                r#"{"kind":"update","arguments":{"budget_amount":99999999999999999999.01,"end_at":null}}"#,
            ),
        ] {
            assert_eq!(coerce(tool, sent), read);
        }
    }

    #[test]
    fn a_text_that_can_mean_two_things_stays_a_text() {
        for amount in
            ["1e400", "1e2", "NaN", "Infinity", "1,5", "1.", ".5", "05", "+5", " 5", "5 USD", "", "-", "٥", "0x5"]
        {
            let sent = format!(r#"{{"budget_amount":"{amount}"}}"#);
            assert_eq!(coerce(UPDATE, &sent), sent);
            assert!(check(UPDATE, &Object::parse(&sent).unwrap()).is_err(), "{amount}");
        }
        for arguments in [r#"{\"budget_amount\":5,\"budget_amount\":70}"#, "[]", "{", "null", ""] {
            let sent = format!(r#"{{"kind":"update","arguments":"{arguments}"}}"#);
            assert_eq!(coerce(Tool::PreviewChange, &sent), sent);
            assert!(check(Tool::PreviewChange, &Object::parse(&sent).unwrap()).is_err(), "{arguments}");
        }
    }

    #[test]
    fn a_value_outside_of_its_choice_is_refused_with_what_a_tool_can_do() {
        let refused =
            |json: &str| check(UPDATE, &Object::parse(json).unwrap()).unwrap_err().details[0].rule.to_string();
        let monthly = "must be DAILY or LIFETIME; a person sets a monthly budget on the dashboard";
        assert_eq!(refused(r#"{"budget_period":"MONTHLY"}"#), monthly);
        assert_eq!(refused(r#"{"status":"REMOVED"}"#), "must be ACTIVE or PAUSED; delete_campaign removes a campaign");
        assert_eq!(refused(r#"{"name":5}"#), "must be a text");
        assert!(check(UPDATE, &Object::parse(r#"{"end_at":null,"status":null}"#).unwrap()).is_ok());
    }
}
