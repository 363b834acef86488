//! Creates campaigns.

use super::rules::{check_budget, check_name, check_name_as_budget};
use super::{Campaign, Status, networks};
use crate::alpha::account::Account;
use crate::alpha::budget::Budget;
use crate::alpha::error::AdsError;
use crate::alpha::input::{constant, reject_output_fields, text};
use crate::alpha::resource_schema::{CAMPAIGN, STRATEGY};
use crate::alpha::{bidding, dates};
use crate::delivery::DeliveredDays;
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Map, Value};

/// Builds a campaign from the input, or returns every error. The caller assigns the id and the time of creation. With
/// `fills_networks`, the campaign also targets the networks that it omits.
pub(crate) fn create(
    account: &Account,
    input: &Value,
    budget: Result<&Budget, AdsError>,
    now: DateTime,
    fills_networks: bool,
) -> Result<Campaign, Vec<AdsError>> {
    let mut errors = Vec::new();
    reject_output_fields(input, &CAMPAIGN, &mut errors);
    let channel = or_default(&mut errors, required(input, "advertising_channel_type"));
    let start = or_default(&mut errors, start(input, &channel, now));
    let (strategy, strategy_settings) = or_default(&mut errors, strategy(input));
    let mut campaign = Campaign {
        id: 0,
        name: or_default(&mut errors, check_name(account, 0, text(input, "name"))),
        status: status(input).map_err(|error| errors.push(error)).unwrap_or(Status::Paused),
        eu_political: or_default(&mut errors, required(input, "contains_eu_political_advertising")),
        networks: networks::read(input),
        end: or_default(&mut errors, end(input, &start, &channel, now)),
        budget: budget.as_ref().map_or(0, |budget| budget.id),
        delivered: DeliveredDays::new(),
        created: Timestamp::default(),
        channel,
        strategy,
        strategy_settings,
        start,
    };
    if !campaign.channel.is_empty() && !campaign.strategy.is_empty() {
        errors.extend(bidding::check(&campaign.channel, &campaign.strategy).err());
    }
    if fills_networks {
        networks::fill(&mut campaign);
    }
    errors.extend(networks::check(&campaign).err());
    match budget {
        Ok(budget) => {
            errors.extend(check_name_as_budget(&campaign.name, budget).err());
            // With an invalid end, the check of the budget would report it a second time.
            if errors.is_empty() {
                errors.extend(check_budget(account, &campaign, budget).err());
            }
        }
        Err(error) => errors.push(error),
    }
    if errors.is_empty() { Ok(campaign) } else { Err(errors) }
}

/// The value, or the default after adding the error to the list.
fn or_default<T: Default>(errors: &mut Vec<AdsError>, outcome: Result<T, AdsError>) -> T {
    outcome.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

fn required(input: &Value, field: &str) -> Result<String, AdsError> {
    constant(input, field)?.map(str::to_owned).ok_or_else(|| AdsError::required(field))
}

/// Defaults to enabled, so that the campaign spends at once.
fn status(input: &Value) -> Result<Status, AdsError> {
    match constant(input, "status")? {
        None | Some("ENABLED") => Ok(Status::Enabled),
        Some("PAUSED") => Ok(Status::Paused),
        Some(other) => {
            let code = ("operationAccessDeniedError", "CREATE_AS_REMOVED_NOT_PERMITTED");
            Err(AdsError::new(code, "A campaign cannot be created removed.").at("status").with_trigger(other))
        }
    }
}

/// The bidding strategy and its settings. The JSON parser guarantees at most one.
fn strategy(input: &Value) -> Result<(String, Map<String, Value>), AdsError> {
    let is_strategy = |name: &str| CAMPAIGN.field(name).is_some_and(|field| field.oneof == Some(STRATEGY));
    let fields = input.as_object().into_iter().flatten();
    let found = fields.into_iter().find(|(name, _)| is_strategy(name));
    let (name, settings) = found.ok_or_else(|| AdsError::required(STRATEGY))?;
    Ok((name.clone(), settings.as_object().cloned().unwrap_or_default()))
}

/// Defaults to the current day.
fn start(input: &Value, channel: &str, now: DateTime) -> Result<String, AdsError> {
    let Some(text) = text(input, "start_date_time") else {
        return Ok(dates::format(now.date().to_datetime(jiff::civil::Time::midnight())));
    };
    dates::check_start(dates::parse(text, "start_date_time")?, channel, now)?;
    Ok(text.to_owned())
}

/// Defaults to no end.
fn end(input: &Value, start: &str, channel: &str, now: DateTime) -> Result<Option<String>, AdsError> {
    let Some(text) = text(input, "end_date_time") else { return Ok(None) };
    let end = dates::parse(text, "end_date_time")?;
    dates::check_end(end, channel, now)?;
    dates::check_order(dates::parse(start, "start_date_time").ok(), Some(end), &["end_date_time"])?;
    Ok(Some(text.to_owned()))
}
