//! The arguments of a tool, as sent. The API checks the values, so that a tool refuses what a request refuses.

use shared::envelope::{Members, read_members};
use shared::error::{Error, FieldError};

/// The arguments of a tool: the members of a JSON object, in order, without repetitions.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a>(Members<'a>);

impl<'a> Arguments<'a> {
    /// Parses a JSON object.
    pub(crate) fn parse(json: &'a str) -> Result<Arguments<'a>, Error> {
        read_members(json).map(Arguments)
    }

    /// The JSON of an argument; `None` without it.
    pub(crate) fn json(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    /// An argument that is a text; `None` for any other value.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.json(name)?).ok()
    }

    /// An argument that is an object.
    pub(crate) fn nested(&self, name: &str) -> Option<Arguments<'a>> {
        Arguments::parse(self.json(name)?).ok()
    }

    /// The arguments without one of them.
    pub(crate) fn without(&self, name: &str) -> Arguments<'a> {
        Arguments(self.0.iter().filter(|(known, _)| known != name).cloned().collect())
    }

    /// The arguments as a JSON object.
    pub(crate) fn to_json(&self) -> String {
        object(self.0.iter().map(|(name, value)| (name.as_str(), value.get().to_owned())))
    }

    /// The arguments with another one, as a JSON object.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        let all = self.0.iter().map(|(name, value)| (name.as_str(), value.get().to_owned()));
        object(all.chain([(name, quoted(value))]))
    }

    /// Refuses arguments that the tool does not have, and the lack of those that it needs. All errors are reported
    /// together.
    pub(crate) fn require(&self, known: &[&str], required: &[&str]) -> Result<(), Error> {
        let unknown = self.0.iter().filter(|(name, _)| !known.contains(&name.as_str()));
        let unknown = unknown.map(|(name, _)| field(name, "is not an argument of this tool"));
        let missing = required.iter().filter(|name| self.json(name).is_none()).map(|name| field(name, "is required"));
        let errors: Vec<FieldError> = unknown.chain(missing).collect();
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
        for (name, value) in &self.0 {
            let text = serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned());
            query.append_pair(name, &text);
        }
        query.finish()
    }
}

/// A field that is wrong. The name of an unknown one may be long.
fn field(name: &str, message: &str) -> FieldError {
    FieldError { field: name.chars().take(100).collect(), message: message.to_owned() }
}

/// A JSON text of a string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSON object of members whose values are JSON.
pub(crate) fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members.map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", members.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_a_query_is_as_written() {
        let arguments = Arguments::parse(r#"{"limit": 5, "cursor": "a b&c", "status": "ACTIVE"}"#).unwrap();
        assert_eq!(arguments.query(), "limit=5&cursor=a+b%26c&status=ACTIVE");
    }

    #[test]
    fn unknown_and_missing_arguments_are_reported_together() {
        let arguments = Arguments::parse(r#"{"campaign": "x", "limit": 1}"#).unwrap();
        let error = arguments.require(&["campaign_id", "limit"], &["campaign_id"]).unwrap_err();
        let fields: Vec<&str> = error.details.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["campaign", "campaign_id"]);
    }
}
