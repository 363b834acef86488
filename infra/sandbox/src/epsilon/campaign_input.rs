//! Parses the array of campaigns in the body of a create or an update. A malformed item rejects the whole
//! request; business rules are checked per item, in `write`.
//!
//! Pinterest API v5 reference: `CampaignCreateRequest`, `CampaignUpdateRequest`. The schema is open and
//! leaves unknown properties to the server; the sandbox rejects them, because a misspelt property would
//! otherwise be ignored. `end_time` is cleared by -1 (OpenAPI description, `CampaignBatchUpdateItem`). The effect of
//! null is not documented; here it leaves a time as it is, so that a caller who relies on it is found out.

use super::campaign::{Status, parse_id};
use super::error::ApiError;
use serde_json::{Map, Value};

/// The most items of a request.
const MAX_ITEMS: usize = 30;

/// The last second of the year 9999. Larger values are probably milliseconds.
const LAST_SECOND: i64 = 253_402_300_799;

/// The end that an update sends to take the end away.
const NO_END: i64 = -1;

/// The objectives of the schema, deprecated ones included.
const OBJECTIVES: &[&str] = &[
    "AWARENESS",
    "CONSIDERATION",
    "VIDEO_COMPLETION",
    "SALES",
    "LEADS",
    "APP_INSTALL",
    "CTV_CONSIDERATION",
    "WEB_CONVERSION",
    "CATALOG_SALES",
    "VIDEO_VIEW",
    "WEB_SESSIONS",
];

const FIELDS: &[&str] = &[
    "ad_account_id",
    "name",
    "objective_type",
    "status",
    "is_campaign_budget_optimization",
    "is_flexible_daily_budgets",
    "daily_spend_cap",
    "lifetime_spend_cap",
    "start_time",
    "end_time",
];

/// Properties of the schema that the sandbox does not support. It accepts them if they are null or false.
const UNSUPPORTED: &[&str] = &[
    "order_line_id",
    "tracking_urls",
    "bid_options",
    "default_ad_group_budget_in_micro_currency",
    "is_automated_campaign",
    "is_performance_plus",
];

/// The kind of the write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Create,
    Update,
}

/// The change of an optional number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldChange {
    Keep,
    Clear,
    Set(i64),
}

impl FieldChange {
    pub(crate) fn apply_to(self, old: Option<i64>) -> Option<i64> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }
}

/// A campaign in the body of a write.
pub(crate) struct CampaignInput {
    /// The id of the campaign to update; `None` for a create.
    pub(crate) id: Option<i64>,
    pub(crate) account: i64,
    pub(crate) name: Option<String>,
    pub(crate) objective: Option<String>,
    pub(crate) status: Option<Status>,
    pub(crate) optimized: Option<bool>,
    pub(crate) flexible: Option<bool>,
    pub(crate) daily: FieldChange,
    pub(crate) lifetime: FieldChange,
    pub(crate) start: FieldChange,
    pub(crate) end: FieldChange,
}

/// Parses the campaigns of a body.
pub(crate) fn parse(body: &str, kind: WriteKind) -> Result<Vec<CampaignInput>, ApiError> {
    let parsed: Value = serde_json::from_str(body)
        .map_err(|error| ApiError::invalid(format!("Invalid request body: not JSON ({error})")))?;
    let Value::Array(items) = parsed else {
        return Err(ApiError::invalid("Invalid request body: it must be an array of campaigns"));
    };
    if items.is_empty() || items.len() > MAX_ITEMS {
        let why = format!("Invalid request body: {} campaigns, but 1 to {MAX_ITEMS} can be sent", items.len());
        return Err(ApiError::invalid(why));
    }
    items.iter().enumerate().map(|(at, item)| one(at, item, kind)).collect()
}

fn one(at: usize, item: &Value, kind: WriteKind) -> Result<CampaignInput, ApiError> {
    let fields = item.as_object();
    let fields = fields.ok_or_else(|| ApiError::invalid(format!("Invalid request body: [{at}] is not an object")))?;
    let item = Item { at, fields };
    item.check_names(kind)?;
    let objective = item.choice("objective_type", |name| OBJECTIVES.contains(&name).then(|| name.to_owned()))?;
    let input = CampaignInput {
        id: item.id("id")?,
        account: item.required("ad_account_id", item.id("ad_account_id")?)?,
        name: item.text("name")?.map(str::to_owned),
        objective,
        status: item.choice("status", Status::parse)?,
        optimized: item.flag("is_campaign_budget_optimization")?,
        flexible: item.flag("is_flexible_daily_budgets")?,
        daily: item.number("daily_spend_cap", i64::MAX)?,
        lifetime: item.number("lifetime_spend_cap", i64::MAX)?,
        start: item.time("start_time")?,
        end: item.end(kind)?,
    };
    match kind {
        WriteKind::Create => {
            item.required("name", input.name.as_ref())?;
            item.required("objective_type", input.objective.as_ref())?;
        }
        WriteKind::Update => {
            item.required("id", input.id)?;
        }
    }
    Ok(input)
}

/// An object of the array.
struct Item<'a> {
    at: usize,
    fields: &'a Map<String, Value>,
}

impl<'a> Item<'a> {
    fn invalid(&self, field: &str, why: &str) -> ApiError {
        ApiError::invalid(format!("Invalid request body: [{}].{field} {why}", self.at))
    }

    fn check_names(&self, kind: WriteKind) -> Result<(), ApiError> {
        for (name, value) in self.fields {
            let name = name.as_str();
            if UNSUPPORTED.contains(&name) {
                if !matches!(value, Value::Null | Value::Bool(false)) {
                    return Err(self.invalid(name, "is not supported by the sandbox"));
                }
            } else if !FIELDS.contains(&name) && (name != "id" || kind == WriteKind::Create) {
                return Err(self.invalid(name, "is unknown"));
            }
        }
        Ok(())
    }

    fn required<T>(&self, field: &str, value: Option<T>) -> Result<T, ApiError> {
        value.ok_or_else(|| self.invalid(field, "is required"))
    }

    fn text(&self, field: &str) -> Result<Option<&'a str>, ApiError> {
        match self.fields.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.invalid(field, "must be a string")),
        }
    }

    /// Ids are strings of digits, never numbers.
    fn id(&self, field: &str) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let id = parse_id(text).ok_or_else(|| self.invalid(field, "must be a string of digits"))?;
        Ok(Some(id))
    }

    fn choice<T>(&self, field: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, ApiError> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let choice = parse(text).ok_or_else(|| self.invalid(field, &format!("cannot be {text}")))?;
        Ok(Some(choice))
    }

    fn flag(&self, field: &str) -> Result<Option<bool>, ApiError> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.invalid(field, "must be a boolean")),
        }
    }

    /// A time in seconds. Null is that of an absent property.
    fn time(&self, field: &str) -> Result<FieldChange, ApiError> {
        match self.number(field, LAST_SECOND)? {
            FieldChange::Clear => Ok(FieldChange::Keep),
            change => Ok(change),
        }
    }

    /// An end: an update takes it away with -1.
    fn end(&self, kind: WriteKind) -> Result<FieldChange, ApiError> {
        let is_none = self.fields.get("end_time").and_then(Value::as_i64) == Some(NO_END);
        if is_none && kind == WriteKind::Update { Ok(FieldChange::Clear) } else { self.time("end_time") }
    }

    /// An integer, not a fraction and not a string.
    fn number(&self, field: &str, max: i64) -> Result<FieldChange, ApiError> {
        match self.fields.get(field) {
            None => Ok(FieldChange::Keep),
            Some(Value::Null) => Ok(FieldChange::Clear),
            Some(value) => {
                let number = value.as_i64().filter(|number| (0..=max).contains(number));
                let why = format!("must be an integer from 0 to {max}");
                number.map(FieldChange::Set).ok_or_else(|| self.invalid(field, &why))
            }
        }
    }
}
