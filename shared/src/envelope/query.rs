//! Query strings. Nothing is dropped, clamped or guessed, because the caller did not ask for that (D3).

use super::{Shape, enveloped, flat};
use crate::domain::{
    AdAccount, ChoiceRule, ConnectionId, DeliveryState, KeyId, ListFilters, MAX_NAME_CHARS, Moment, Platform,
    Reference, StatusSet, TimeRule, is_idempotency_key, sha256_hex,
};
use crate::error::{Error, FieldError};
use jiff::Timestamp;

/// Default page size.
pub(super) const DEFAULT_LIMIT: usize = 25;
/// Largest page size.
const MAX_LIMIT: usize = 100;
const LIMIT: &str = "must be a whole number from 1 to 100";

/// The parameters of `listCampaigns`. The cursor is not decoded yet.
#[derive(Debug)]
pub struct ListQuery {
    pub filters: ListFilters,
    /// Page size, 1 to 100.
    pub limit: usize,
    /// Encoded cursor.
    pub cursor: Option<String>,
}

/// Decodes a query string into pairs, in order.
pub fn pairs(query: Option<&str>) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect()
}

/// Rejects unknown and repeated parameters. The error names those that there are.
pub fn reject_unknown_params(pairs: &[(String, String)], known: &[&str]) -> Result<(), Error> {
    let unknown = || match known {
        [] => "is not a parameter of this request, which has none".to_owned(),
        known => format!("is not a parameter of this request, which has {}", known.join(", ")),
    };
    let mut errors = Vec::new();
    for (index, (name, _)) in pairs.iter().enumerate() {
        let message = if !known.contains(&name.as_str()) {
            unknown()
        } else if pairs[..index].iter().any(|(earlier, _)| earlier == name) {
            "is given twice".to_owned()
        } else {
            continue;
        };
        errors.push(FieldError::new(name.chars().take(100).collect::<String>(), message));
    }
    if errors.is_empty() { Ok(()) } else { Err(Error::fields(errors)) }
}

/// The parameters with the values of a repeated one joined by commas: `status=ACTIVE&status=PAUSED` becomes
/// `status=ACTIVE,PAUSED`.
pub(super) fn joined(pairs: &[(String, String)], name: &str) -> Vec<(String, String)> {
    let mut joined: Vec<(String, String)> = Vec::with_capacity(pairs.len());
    for (known, value) in pairs {
        match joined.iter_mut().find(|(earlier, _)| known == name && earlier == name) {
            Some((_, values)) => *values = format!("{values},{value}"),
            None => joined.push((known.clone(), value.clone())),
        }
    }
    joined
}

/// The value of a parameter.
pub fn value<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The cursor of a page. An empty one is none: a loop may begin with it.
pub(super) fn cursor(pairs: &[(String, String)]) -> Option<String> {
    value(pairs, "cursor").filter(|cursor| !cursor.is_empty()).map(str::to_owned)
}

/// Reads parameters and collects their errors.
pub(super) struct QueryReader<'a> {
    pairs: &'a [(String, String)],
    errors: Vec<FieldError>,
}

impl<'a> QueryReader<'a> {
    pub(super) fn new(pairs: &'a [(String, String)]) -> QueryReader<'a> {
        QueryReader { pairs, errors: Vec::new() }
    }

    /// All parameters.
    pub(super) fn pairs(&self) -> &'a [(String, String)] {
        self.pairs
    }

    /// The value of a parameter; `None` without it, and for one that does not meet the requirement.
    pub(super) fn read<T>(&mut self, name: &str, requirement: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let found = read(value(self.pairs, name)?);
        if found.is_none() {
            self.fail(name, requirement);
        }
        found
    }

    /// The page size; the default without one.
    pub(super) fn limit(&mut self) -> usize {
        self.given_limit().unwrap_or(DEFAULT_LIMIT)
    }

    /// The page size; `None` without one.
    pub(super) fn given_limit(&mut self) -> Option<usize> {
        self.read("limit", LIMIT, |text| limit(text).ok())
    }

    /// The platform, in the names of a shape.
    pub(super) fn platform(&mut self, shape: Shape) -> Option<Platform> {
        match platform(shape, value(self.pairs, "platform")?) {
            Ok(platform) => Some(platform),
            Err(error) => {
                self.errors.extend(error.details);
                None
            }
        }
    }

    /// The id of an API key.
    pub(super) fn api_key(&mut self) -> Option<KeyId> {
        let requirement = "must be the id of an API key, such as key_default";
        self.read("api_key_id", requirement, |id| id.starts_with("key_").then(|| KeyId(id.to_owned())))
    }

    /// The caller's own reference.
    pub(super) fn reference(&mut self) -> Option<Reference> {
        self.read("reference", Reference::RULE, Reference::parse)
    }

    /// The digest of an `Idempotency-Key`. The table has nothing else of a key.
    pub(super) fn key_digest(&mut self) -> Option<String> {
        let requirement = "must be an Idempotency-Key: 1 to 255 visible ASCII characters";
        self.read("idempotency_key", requirement, |key| is_idempotency_key(key).then(|| sha256_hex(key)))
    }

    /// The record after which a list begins: by its id, or by a time, from which on it lists.
    pub(super) fn since<T>(
        &mut self,
        requirement: &str,
        by_id: impl Fn(&str) -> Option<T>,
        by_time: impl Fn(Timestamp) -> T,
    ) -> Option<T> {
        self.read("since", requirement, |text| by_id(text).or_else(|| Moment::parse_instant(text).map(&by_time)))
    }

    /// The id of a connection.
    pub(super) fn connection(&mut self) -> Option<ConnectionId> {
        let requirement = "must be the id of a connection, such as conn_1";
        self.read("connection_id", requirement, |id| id.starts_with("conn_").then(|| ConnectionId(id.to_owned())))
    }

    /// Adds an error.
    pub(super) fn fail(&mut self, name: &str, message: &str) {
        self.errors.push(FieldError::new(name, message));
    }

    /// The query, unless there were errors.
    pub(super) fn finish<T>(self, query: T) -> Result<T, Error> {
        if self.errors.is_empty() { Ok(query) } else { Err(Error::fields(self.errors)) }
    }
}

/// The requirement of a parameter that is one of some names.
pub(super) fn one_of(names: &[&str]) -> String {
    format!("must be one of {}", names.join(", "))
}

/// Reads the query of a write: whether it is a dry run.
pub fn read_dry_run(pairs: &[(String, String)]) -> Result<bool, Error> {
    reject_unknown_params(pairs, &["dry_run"])?;
    dry_run(pairs)
}

fn dry_run(pairs: &[(String, String)]) -> Result<bool, Error> {
    match value(pairs, "dry_run") {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Error::field("dry_run", "must be true or false")),
    }
}

/// The parameters of `updateCampaign` and `deleteCampaign`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditQuery {
    /// Whether the change is only to be checked.
    pub is_dry_run: bool,
    /// The time for which the change is scheduled; at once if absent.
    pub apply_at: Option<Timestamp>,
}

/// Reads the query of `updateCampaign`.
pub fn read_edit(pairs: &[(String, String)]) -> Result<EditQuery, Error> {
    reject_unknown_params(pairs, &["dry_run", "apply_at"])?;
    let is_dry_run = dry_run(pairs)?;
    let apply_at = read_apply_at(pairs)?;
    if is_dry_run && apply_at.is_some() {
        return Err(Error::field("apply_at", "must not be sent with dry_run, which changes nothing"));
    }
    Ok(EditQuery { is_dry_run, apply_at })
}

/// The parameters of `deleteCampaign`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovalQuery {
    /// The time for which the removal is scheduled; at once if absent.
    pub apply_at: Option<Timestamp>,
    /// The caller's own reference. A removal has no body that could name it.
    pub reference: Option<Reference>,
}

/// Reads the query of `deleteCampaign`.
pub fn read_removal(pairs: &[(String, String)]) -> Result<RemovalQuery, Error> {
    reject_unknown_params(pairs, &["apply_at", "reference"])?;
    let apply_at = read_apply_at(pairs)?;
    let mut reader = QueryReader::new(pairs);
    let reference = reader.reference();
    reader.finish(RemovalQuery { apply_at, reference })
}

fn read_apply_at(pairs: &[(String, String)]) -> Result<Option<Timestamp>, Error> {
    let Some(text) = value(pairs, "apply_at") else { return Ok(None) };
    let at = Moment::parse_instant(text).filter(|at| at.subsec_nanosecond() == 0);
    at.map(Some).ok_or_else(|| Error::field("apply_at", TimeRule::WholeSecond))
}

/// Reads the query of `listCampaigns`. All errors are reported together.
pub fn read_list(shape: Shape, pairs: &[(String, String)]) -> Result<ListQuery, Error> {
    let pairs = &joined(&joined(pairs, "status"), "delivery_state");
    reject_unknown_params(
        pairs,
        &[
            "platform",
            "organization_id",
            "connection_id",
            "status",
            "name_contains",
            "delivery_state",
            "limit",
            "cursor",
        ],
    )?;
    let mut errors = Vec::new();
    let mut collect = |error: Error| errors.extend(error.details);
    let platform = value(pairs, "platform").map(|name| platform(shape, name)).transpose().map_err(&mut collect);
    let statuses = value(pairs, "status").map(|name| status_filter(shape, name)).transpose().map_err(&mut collect);
    let account = filled(pairs, "organization_id").map_err(&mut collect);
    let connection = filled(pairs, "connection_id").map_err(&mut collect);
    let name = value(pairs, "name_contains").map(name_part).transpose().map_err(&mut collect);
    let states = value(pairs, "delivery_state").map_or(Ok(Vec::new()), delivery_states).map_err(&mut collect);
    let limit = value(pairs, "limit").map_or(Ok(DEFAULT_LIMIT), limit).map_err(&mut collect);
    match (platform, statuses, account, connection, name, states, limit) {
        (
            Ok(platform),
            Ok(statuses),
            Ok(account_id),
            Ok(connection_id),
            Ok(name_contains),
            Ok(delivery_states),
            Ok(limit),
        ) => {
            let statuses = statuses.unwrap_or_else(StatusSet::not_final);
            let account_id = account_id.map(|id| AdAccount::plain_id(&id));
            let filters = ListFilters { platform, account_id, connection_id, statuses, name_contains, delivery_states };
            Ok(ListQuery { filters, limit, cursor: cursor(pairs) })
        }
        _ => Err(Error::fields(errors)),
    }
}

/// Reads one status, or several with commas between them.
fn status_filter(shape: Shape, names: &str) -> Result<StatusSet, Error> {
    let read = match shape {
        Shape::Flat => flat::status_filter,
        Shape::Enveloped => enveloped::status_filter,
    };
    names.split(',').try_fold(StatusSet::of(&[]), |set, name| Ok(set.with(read(name)?)))
}

/// Reads one state of the delivery, or several with commas between them: each once, in the order of the states.
fn delivery_states(names: &str) -> Result<Vec<DeliveryState>, Error> {
    let states: Option<Vec<DeliveryState>> = names.split(',').map(DeliveryState::parse).collect();
    let states = states.ok_or_else(|| {
        let known = DeliveryState::ALL.map(DeliveryState::as_str).join(", ");
        Error::field("delivery_state", ChoiceRule::OneOf(known))
    })?;
    Ok(DeliveryState::ALL.into_iter().filter(|state| states.contains(state)).collect())
}

fn platform(shape: Shape, name: &str) -> Result<Platform, Error> {
    shape.parse_platform(name).ok_or_else(|| Error::field("platform", shape.platform_requirement(name)))
}

/// The value of a parameter that must not be empty.
fn filled(pairs: &[(String, String)], name: &str) -> Result<Option<String>, Error> {
    let text = value(pairs, name);
    if text.is_some_and(str::is_empty) {
        return Err(Error::field(name, "must not be empty"));
    }
    Ok(text.map(str::to_owned))
}

/// Reads a part of a name.
fn name_part(text: &str) -> Result<String, Error> {
    let is_valid = (1..=MAX_NAME_CHARS).contains(&text.chars().count()) && !text.contains(char::is_control);
    let message = || format!("must be 1 to {MAX_NAME_CHARS} characters without control characters");
    if is_valid { Ok(text.to_owned()) } else { Err(Error::field("name_contains", message())) }
}

/// Reads `limit`, without a sign or spaces.
pub(super) fn limit(text: &str) -> Result<usize, Error> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_digits.then(|| text.parse().ok()).flatten();
    number
        .filter(|limit| (1..=MAX_LIMIT).contains(limit))
        .ok_or_else(|| Error::field("limit", format!("must be a whole number from 1 to {MAX_LIMIT}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CampaignStatus;

    fn error_fields(query: &str) -> Vec<String> {
        let error = read_list(Shape::Flat, &pairs(Some(query))).unwrap_err();
        error.details.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn an_invalid_value_names_its_parameter() {
        for query in ["limit=0", "limit=101", "limit=x", "limit=", "limit=%2B5", "limit=99999999999999999999"] {
            assert_eq!(error_fields(query), ["limit"], "{query}");
        }
        assert_eq!(error_fields("platform=ALPHA"), ["platform"]);
        assert_eq!(error_fields("status=nope&limit=0"), ["status", "limit"]);
        assert_eq!(error_fields("limit=1&limit=2"), ["limit"]);
        assert_eq!(error_fields("offset=1"), ["offset"]);
        assert_eq!(error_fields("organization_id="), ["organization_id"]);
        assert_eq!(error_fields("connection_id=&name_contains="), ["connection_id", "name_contains"]);
        assert_eq!(error_fields(&format!("name_contains={}", "a".repeat(256))), ["name_contains"]);
        assert_eq!(error_fields("status=ACTIVE,"), ["status"]);
        assert_eq!(error_fields("status=ACTIVE&status=nope"), ["status"]);
    }

    #[test]
    fn several_statuses_are_joined_by_commas_or_repeated() {
        let statuses = |query: &str| read_list(Shape::Flat, &pairs(Some(query))).unwrap().filters.statuses;
        let both = statuses("status=ACTIVE,ENDED");
        assert_eq!(both, StatusSet::of(&[CampaignStatus::Active, CampaignStatus::Ended]));
        for query in ["status=ENDED&status=ACTIVE", "status=ACTIVE,ENDED,ACTIVE", "status=ACTIVE,ENDED&status=ENDED"] {
            assert_eq!(statuses(query), both, "{query}");
        }
    }

    #[test]
    fn a_page_has_25_campaigns_and_no_removed_ones_by_default() {
        let list = read_list(Shape::Flat, &[]).unwrap();
        assert_eq!(list.limit, 25);
        assert_eq!(list.filters.statuses, StatusSet::not_final());
    }
}
