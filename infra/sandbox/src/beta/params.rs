//! Parameters of a call, from the query, a form or a JSON body.
//!
//! Marketing API: Campaign reference, parameter types. A list in a query or form is JSON. Unknown parameters are
//! ignored, as Meta does.

use super::error::GraphError;
use crate::http::{Pairs, Request};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Parameters as strings. The last of a repeated parameter counts.
#[derive(Debug, Default)]
pub(crate) struct Params(BTreeMap<String, String>);

impl Params {
    pub(crate) fn read(request: &Request) -> Result<Self, GraphError> {
        let mut params = Self::default();
        params.add(&request.query);
        if request.is_form() {
            params.add(&request.body);
        } else if is_json(request) && !request.body.trim().is_empty() {
            let object: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&request.body)
                .map_err(|_| GraphError::parameter("The body is not a JSON object."))?;
            for (name, value) in object {
                let raw = value.get();
                if raw == "null" {
                    continue;
                }
                // A number keeps its literal digits: `50.0` is not `50`.
                let text = if raw.starts_with('"') { serde_json::from_str(raw).ok() } else { Some(raw.to_owned()) };
                params.0.extend(text.map(|text| (name, text)));
            }
        }
        Ok(params)
    }

    /// Parameters of an expanded edge.
    pub(crate) fn from_pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn add(&mut self, encoded: &str) {
        let pairs = Pairs::parse(encoded);
        for name in pairs.names() {
            if let Some(value) = pairs.all(name).last() {
                self.0.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// A parameter. An empty value counts as absent.
    pub(crate) fn string(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// A required parameter.
    pub(crate) fn required(&self, name: &str) -> Result<&str, GraphError> {
        self.string(name).ok_or_else(|| GraphError::missing(name))
    }

    /// Every name and value.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first of `names` that has a value.
    pub(crate) fn first_present(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().find(|name| self.string(name).is_some()).copied()
    }

    /// An integer without sign, decimal point or exponent.
    pub(crate) fn unsigned(&self, name: &str) -> Result<Option<u64>, GraphError> {
        let Some(text) = self.string(name) else { return Ok(None) };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { text.parse().ok() } else { None };
        number.map(Some).ok_or_else(|| GraphError::parameter(format!("Param {name} must be an unsigned integer")))
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<Option<bool>, GraphError> {
        match self.string(name).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(_) => Err(GraphError::parameter(format!("Param {name} must be a boolean"))),
        }
    }

    /// A parameter that has to be one of `values`.
    pub(crate) fn choice(&self, name: &str, values: &[&'static str]) -> Result<Option<&'static str>, GraphError> {
        self.string(name).map(|text| check_choice(name, text, values)).transpose()
    }

    /// A JSON list. Each element has to be one of `values`.
    pub(crate) fn choices(&self, name: &str, values: &[&'static str]) -> Result<Option<Vec<&'static str>>, GraphError> {
        let Some(text) = self.string(name) else { return Ok(None) };
        let list: Vec<String> =
            serde_json::from_str(text).map_err(|_| GraphError::parameter(format!("Param {name} must be an array")))?;
        let checked = list.iter().enumerate().map(|(i, one)| check_choice(&format!("{name}[{i}]"), one, values));
        checked.collect::<Result<_, _>>().map(Some)
    }
}

fn check_choice(name: &str, text: &str, values: &[&'static str]) -> Result<&'static str, GraphError> {
    values.iter().find(|known| **known == text).copied().ok_or_else(|| {
        let known = values.join(", ");
        GraphError::parameter(format!("Param {name} must be one of {{{known}}} - got \"{text}\"."))
    })
}

fn is_json(request: &Request) -> bool {
    let kind = request.header("content-type").unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
