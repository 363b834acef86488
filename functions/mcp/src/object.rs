//! JSON objects as they are written: arguments of tools, and what the API answers. Numbers stay texts until somebody needs
//! a decimal, so that no float is in between.

use rust_decimal::Decimal;
use shared::domain::money::decimal_from_number;
use shared::envelope::{Members, read_members};
use shared::error::{Error, FieldError};

/// Most field errors of an answer.
const MAX_ERRORS: usize = 10;

/// The members of a JSON object, in order, without repetitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object<'a>(Members<'a>);

impl<'a> Object<'a> {
    /// Parses a JSON object.
    pub(crate) fn parse(json: &'a str) -> Result<Object<'a>, Error> {
        read_members(json).map(Object)
    }

    /// The names of the members, each with its JSON.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// The JSON of a member; `None` without it.
    pub(crate) fn json(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    /// Whether there is a member that is not null.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.json(name).is_some_and(|json| json != "null")
    }

    /// A member that is a text; `None` for any other value.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.json(name)?).ok()
    }

    /// A member that is a number.
    pub(crate) fn amount(&self, name: &str) -> Option<Decimal> {
        decimal_from_number(self.json(name)?).ok()
    }

    /// A member that is an object.
    pub(crate) fn nested(&self, name: &str) -> Option<Object<'a>> {
        Object::parse(self.json(name)?).ok()
    }

    /// The same object without some members.
    pub(crate) fn without(&self, names: &[&str]) -> Object<'a> {
        Object(self.0.iter().filter(|(known, _)| !names.contains(&known.as_str())).cloned().collect())
    }

    /// The same object without members that are null, except some.
    pub(crate) fn without_nulls(&self, except: &[&str]) -> Object<'a> {
        let kept = self.0.iter().filter(|(name, value)| except.contains(&name.as_str()) || value.get() != "null");
        Object(kept.cloned().collect())
    }

    /// The object as a JSON text.
    pub(crate) fn to_json(&self) -> String {
        object(self.members().map(|(name, json)| (name, json.to_owned())))
    }

    /// The object with another member that is a text.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        let all = self.members().map(|(name, json)| (name, json.to_owned()));
        object(all.chain([(name, json_text(value))]))
    }

    /// Refuses arguments that a tool does not have, and the lack of those that it needs.
    pub(crate) fn require(&self, known: &[&str], required: &[&str]) -> Result<(), Error> {
        let has = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        let unknown = self.members().filter(|(name, _)| !known.contains(name));
        let unknown = unknown.map(|(name, _)| field(name, format!("is not an argument of this tool: {has}")));
        let missing = required.iter().filter(|name| self.json(name).is_none());
        let missing = missing.map(|name| field(name, "is required".to_owned()));
        let errors: Vec<FieldError> = missing.chain(unknown).take(MAX_ERRORS).collect();
        if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
    }

    /// An argument that must be a text.
    pub(crate) fn require_text(&self, name: &str) -> Result<String, Error> {
        self.text(name).ok_or_else(|| Error::field(name, "must be a text"))
    }

    /// An argument that must be a text, if it is there.
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>, Error> {
        self.json(name).map(|_| self.require_text(name)).transpose()
    }

    /// The query of a request: each argument is a parameter of the same name. A number is taken as written.
    pub(crate) fn query(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, json) in self.members() {
            let text = serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned());
            query.append_pair(name, &text);
        }
        query.finish()
    }
}

/// A field that is wrong. The name of an unknown one may be long.
fn field(name: &str, message: String) -> FieldError {
    FieldError::new(name.chars().take(100).collect::<String>(), message)
}

/// A JSON text of a string.
pub(crate) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSON object of members whose values are JSON.
pub(crate) fn object<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> =
        members.into_iter().map(|(name, value)| format!("{}:{value}", json_text(name))).collect();
    format!("{{{}}}", members.join(","))
}

/// A JSON array of values that are JSON.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// A JSON text, or null.
pub(crate) fn nullable(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), json_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_query_is_as_written() {
        let arguments = Object::parse(r#"{"limit": 5, "cursor": "a b&c", "status": "ACTIVE"}"#).unwrap();
        assert_eq!(arguments.query(), "limit=5&cursor=a+b%26c&status=ACTIVE");
    }

    #[test]
    fn unknown_and_missing_arguments_are_reported_together() {
        let arguments = Object::parse(r#"{"campaign": "x", "limit": 1}"#).unwrap();
        let error = arguments.require(&["campaign_id", "limit"], &["campaign_id"]).unwrap_err();
        let fields: Vec<&str> = error.details.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["campaign_id", "campaign"]);
        assert!(error.details[1].rule.to_string().contains("it has campaign_id, limit"));
    }

    #[test]
    fn a_null_is_absent_where_it_means_nothing() {
        let arguments = Object::parse(r#"{"a": null, "end_at": null, "b": 1}"#).unwrap();
        assert_eq!(arguments.without_nulls(&["end_at"]).to_json(), r#"{"end_at":null,"b":1}"#);
        assert!(!arguments.has("a") && arguments.has("b"));
    }
}
