//! What a new campaign has to have.

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Map, Value};

use super::rules::{check_budget, check_name, check_name_as_budget};
use super::{Campaign, Status, networks};
use crate::alpha::accounts::Account;
use crate::alpha::budget::Budget;
use crate::alpha::error::AdsError;
use crate::alpha::given::{constant, refuse_output, text};
use crate::alpha::schema::{CAMPAIGN, STRATEGY};
use crate::alpha::{bidding, dates};

/// Makes a campaign of what was sent, for a budget that was found; its id and the time come later. All
/// that is wrong is told at once. With `buys_networks` it has the networks that it does not name.
pub(crate) fn create(
    account: &Account,
    given: &Value,
    budget: Result<&Budget, AdsError>,
    now: DateTime,
    buys_networks: bool,
) -> Result<Campaign, Vec<AdsError>> {
    let mut errors = Vec::new();
    refuse_output(given, &CAMPAIGN, &mut errors);
    let channel = keep(&mut errors, required(given, "advertising_channel_type"));
    let start = keep(&mut errors, start(given, &channel, now));
    let (strategy, strategy_settings) = keep(&mut errors, strategy(given));
    let mut campaign = Campaign {
        id: 0,
        name: keep(&mut errors, check_name(account, 0, text(given, "name"))),
        status: status(given).unwrap_or_else(|error| {
            errors.push(error);
            Status::Paused
        }),
        eu_political: keep(&mut errors, required(given, "contains_eu_political_advertising")),
        networks: networks::read(given),
        end: keep(&mut errors, end(given, &start, &channel, now)),
        budget: budget.as_ref().map_or(0, |budget| budget.id),
        cost_micros: 0,
        created: Timestamp::default(),
        channel,
        strategy,
        strategy_settings,
        start,
    };
    if !campaign.channel.is_empty() && !campaign.strategy.is_empty() {
        errors.extend(bidding::check(&campaign.channel, &campaign.strategy).err());
    }
    if buys_networks {
        networks::fill(&mut campaign);
    }
    errors.extend(networks::check(&campaign).err());
    match budget {
        Ok(budget) => {
            errors.extend(check_name_as_budget(&campaign.name, budget).err());
            // With a bad end the budget's own complaint about it would only confuse.
            if errors.is_empty() {
                errors.extend(check_budget(account, &campaign, budget).err());
            }
        }
        Err(error) => errors.push(error),
    }
    if errors.is_empty() { Ok(campaign) } else { Err(errors) }
}

/// The value, or an empty one and its error in the list.
fn keep<T: Default>(errors: &mut Vec<AdsError>, outcome: Result<T, AdsError>) -> T {
    outcome.unwrap_or_else(|error| {
        errors.push(error);
        T::default()
    })
}

fn required(given: &Value, field: &str) -> Result<String, AdsError> {
    constant(given, field)?.map(str::to_owned).ok_or_else(|| AdsError::required(field))
}

/// Left out, a campaign is enabled: it spends at once.
fn status(given: &Value) -> Result<Status, AdsError> {
    match constant(given, "status")? {
        None | Some("ENABLED") => Ok(Status::Enabled),
        Some("PAUSED") => Ok(Status::Paused),
        Some(other) => {
            let code = ("operationAccessDeniedError", "CREATE_AS_REMOVED_NOT_PERMITTED");
            Err(AdsError::new(code, "A campaign cannot be created removed.").at("status").on(other))
        }
    }
}

/// The one strategy of the group; that there are not two was seen to when the JSON was parsed.
fn strategy(given: &Value) -> Result<(String, Map<String, Value>), AdsError> {
    let of_group = |name: &str| CAMPAIGN.field(name).is_some_and(|field| field.oneof == Some(STRATEGY));
    let fields = given.as_object().into_iter().flatten();
    let found = fields.into_iter().find(|(name, _)| of_group(name));
    let (name, settings) = found.ok_or_else(|| AdsError::required(STRATEGY))?;
    Ok((name.clone(), settings.as_object().cloned().unwrap_or_default()))
}

/// Left out, it starts today.
fn start(given: &Value, channel: &str, now: DateTime) -> Result<String, AdsError> {
    let Some(text) = text(given, "start_date_time") else {
        return Ok(dates::show(now.date().to_datetime(jiff::civil::Time::midnight())));
    };
    dates::check_start(dates::parse(text, "start_date_time")?, channel, now)?;
    Ok(text.to_owned())
}

/// Left out, it runs on.
fn end(given: &Value, start: &str, channel: &str, now: DateTime) -> Result<Option<String>, AdsError> {
    let Some(text) = text(given, "end_date_time") else { return Ok(None) };
    let end = dates::parse(text, "end_date_time")?;
    let start = dates::parse(start, "start_date_time").unwrap_or(now);
    dates::check_end(end, start, channel, now)?;
    Ok(Some(text.to_owned()))
}
