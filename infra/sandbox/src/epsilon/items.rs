//! Reads the array of campaigns in the body of a create or an update. What is not of the
//! published form refuses the whole request; what breaks a rule is left to each item.
//!
//! Pinterest API v5 reference: `CampaignCreateRequest`, `CampaignUpdateRequest`. The schema is
//! open and leaves unknown properties to the server; here they are refused, as a misspelt
//! property would otherwise do nothing in silence.

use serde_json::{Map, Value};

use super::campaign::Status;
use super::error::Refusal;

/// Items of one request.
const MOST: usize = 30;

/// The last second of the year 9999: what is beyond it was not meant as seconds.
const LAST_SECOND: i64 = 253_402_300_799;

/// The objectives of the schema, with those that are deprecated.
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

/// Properties of the schema that are not imitated: null and false mean what is done here anyway.
const UNIMITATED: &[&str] = &[
    "order_line_id",
    "tracking_urls",
    "bid_options",
    "default_ad_group_budget_in_micro_currency",
    "is_automated_campaign",
    "is_performance_plus",
];

/// Which array is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Create,
    Update,
}

/// What is to become of a number that may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Keep,
    Clear,
    Set(i64),
}

impl Change {
    pub(crate) fn of(self, old: Option<i64>) -> Option<i64> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(new) => Some(new),
        }
    }
}

/// One campaign as it was sent.
pub(crate) struct Given {
    /// Of the campaign that is changed; nothing for a new one.
    pub(crate) id: Option<i64>,
    pub(crate) account: i64,
    pub(crate) name: Option<String>,
    pub(crate) objective: Option<String>,
    pub(crate) status: Option<Status>,
    pub(crate) optimized: Option<bool>,
    pub(crate) flexible: Option<bool>,
    pub(crate) daily: Change,
    pub(crate) lifetime: Change,
    pub(crate) start: Change,
    pub(crate) end: Change,
}

/// The campaigns of a body.
pub(crate) fn parse(body: &str, kind: Kind) -> Result<Vec<Given>, Refusal> {
    let parsed: Value = serde_json::from_str(body)
        .map_err(|error| Refusal::invalid(format!("Invalid request body: no JSON ({error})")))?;
    let Value::Array(items) = parsed else {
        return Err(Refusal::invalid("Invalid request body: it has to be an array of campaigns"));
    };
    if items.is_empty() || items.len() > MOST {
        let why = format!("Invalid request body: {} campaigns, but 1 to {MOST} can be sent", items.len());
        return Err(Refusal::invalid(why));
    }
    items.iter().enumerate().map(|(at, item)| one(at, item, kind)).collect()
}

fn one(at: usize, item: &Value, kind: Kind) -> Result<Given, Refusal> {
    let fields = item.as_object();
    let fields = fields.ok_or_else(|| Refusal::invalid(format!("Invalid request body: [{at}] is no object")))?;
    let item = Item { at, fields };
    item.check_names(kind)?;
    let objective = item.choice("objective_type", |name| OBJECTIVES.contains(&name).then(|| name.to_owned()))?;
    let given = Given {
        id: item.id("id")?,
        account: item.required("ad_account_id", item.id("ad_account_id")?)?,
        name: item.text("name")?.map(str::to_owned),
        objective,
        status: item.choice("status", Status::named)?,
        optimized: item.flag("is_campaign_budget_optimization")?,
        flexible: item.flag("is_flexible_daily_budgets")?,
        daily: item.number("daily_spend_cap", i64::MAX)?,
        lifetime: item.number("lifetime_spend_cap", i64::MAX)?,
        start: item.number("start_time", LAST_SECOND)?,
        end: item.number("end_time", LAST_SECOND)?,
    };
    match kind {
        Kind::Create => {
            item.required("name", given.name.as_ref())?;
            item.required("objective_type", given.objective.as_ref())?;
        }
        Kind::Update => {
            item.required("id", given.id)?;
        }
    }
    Ok(given)
}

/// One object of the array.
struct Item<'a> {
    at: usize,
    fields: &'a Map<String, Value>,
}

impl<'a> Item<'a> {
    fn wrong(&self, field: &str, why: &str) -> Refusal {
        Refusal::invalid(format!("Invalid request body: [{}].{field} {why}", self.at))
    }

    fn check_names(&self, kind: Kind) -> Result<(), Refusal> {
        for (name, value) in self.fields {
            let name = name.as_str();
            if UNIMITATED.contains(&name) {
                if !matches!(value, Value::Null | Value::Bool(false)) {
                    return Err(self.wrong(name, "is not imitated by the sandbox"));
                }
            } else if !FIELDS.contains(&name) && (name != "id" || kind == Kind::Create) {
                return Err(self.wrong(name, "is unknown"));
            }
        }
        Ok(())
    }

    fn required<T>(&self, field: &str, value: Option<T>) -> Result<T, Refusal> {
        value.ok_or_else(|| self.wrong(field, "is required"))
    }

    fn text(&self, field: &str) -> Result<Option<&'a str>, Refusal> {
        match self.fields.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.wrong(field, "has to be a string")),
        }
    }

    /// Ids are strings of digits, never numbers.
    fn id(&self, field: &str) -> Result<Option<i64>, Refusal> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let id = id(text).ok_or_else(|| self.wrong(field, "has to be a string of digits"))?;
        Ok(Some(id))
    }

    fn choice<T>(&self, field: &str, named: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(field)? else { return Ok(None) };
        let choice = named(text).ok_or_else(|| self.wrong(field, &format!("cannot be {text}")))?;
        Ok(Some(choice))
    }

    fn flag(&self, field: &str) -> Result<Option<bool>, Refusal> {
        match self.fields.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(self.wrong(field, "has to be a boolean")),
        }
    }

    /// A whole number, not a fraction and not a string.
    fn number(&self, field: &str, most: i64) -> Result<Change, Refusal> {
        match self.fields.get(field) {
            None => Ok(Change::Keep),
            Some(Value::Null) => Ok(Change::Clear),
            Some(value) => {
                let number = value.as_i64().filter(|number| (0..=most).contains(number));
                let why = format!("has to be an integer from 0 to {most}");
                number.map(Change::Set).ok_or_else(|| self.wrong(field, &why))
            }
        }
    }
}

/// An id in a path, a query or a body: up to 18 digits.
pub(crate) fn id(text: &str) -> Option<i64> {
    let digits = (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}
