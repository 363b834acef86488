//! `POST delivery`: what campaigns did, one day by hand or several days from a seed.

use super::accounts::{platform, spend_error};
use super::{bad_request, platform_field};
use crate::delivery::{self, Delivery};
use crate::fields::{ControlResult, Fields};
use crate::money::micros;
use crate::platform::{AdPlatform, SpendError};
use crate::state::State;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

/// Most days of one seed: Meta, the platform with the longest history, keeps about three years.
const MAX_DAYS: u64 = 1_100;

/// `POST delivery`: with `date`, one day of one campaign; with `seed`, the `days` before today of one campaign or of
/// all, which get an ad each if they have none.
pub(super) fn deliver(state: &mut State, body: &str, now: Timestamp) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    match fields.number("seed", u64::MAX).map_err(bad_request)? {
        Some(seed) => from_seed(platform(state, name)?, name, seed, fields, now),
        None => by_hand(platform(state, name)?, name, fields),
    }
}

fn by_hand(platform: &mut dyn AdPlatform, name: &str, mut fields: Fields) -> ControlResult {
    let campaign = fields.literal("campaign_id").map_err(bad_request)?;
    let date = fields.required("date").map_err(bad_request)?;
    let day = date.parse::<Date>().map_err(|_| bad_request(format!("date {date} has to be YYYY-MM-DD")))?;
    let spend = fields.literal("spend").map_err(bad_request)?;
    let delivery = Delivery {
        spend: amount("spend", &spend)?,
        impressions: fields.number("impressions", u64::MAX).map_err(bad_request)?.unwrap_or(0),
        clicks: fields.number("clicks", u64::MAX).map_err(bad_request)?.unwrap_or(0),
        conversions: optional_amount(&mut fields, "conversions")?,
        conversion_value: optional_amount(&mut fields, "conversion_value")?,
    };
    fields.deny_unknown().map_err(bad_request)?;
    let delivered = platform.deliver(&campaign, day, &delivery);
    delivered.map_err(|error| spend_error(error, name, &campaign, &spend))?;
    Ok((200, json!({ "platform": name, "campaign_id": campaign, "days": 1 })))
}

fn from_seed(
    platform: &mut dyn AdPlatform,
    name: &str,
    seed: u64,
    mut fields: Fields,
    now: Timestamp,
) -> ControlResult {
    let days = fields.number("days", MAX_DAYS).map_err(bad_request)?.unwrap_or(30);
    let only = fields.optional_literal("campaign_id").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let text = |campaign: &Value, field: &str| campaign[field].as_str().unwrap_or_default().to_owned();
    // The budget has the decimal places of the account's currency.
    let places = |campaign: &Value| if text(campaign, "budget").contains('.') { 2 } else { 0 };
    let campaigns = platform.campaigns(now);
    let campaigns = campaigns.iter().map(|campaign| (text(campaign, "id"), places(campaign)));
    let campaigns: Vec<_> = campaigns.filter(|(id, _)| only.as_ref().is_none_or(|only| only == id)).collect();
    if let (Some(only), true) = (&only, campaigns.is_empty()) {
        return Err(spend_error(SpendError::UnknownCampaign, name, only, ""));
    }
    let today = TimeZone::UTC.to_datetime(now).date();
    let mut delivered = 0_u64;
    for (id, places) in &campaigns {
        platform.ads().add_where_none(id);
        for back in 1..=i64::try_from(days).unwrap_or(0) {
            let day = today.saturating_sub(back.days());
            let Some(delivery) = delivery::seeded(seed, id, day, *places) else { continue };
            platform.deliver(id, day, &delivery).map_err(|error| spend_error(error, name, id, "of the seed"))?;
            delivered += 1;
        }
    }
    Ok((200, json!({ "platform": name, "campaigns": campaigns.len(), "days": delivered })))
}

fn optional_amount(fields: &mut Fields, name: &str) -> Result<i64, (u16, String)> {
    match fields.optional_literal(name).map_err(bad_request)? {
        Some(text) => amount(name, &text),
        None => Ok(0),
    }
}

fn amount(name: &str, text: &str) -> Result<i64, (u16, String)> {
    let wrong = || bad_request(format!("{name} {text} is not a decimal with up to six places, or is too large"));
    // A platform that corrects a day may report less than nothing for it.
    let correction = text.strip_prefix('-').map(|text| micros(text).map(i64::saturating_neg));
    correction.unwrap_or_else(|| micros(text)).ok_or_else(wrong)
}
