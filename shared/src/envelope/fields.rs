//! Reads a JSON object field by field, so that every fault names its field: wrong types, unknown and repeated
//! fields, numbers that cannot be held exactly. All faults of a body are reported together.

use crate::domain::money::decimal_from_number;
use crate::error::{Error, FieldError};
use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The field that faults of the body as a whole are reported under.
const WHOLE_BODY: &str = "body";

/// More fields than any request has; it keeps the work for a hostile body small.
const MAX_FIELDS: usize = 100;

/// The fields of one JSON object that nobody has asked for yet, and the faults found so far.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    entries: Vec<(String, &'a RawValue)>,
    faults: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// Reads a body, which must be one JSON object.
    pub(crate) fn parse(body: &'a [u8]) -> Result<Fields<'a>, Error> {
        let text = std::str::from_utf8(body).map_err(|_| Error::field(WHOLE_BODY, "must be UTF-8"))?;
        if text.trim().is_empty() {
            return Err(Error::field(WHOLE_BODY, "must be a JSON object; it is empty"));
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
        let mut fields = Fields { entries: Vec::with_capacity(all.len()), faults: Vec::new() };
        for (name, value) in all {
            if fields.entries.iter().any(|(seen, _)| *seen == name) {
                fields.fault(&shortened(&name), "is given twice");
            } else {
                fields.entries.push((name, value));
            }
        }
        Ok(fields)
    }

    /// Whether the field is there and not yet taken.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(entry, _)| entry == name)
    }

    /// Takes a field's JSON text.
    pub(crate) fn take(&mut self, name: &str) -> Option<&'a str> {
        let index = self.entries.iter().position(|(entry, _)| entry == name)?;
        Some(self.entries.remove(index).1.get())
    }

    /// Notes what is wrong with a field.
    pub(crate) fn fault(&mut self, field: &str, message: impl Into<String>) {
        self.faults.push(FieldError { field: field.to_owned(), message: message.into() });
    }

    /// Takes a string. A wrong type is a fault.
    pub(crate) fn string(&mut self, name: &str) -> Option<String> {
        let text = self.take(name)?;
        if !text.starts_with('"') {
            self.fault(name, "must be a string");
            return None;
        }
        match serde_json::from_str::<String>(text) {
            Ok(value) => Some(value),
            Err(_) => {
                self.fault(name, "holds an escape that is not a Unicode character");
                None
            }
        }
    }

    /// Takes a string or null; null counts as absent.
    pub(crate) fn nullable_string(&mut self, name: &str) -> Option<String> {
        if self.entries.iter().any(|(entry, value)| entry == name && value.get() == "null") {
            self.take(name);
            return None;
        }
        self.string(name)
    }

    /// Takes a number, exactly.
    pub(crate) fn decimal(&mut self, name: &str) -> Option<Decimal> {
        let text = self.take(name)?;
        if !text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            self.fault(name, "must be a number");
            return None;
        }
        match decimal_from_number(text) {
            Ok(amount) => Some(amount),
            Err(reason) => {
                self.fault(name, reason.to_string());
                None
            }
        }
    }

    /// Takes a string that must be one of a list, and maps it.
    pub(crate) fn one_of<T>(&mut self, name: &str, words: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let word = self.string(name)?;
        let value = read(&word);
        if value.is_none() {
            self.fault(name, format!("must be one of {}", words.join(", ")));
        }
        value
    }

    /// Takes an array, each element as the fields of an object or the reason why it is none.
    pub(crate) fn objects(&mut self, name: &str) -> Option<Vec<Result<Fields<'a>, Error>>> {
        let text = self.take(name)?;
        let Ok(items) = serde_json::from_str::<Vec<&'a RawValue>>(text) else {
            self.fault(name, "must be an array of objects");
            return None;
        };
        Some(items.into_iter().map(|item| Fields::parse(item.get().as_bytes())).collect())
    }

    /// Notes the faults of a nested object under its own name: `targets[0].platform`.
    pub(crate) fn faults_below(&mut self, name: &str, error: Error) {
        for fault in error.details {
            let field = if fault.field == WHOLE_BODY { name.to_owned() } else { format!("{name}.{}", fault.field) };
            self.faults.push(FieldError { field, message: fault.message });
        }
    }

    /// Turns an absent value into a fault, unless the field was there and already found faulty.
    pub(crate) fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && !self.faults.iter().any(|fault| fault.field == name) {
            self.fault(name, "is required");
        }
        value
    }

    /// Reports everything found, fields that nobody asked for included.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        for (name, _) in std::mem::take(&mut self.entries) {
            self.fault(&shortened(&name), "is not a field of this request");
        }
        if self.faults.is_empty() { Ok(()) } else { Err(Error::fields(self.faults)) }
    }
}

/// A foreign field name is echoed, but not at any length.
fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

/// All members of an object in order, repeated ones included.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

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
mod tests {
    use super::*;

    fn faults(body: &str) -> Vec<(String, String)> {
        let mut fields = match Fields::parse(body.as_bytes()) {
            Ok(fields) => fields,
            Err(error) => return error.details.into_iter().map(|fault| (fault.field, fault.message)).collect(),
        };
        let name = fields.string("name");
        fields.require("name", name);
        fields.decimal("amount");
        let error = fields.finish().unwrap_err();
        error.details.into_iter().map(|fault| (fault.field, fault.message)).collect()
    }

    #[test]
    fn every_fault_names_its_field_and_all_are_reported_together() {
        let found = faults(r#"{"name":7,"amount":"1","extra":null,"extra":1}"#);
        let fields: Vec<&str> = found.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, ["extra", "name", "amount", "extra"]);
        assert_eq!(found[0].1, "is given twice");
    }

    #[test]
    fn a_body_that_is_no_object_is_a_fault_of_the_body() {
        for body in ["", "  ", "null", "[]", "\"x\"", "{", "{\"a\":1,}", "{} {}", "{\"a\":NaN}", "{'a':1}"] {
            assert_eq!(faults(body)[0].0, "body", "{body}");
        }
    }

    #[test]
    fn a_lone_surrogate_is_a_fault_of_its_field() {
        assert_eq!(faults(r#"{"name":"\ud800"}"#)[0].0, "name");
    }

    #[test]
    fn an_escaped_name_is_the_same_field() {
        assert_eq!(faults(r#"{"name":"a","n\u0061me":"b"}"#)[0], ("name".to_owned(), "is given twice".to_owned()));
    }
}
