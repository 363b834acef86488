//! Reads a JSON object field by field. Each error names its field: wrong types, unknown and repeated fields, numbers
//! without an exact decimal. All errors of a body are reported together.

use crate::domain::money::decimal_from_number;
use crate::domain::{AmountRule, ChoiceRule, FieldError, Rule, TextRule};
use crate::error::Error;
use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The field name of errors about the whole body.
const WHOLE_BODY: &str = "body";

/// More fields than any request has. Bounds the work for a hostile body.
const MAX_FIELDS: usize = 100;

/// The fields of a JSON object that are not read yet, and the errors found so far.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    entries: Vec<(String, &'a RawValue)>,
    errors: Vec<FieldError>,
    /// The fields that the request has, in the order in which they were asked for.
    known: Vec<String>,
    /// The names that absent fields choose from.
    choices: Vec<(String, String)>,
}

impl<'a> Fields<'a> {
    /// Parses a body, which must be a JSON object.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Fields<'a>, Error> {
        let text = std::str::from_utf8(body).map_err(|_| {
            // The magic number of gzip (RFC 1952, 2.3.1).
            let message = if body.starts_with(&[0x1f, 0x8b]) {
                "is compressed with gzip; send it uncompressed, without Content-Encoding"
            } else {
                "must be UTF-8"
            };
            Error::field(WHOLE_BODY, message)
        })?;
        if text.trim().is_empty() {
            return Err(Error::field(WHOLE_BODY, "must be a JSON object; it is empty"));
        }
        if text.starts_with('\u{feff}') {
            return Err(Error::field(WHOLE_BODY, "begins with a byte order mark, which is invisible; send it without"));
        }
        let Entries(all) = serde_json::from_str(text).map_err(|error| {
            let message = if error.is_data() {
                "must be a JSON object".to_owned()
            } else {
                format!("is not valid JSON: {error}")
            };
            Error::field(WHOLE_BODY, message)
        })?;
        if all.len() > MAX_FIELDS {
            return Err(Error::field(WHOLE_BODY, format!("has more than {MAX_FIELDS} fields")));
        }
        let mut fields = Fields {
            entries: Vec::with_capacity(all.len()),
            errors: Vec::new(),
            known: Vec::new(),
            choices: Vec::new(),
        };
        for (name, value) in all {
            if fields.entries.iter().any(|(seen, _)| *seen == name) {
                fields.add_error(&shortened(&name), "is given twice");
            } else {
                fields.entries.push((name, value));
            }
        }
        Ok(fields)
    }

    /// Whether the field is present and not read yet.
    pub(crate) fn has(&mut self, name: &str) -> bool {
        self.know(name);
        self.entries.iter().any(|(entry, _)| entry == name)
    }

    /// Removes a field and returns its JSON text.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'a str> {
        self.know(name);
        self.remove(name)
    }

    fn know(&mut self, name: &str) {
        if !self.known.iter().any(|known| known == name) {
            self.known.push(name.to_owned());
        }
    }

    fn remove(&mut self, name: &str) -> Option<&'a str> {
        let index = self.entries.iter().position(|(entry, _)| entry == name)?;
        Some(self.entries.remove(index).1.get())
    }

    /// Adds an error.
    pub(crate) fn add_error(&mut self, field: &str, rule: impl Into<Rule>) {
        self.errors.push(FieldError::new(field, rule));
    }

    /// Refuses a field of the resource that this request does not take, and says what to do instead.
    pub(crate) fn refuse(&mut self, name: &str, message: &str) {
        if self.remove(name).is_some() {
            self.add_error(name, message);
        }
    }

    /// Reads a string.
    pub(crate) fn string(&mut self, name: &str) -> Option<String> {
        let text = self.take(name)?;
        if !text.starts_with('"') {
            self.add_error(name, "must be a string");
            return None;
        }
        match serde_json::from_str::<String>(text) {
            Ok(value) => Some(value),
            Err(_) => {
                self.add_error(name, "contains an escape that is not a Unicode character");
                None
            }
        }
    }

    /// Reads a string or null. Null counts as absent.
    pub(crate) fn nullable_string(&mut self, name: &str) -> Option<String> {
        self.skip_null(name);
        self.string(name)
    }

    /// Reads a number without rounding.
    pub(crate) fn decimal(&mut self, name: &str) -> Option<Decimal> {
        let text = self.take(name)?;
        if !text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            self.add_error(name, AmountRule::Number);
            return None;
        }
        match decimal_from_number(text) {
            Ok(amount) => Some(amount),
            Err(reason) => {
                self.add_error(name, reason);
                None
            }
        }
    }

    /// Reads a boolean.
    pub(crate) fn boolean(&mut self, name: &str) -> Option<bool> {
        match self.take(name)? {
            "true" => Some(true),
            "false" => Some(false),
            _ => {
                self.add_error(name, "must be true or false");
                None
            }
        }
    }

    /// Makes a field that is null an absent one.
    pub(crate) fn skip_null(&mut self, name: &str) {
        self.entries.retain(|(entry, value)| entry != name || value.get() != "null");
    }

    /// Reads a string that chooses one of some names, which the error has if the field is absent and required.
    pub(crate) fn choice(&mut self, name: &str, names: impl FnOnce() -> String) -> Option<String> {
        let text = self.string(name);
        if text.is_none() {
            self.choices.push((name.to_owned(), names()));
        }
        text
    }

    /// Reads a string that must be one of the given names.
    pub(crate) fn one_of<T>(&mut self, name: &str, names: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.choice(name, || names.join(", "))?;
        let value = read(&text);
        if value.is_none() {
            self.add_error(name, ChoiceRule::OneOf(names.join(", ")));
        }
        value
    }

    /// Adds an error for a text that is blank, too long, or not a single line. Returns whether it is none of these.
    pub(crate) fn check_text(&mut self, name: &str, text: &str, max_chars: usize) -> bool {
        let length = text.chars().count();
        if text.trim().is_empty() || length > max_chars {
            self.add_error(name, TextRule::Length { most: max_chars, has: length });
            return false;
        }
        if text.chars().any(char::is_control) {
            self.add_error(name, TextRule::OneLine);
            return false;
        }
        true
    }

    /// Reads an array of strings.
    pub(crate) fn strings(&mut self, name: &str) -> Option<Vec<String>> {
        let strings = serde_json::from_str(self.take(name)?);
        if strings.is_err() {
            self.add_error(name, "must be an array of strings");
        }
        strings.ok()
    }

    /// Reads an array of objects. An element that is not an object becomes an error.
    pub(crate) fn objects(&mut self, name: &str) -> Option<Vec<Result<Fields<'a>, Error>>> {
        let text = self.take(name)?;
        let Ok(items) = serde_json::from_str::<Vec<&'a RawValue>>(text) else {
            self.add_error(name, "must be an array of objects");
            return None;
        };
        Some(items.into_iter().map(|item| Fields::parse(item.get().as_bytes())).collect())
    }

    /// Adds the errors of a nested object with its path: `targets[0].platform`.
    pub(crate) fn add_nested_errors(&mut self, name: &str, error: Error) {
        for error in error.details {
            let field = if error.field == WHOLE_BODY { name.to_owned() } else { format!("{name}.{}", error.field) };
            self.errors.push(FieldError { field, ..error });
        }
    }

    /// Adds an error for an absent value, unless the field has an error already.
    pub(crate) fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && !self.errors.iter().any(|error| error.field == name) {
            let choice = self.choices.iter().find(|(of, _)| of == name);
            let one_of = choice.map(|(_, names)| names.clone());
            self.add_error(name, ChoiceRule::Required { one_of });
        }
        value
    }

    /// Returns all errors. A field that was not read is an error too, and the first one names those that there are.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        for (place, (name, _)) in std::mem::take(&mut self.entries).into_iter().enumerate() {
            let known = if place == 0 { format!(", which has {}", self.known.join(", ")) } else { String::new() };
            self.add_error(&shortened(&name), format!("is not a field of this request{known}"));
        }
        if self.errors.is_empty() { Ok(()) } else { Err(Error::fields(self.errors)) }
    }
}

/// Truncates the name of an unknown field for the message.
fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

/// The members of a JSON object, in order.
pub type Members<'a> = Vec<(String, &'a RawValue)>;

/// Reads the members of a JSON object. One that is repeated is an error.
pub fn read_members(text: &str) -> Result<Members<'_>, Error> {
    let Fields { entries, errors, known: _, choices: _ } = Fields::parse(text.as_bytes())?;
    if errors.is_empty() { Ok(entries) } else { Err(Error::fields(errors)) }
}

/// All members of an object in order, with duplicates.
pub(super) struct Entries<'a>(pub(super) Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests;
