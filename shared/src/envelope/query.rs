//! Query strings: nothing is dropped, clamped or guessed (D3 in docs/decisions.md).

use super::{Shape, status_filter};
use crate::domain::{ListFilters, Platform, StatusSet};
use crate::error::{Error, FieldError};

/// Page size when none is asked for (spec section 8).
pub(super) const DEFAULT_LIMIT: usize = 25;
/// Largest page size (spec section 8).
const MAX_LIMIT: usize = 100;

/// The parameters of a list, read but for the cursor's content.
#[derive(Debug)]
pub struct ListQuery {
    /// Filters.
    pub filters: ListFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// The cursor as given.
    pub cursor: Option<String>,
}

/// Splits a query string into decoded pairs, in order.
pub fn pairs(query: Option<&str>) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()
}

/// Refuses parameters that are unknown or given twice.
pub fn reject_unknown_params(pairs: &[(String, String)], known: &[&str]) -> Result<(), Error> {
    let mut faults = Vec::new();
    for (index, (name, _)) in pairs.iter().enumerate() {
        let message = if !known.contains(&name.as_str()) {
            "is not a parameter of this request"
        } else if pairs[..index].iter().any(|(earlier, _)| earlier == name) {
            "is given twice"
        } else {
            continue;
        };
        faults.push(FieldError { field: name.chars().take(100).collect(), message: message.to_owned() });
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::fields(faults)) }
}

/// The value of a parameter.
pub fn value<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Reads the query of `GET /v1/campaigns`. Faults are reported together.
pub fn read_list(shape: Shape, pairs: &[(String, String)]) -> Result<ListQuery, Error> {
    let known: &[&str] = match shape {
        Shape::Flat => &["platform", "status", "limit", "cursor"],
        Shape::Enveloped => &["platform", "organization_id", "status", "limit", "cursor"],
    };
    reject_unknown_params(pairs, known)?;
    let mut faults = Vec::new();
    let mut keep = |error: Error| faults.extend(error.details);
    let platform = value(pairs, "platform").map(|word| platform(shape, word)).transpose().map_err(&mut keep);
    let statuses = value(pairs, "status").map(|word| status_filter(shape, word)).transpose().map_err(&mut keep);
    let account = value(pairs, "organization_id").map(not_empty).transpose().map_err(&mut keep);
    let limit = value(pairs, "limit").map_or(Ok(DEFAULT_LIMIT), limit).map_err(&mut keep);
    match (platform, statuses, account, limit) {
        (Ok(platform), Ok(statuses), Ok(account_id), Ok(limit)) => {
            let statuses = statuses.unwrap_or_else(StatusSet::not_final);
            let filters = ListFilters { platform, account_id, statuses };
            Ok(ListQuery { filters, limit, cursor: value(pairs, "cursor").map(str::to_owned) })
        }
        _ => Err(Error::fields(faults)),
    }
}

fn platform(shape: Shape, word: &str) -> Result<Platform, Error> {
    let (found, words) = match shape {
        Shape::Flat => (Platform::parse(word), Platform::ALL.map(Platform::as_str)),
        Shape::Enveloped => (Platform::from_upper(word), Platform::ALL.map(Platform::as_upper)),
    };
    found.ok_or_else(|| Error::field("platform", format!("must be one of {}", words.join(", "))))
}

fn not_empty(text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::field("organization_id", "must not be empty"));
    }
    Ok(text.to_owned())
}

pub(super) fn limit(text: &str) -> Result<usize, Error> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_plain.then(|| text.parse().ok()).flatten();
    number
        .filter(|limit| (1..=MAX_LIMIT).contains(limit))
        .ok_or_else(|| Error::field("limit", format!("must be a whole number from 1 to {MAX_LIMIT}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(query: &str) -> Vec<String> {
        let error = read_list(Shape::Flat, &pairs(Some(query))).unwrap_err();
        error.details.into_iter().map(|fault| fault.field).collect()
    }

    #[test]
    fn a_bad_value_names_its_parameter() {
        for query in ["limit=0", "limit=101", "limit=x", "limit=", "limit=%2B5", "limit=99999999999999999999"] {
            assert_eq!(fields(query), ["limit"], "{query}");
        }
        assert_eq!(fields("platform=ALPHA"), ["platform"]);
        assert_eq!(fields("status=nope&limit=0"), ["status", "limit"]);
        assert_eq!(fields("limit=1&limit=2"), ["limit"]);
        assert_eq!(fields("offset=1"), ["offset"]);
        assert_eq!(fields("organization_id=1"), ["organization_id"], "a sign of the other shape");
    }

    #[test]
    fn without_parameters_a_page_has_25_and_no_removed_ones() {
        let list = read_list(Shape::Flat, &[]).unwrap();
        assert_eq!(list.limit, 25);
        assert_eq!(list.filters.statuses, StatusSet::not_final());
    }
}
