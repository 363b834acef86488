//! Reads JSON bodies and queries field by field, so that every refusal names one.
//!
//! What the platform does with a field that it does not know is not published; it is refused
//! here, so that a misspelt one shows.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::answer::{PARAMETER, Refusal};
use crate::http::{Pairs, Request};

fn only_known<'a>(mut names: impl Iterator<Item = &'a str>, known: &[&str]) -> Result<(), Refusal> {
    names.find(|name| !known.contains(name)).map_or(Ok(()), |odd| Err(Refusal::at(odd, "Unknown field.")))
}

fn parsed<T: DeserializeOwned>(json: &str, field: &str, why: &str) -> Result<T, Refusal> {
    serde_json::from_str(json).map_err(|_| Refusal::at(field, why))
}

fn one_of(given: String, field: &str, choices: &[&str]) -> Result<String, Refusal> {
    if choices.contains(&given.as_str()) {
        return Ok(given);
    }
    Err(Refusal::at(field, &format!("Must be one of: {}.", choices.join(", "))))
}

/// The JSON object of a POST request; null counts as left out.
pub(crate) struct Body(BTreeMap<String, Box<RawValue>>);

impl Body {
    pub(crate) fn read(request: &Request, known: &[&str]) -> Result<Self, Refusal> {
        let kind = request.header("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(Refusal::at("Content-Type", "Must be application/json."));
        }
        let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&request.body)
            .map_err(|_| Refusal::new(PARAMETER, "The request body is no JSON object."))?;
        fields.retain(|_, value| value.get() != "null");
        only_known(fields.keys().map(String::as_str), known)?;
        Ok(Self(fields))
    }

    fn get<T: DeserializeOwned>(&self, name: &str, why: &str) -> Result<Option<T>, Refusal> {
        self.0.get(name).map(|raw| parsed(raw.get(), name, why)).transpose()
    }

    /// A text; an id that comes as a number is none.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        self.get(name, "Not a valid string.")
    }

    pub(crate) fn required(&self, name: &str) -> Result<String, Refusal> {
        self.text(name)?.ok_or_else(|| Refusal::missing(name))
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<Option<bool>, Refusal> {
        self.get(name, "Not a valid boolean.")
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Refusal> {
        self.get(name, "Not a valid list of strings.")
    }

    pub(crate) fn choice(&self, name: &str, choices: &[&str]) -> Result<Option<String>, Refusal> {
        self.text(name)?.map(|given| one_of(given, name, choices)).transpose()
    }

    /// A JSON number as it was written.
    pub(crate) fn number(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let Some(raw) = self.0.get(name).map(|raw| raw.get()) else { return Ok(None) };
        if raw.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Ok(Some(raw));
        }
        Err(Refusal::at(name, "Not a valid number."))
    }
}

/// The query of a GET request: plain texts and numbers, and lists and objects as JSON text.
pub(crate) struct Query(Pairs);

impl Query {
    pub(crate) fn read(request: &Request, known: &[&'static str]) -> Result<Self, Refusal> {
        let pairs = Pairs::parse(&request.query);
        only_known(pairs.names(), known)?;
        match pairs.repeated(known) {
            Some(name) => Err(Refusal::at(name, "Given more than once.")),
            None => Ok(Self(pairs)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, Refusal> {
        self.text(name).ok_or_else(|| Refusal::missing(name))
    }

    pub(crate) fn choice(&self, name: &str, choices: &[&str]) -> Result<String, Refusal> {
        one_of(self.required(name)?.to_owned(), name, choices)
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str, why: &str) -> Result<Option<T>, Refusal> {
        self.text(name).map(|text| parsed(text, name, why)).transpose()
    }

    /// A list of texts in JSON; each of `known` when there is something to hold it against.
    pub(crate) fn texts(&self, name: &str, known: Option<&[&str]>) -> Result<Option<Vec<String>>, Refusal> {
        let Some(list) = self.json::<Vec<String>>(name, "Not a valid list of strings in JSON.")? else {
            return Ok(None);
        };
        let Some(known) = known else { return Ok(Some(list)) };
        list.into_iter().map(|one| one_of(one, name, known)).collect::<Result<_, _>>().map(Some)
    }

    pub(crate) fn number(&self, name: &str, usual: usize, range: RangeInclusive<usize>) -> Result<usize, Refusal> {
        let Some(text) = self.text(name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number
            .ok_or_else(|| Refusal::at(name, &format!("Must be an integer from {} to {}.", range.start(), range.end())))
    }
}
