//! Control addresses for what keeps campaigns from being shown: their ads, and holds of campaigns and ad accounts.

use super::accounts::{platform, spend_error};
use super::{bad_request, platform_field};
use crate::ads::{AdState, Hold};
use crate::fields::{ControlResult, Fields};
use crate::platform::{AdPlatform, SpendError};
use crate::state::State;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// `POST ads`: sets the ads of a campaign, in place of those that it had.
pub(super) fn set_ads(state: &mut State, body: &str, now: Timestamp) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let campaign = fields.literal("campaign_id").map_err(bad_request)?;
    let ads = fields.optional_texts("ads").map_err(bad_request)?;
    let ads = ads.ok_or_else(|| bad_request("ads is missing; an empty list removes all".to_owned()))?;
    fields.deny_unknown().map_err(bad_request)?;
    let states = ads.iter().map(|ad| choice("ad", ad, AdState::ALL)).collect::<Result<Vec<_>, _>>()?;
    let platform = platform(state, name)?;
    check_campaign(platform, name, &campaign, now)?;
    platform.ads().set(&campaign, &states);
    Ok((200, json!({ "platform": name, "campaign_id": campaign, "ads": ads })))
}

/// `POST hold`: holds a campaign or an account back; without a hold it is let go.
pub(super) fn set_hold(state: &mut State, body: &str, now: Timestamp) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let account = fields.text("account").map_err(bad_request)?;
    let campaign = fields.optional_literal("campaign_id").map_err(bad_request)?;
    let hold = fields.text("hold").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let platform = platform(state, name)?;
    let holds = platform.holds();
    let held = |known: &[Hold]| hold.as_ref().map(|hold| choice("hold", hold, known)).transpose();
    match (account, campaign) {
        (Some(account), None) => {
            let wanted = held(holds.of_accounts)?;
            if !platform.accounts().iter().any(|known| known.id == account) {
                return Err((404, format!("account {account} is not an ad account of {name}")));
            }
            platform.ads().hold_account(&account, wanted);
            Ok((200, json!({ "platform": name, "account": account, "hold": hold })))
        }
        (None, Some(campaign)) => {
            let wanted = held(holds.of_campaigns)?;
            check_campaign(platform, name, &campaign, now)?;
            platform.ads().hold_campaign(&campaign, wanted);
            Ok((200, json!({ "platform": name, "campaign_id": campaign, "hold": hold })))
        }
        _ => Err(bad_request("account or campaign_id has to be given, not both".to_owned())),
    }
}

fn check_campaign(platform: &dyn AdPlatform, name: &str, campaign: &str, now: Timestamp) -> Result<(), (u16, String)> {
    if platform.campaigns(now).iter().any(|known| known["id"] == campaign) {
        return Ok(());
    }
    Err(spend_error(SpendError::UnknownCampaign, name, campaign, ""))
}

/// One of `known` by its name. The error lists their names.
fn choice<T: Copy + PartialEq + Serialize + DeserializeOwned>(
    field: &str,
    name: &str,
    known: &[T],
) -> Result<T, (u16, String)> {
    let found = serde_json::from_value::<T>(json!(name)).ok().filter(|found| known.contains(found));
    found.ok_or_else(|| {
        let known: Vec<Value> = known.iter().map(|one| json!(one)).collect();
        let known: Vec<&str> = known.iter().filter_map(Value::as_str).collect();
        bad_request(format!("{field} \"{name}\" is unknown here; known are [{}]", known.join(", ")))
    })
}
