//! Reads JSON bodies and query strings. Every error names its field.
//!
//! TikTok does not document the handling of unknown fields. The sandbox rejects them, which exposes misspelled names.

use super::error::{ApiError, PARAMETER};
use crate::http::{Pairs, Request};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

fn check_known<'a>(mut names: impl Iterator<Item = &'a str>, known: &[&str]) -> Result<(), ApiError> {
    match names.find(|name| !known.contains(name)) {
        Some(name) => Err(ApiError::parameter(name, "Unknown field.")),
        None => Ok(()),
    }
}

fn parse_json<T: DeserializeOwned>(json: &str, field: &str, why: &str) -> Result<T, ApiError> {
    serde_json::from_str(json).map_err(|_| ApiError::parameter(field, why))
}

fn check_choice(value: String, field: &str, choices: &[&str]) -> Result<String, ApiError> {
    if choices.contains(&value.as_str()) {
        return Ok(value);
    }
    Err(ApiError::parameter(field, &format!("Must be one of: {}.", choices.join(", "))))
}

/// The JSON object of a POST request. A null field counts as absent.
pub(crate) struct Body(BTreeMap<String, Box<RawValue>>);

impl Body {
    pub(crate) fn read(request: &Request, known: &[&str]) -> Result<Self, ApiError> {
        let kind = request.header("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::parameter("Content-Type", "Must be application/json."));
        }
        let mut fields: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&request.body)
            .map_err(|_| ApiError::new(PARAMETER, "The request body is no JSON object."))?;
        fields.retain(|_, value| value.get() != "null");
        check_known(fields.keys().map(String::as_str), known)?;
        Ok(Self(fields))
    }

    fn get<T: DeserializeOwned>(&self, name: &str, why: &str) -> Result<Option<T>, ApiError> {
        self.0.get(name).map(|raw| parse_json(raw.get(), name, why)).transpose()
    }

    /// A string. An id sent as a number is an error.
    pub(crate) fn string(&self, name: &str) -> Result<Option<String>, ApiError> {
        self.get(name, "Not a valid string.")
    }

    pub(crate) fn required(&self, name: &str) -> Result<String, ApiError> {
        self.string(name)?.ok_or_else(|| ApiError::missing(name))
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<Option<bool>, ApiError> {
        self.get(name, "Not a valid boolean.")
    }

    pub(crate) fn strings(&self, name: &str) -> Result<Option<Vec<String>>, ApiError> {
        self.get(name, "Not a valid list of strings.")
    }

    pub(crate) fn choice(&self, name: &str, choices: &[&str]) -> Result<Option<String>, ApiError> {
        self.string(name)?.map(|value| check_choice(value, name, choices)).transpose()
    }

    /// The literal text of a JSON number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let Some(raw) = self.0.get(name).map(|raw| raw.get()) else { return Ok(None) };
        if raw.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Ok(Some(raw));
        }
        Err(ApiError::parameter(name, "Not a valid number."))
    }
}

/// The query of a GET request. Strings and numbers are plain, lists and objects are JSON.
pub(crate) struct Query(Pairs);

impl Query {
    pub(crate) fn read(request: &Request, known: &[&'static str]) -> Result<Self, ApiError> {
        let pairs = Pairs::parse(&request.query);
        check_known(pairs.names(), known)?;
        match pairs.repeated(known) {
            Some(name) => Err(ApiError::parameter(name, "Given more than once.")),
            None => Ok(Self(pairs)),
        }
    }

    pub(crate) fn string(&self, name: &str) -> Option<&str> {
        self.0.get(name)
    }

    pub(crate) fn required(&self, name: &str) -> Result<&str, ApiError> {
        self.string(name).ok_or_else(|| ApiError::missing(name))
    }

    pub(crate) fn choice(&self, name: &str, choices: &[&str]) -> Result<String, ApiError> {
        check_choice(self.required(name)?.to_owned(), name, choices)
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str, why: &str) -> Result<Option<T>, ApiError> {
        self.string(name).map(|text| parse_json(text, name, why)).transpose()
    }

    /// A JSON list of strings. With `known`, each has to be one of them.
    pub(crate) fn strings(&self, name: &str, known: Option<&[&str]>) -> Result<Option<Vec<String>>, ApiError> {
        let Some(list) = self.json::<Vec<String>>(name, "Not a valid list of strings in JSON.")? else {
            return Ok(None);
        };
        let Some(known) = known else { return Ok(Some(list)) };
        list.into_iter().map(|one| check_choice(one, name, known)).collect::<Result<_, _>>().map(Some)
    }

    pub(crate) fn number(&self, name: &str, default: usize, range: RangeInclusive<usize>) -> Result<usize, ApiError> {
        let Some(text) = self.string(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            ApiError::parameter(name, &format!("Must be an integer from {} to {}.", range.start(), range.end()))
        })
    }
}
