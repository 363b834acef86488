//! Control addresses for ad accounts: opening one, access to it, and spend.

use super::{bad_request, platform_field, selected_platforms};
use crate::account::AccountSummary;
use crate::fields::{ControlResult, Fields};
use crate::http::Request;
use crate::platform::{AdPlatform, SpendError, TotalSpend};
use crate::state::State;
use jiff::Timestamp;
use serde_json::{Value, json};

/// `GET accounts`.
pub(super) fn list(state: &State, request: &Request) -> ControlResult {
    let platforms =
        selected_platforms(request)?.filter_map(|name| Some((name, state.platforms.ad_platform(name)?.accounts())));
    let rows = platforms.flat_map(|(name, accounts)| accounts.into_iter().map(move |account| row(name, &account)));
    Ok((200, json!({ "accounts": rows.collect::<Vec<Value>>() })))
}

fn row(platform: &str, account: &AccountSummary) -> Value {
    let AccountSummary { id, name, currency, time_zone, marks } = account;
    json!({
        "platform": platform, "id": id, "name": name, "currency": currency, "time_zone": time_zone, "marks": marks,
    })
}

/// `POST accounts`.
pub(super) fn open(state: &mut State, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let currency = fields.required("currency").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let opened = platform(state, name)?.open_account(&currency);
    let unsupported = || bad_request(format!("currency \"{currency}\" is not supported by {name}"));
    let AccountSummary { id, name: title, currency, time_zone, .. } = opened.ok_or_else(unsupported)?;
    let account = json!({ "id": id, "name": title, "currency": currency, "time_zone": time_zone });
    Ok((201, json!({ "platform": name, "account": account })))
}

/// `POST access`: every grant loses access to an account, or regains it.
pub(super) fn set_access(state: &mut State, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let account = fields.required("account").map_err(bad_request)?;
    let access = fields.required("access").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let is_lost = match access.as_str() {
        "lost" => true,
        "regained" => false,
        _ => return Err(bad_request(format!("access \"{access}\" is unknown; it is one of lost, regained"))),
    };
    let platform = platform(state, name)?;
    if !platform.accounts().iter().any(|known| known.id == account) {
        return Err((404, format!("account {account} is not an ad account of {name}")));
    }
    platform.grants().set_access(&account, is_lost);
    Ok((200, json!({ "platform": name, "account": account, "access": access })))
}

/// `POST spend`.
pub(super) fn add_spend(state: &mut State, body: &str, now: Timestamp) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let campaign = fields.literal("campaign_id").map_err(bad_request)?;
    let amount = fields.literal("amount").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let spent = platform(state, name)?.spend(&campaign, &amount, now);
    let spent = spent.map_err(|error| spend_error(error, name, &campaign, &amount));
    let TotalSpend { campaign, currency, total } = spent?;
    Ok((200, json!({ "platform": name, "campaign_id": campaign, "currency": currency, "spent": total })))
}

/// The error of an amount for a campaign.
pub(super) fn spend_error(error: SpendError, platform: &str, campaign: &str, amount: &str) -> (u16, String) {
    match error {
        SpendError::UnknownCampaign => (404, format!("campaign_id {campaign} is not a campaign of {platform}")),
        SpendError::InvalidAmount => {
            bad_request(format!("amount {amount} is not a decimal with up to six places, or is too large"))
        }
        SpendError::InvalidForCurrency(currency) => {
            bad_request(format!("amount {amount} has more decimal places than {currency}, or is too large"))
        }
        SpendError::FractionalConversions => {
            bad_request(format!("conversions have to be a whole number on {platform}"))
        }
    }
}

pub(super) fn platform<'s>(state: &'s mut State, name: &str) -> Result<&'s mut dyn AdPlatform, (u16, String)> {
    state.platforms.ad_platform_mut(name).ok_or_else(|| bad_request(format!("platform {name} is unknown")))
}
