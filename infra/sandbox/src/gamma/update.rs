//! Updates campaigns and their status.
//!
//! TikTok API for Business v1.3: "Update a campaign", "Update the statuses of campaigns", and their Upgraded Smart+
//! counterparts. No call changes the budget mode, and "Update a campaign" does not change the status.

use super::account::Account;
use super::campaign::{Campaign, INFINITE, Kind};
use super::create::special_industries;
use super::envelope::Data;
use super::error::{ApiError, NO_SUCH_OBJECT, NO_UPDATE};
use super::params::Body;
use super::{campaign_name, currency};
use serde_json::{Value, json};

/// Upper bound of `campaign_ids` in one status change.
const MAX_CAMPAIGNS: usize = 20;

/// The fields that an update accepts.
pub(crate) fn fields(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Manual => &["advertiser_id", "campaign_id", "campaign_name", "budget", "special_industries"],
        Kind::SmartPlus => &["advertiser_id", "campaign_id", "campaign_name", "budget"],
    }
}

/// The fields that a status change accepts.
pub(crate) const STATUS_FIELDS: &[&str] = &["advertiser_id", "campaign_ids", "operation_status"];

/// Changes name, budget and special industries, atomically. The answer to a change that is ignored shows the campaign as it
/// was.
pub(crate) fn update(
    account: &mut Account,
    body: &Body,
    kind: Kind,
    now: &str,
    is_ignored: bool,
) -> Result<Data, ApiError> {
    let id = find_mutable(account, "campaign_id", &body.required("campaign_id")?, kind)?;
    let Account { id: advertiser, currency, campaigns, .. } = account;
    let campaign = campaigns.get_mut(&id).ok_or_else(|| ApiError::missing("campaign_id"))?;
    let mut new = campaign.clone();
    if let Some(name) = body.string("campaign_name")? {
        new.name = campaign_name::check(name)?;
    }
    if let Some(number) = body.number("budget")? {
        new.budget = budget(campaign, number, currency)?;
    }
    if let Some(industries) = special_industries(body)? {
        new.special_industries = industries;
    }
    if new == *campaign {
        return Err(ApiError::new(NO_UPDATE, "No update."));
    }
    now.clone_into(&mut new.modified);
    let shown = if is_ignored { campaign.written(advertiser) } else { new.written(advertiser) };
    *campaign = new;
    Ok(Data::Row(shown))
}

/// A new budget has to be at least 105 % of the spend.
fn budget(campaign: &Campaign, number: &str, currency: &str) -> Result<i64, ApiError> {
    if campaign.budget_mode == INFINITE {
        return Err(ApiError::parameter("budget", "Not allowed with BUDGET_MODE_INFINITE."));
    }
    let budget = currency::budget(number, currency)?;
    if i128::from(budget) * 100 < i128::from(campaign.spent()) * 105 {
        return Err(ApiError::parameter("budget", "The budget has to be no less than 105% of the current spend."));
    }
    Ok(budget)
}

/// Enables, disables or deletes campaigns, atomically.
pub(crate) fn set_status(account: &mut Account, body: &Body, kind: Kind, now: &str) -> Result<Data, ApiError> {
    let ids = body.strings("campaign_ids")?.ok_or_else(|| ApiError::missing("campaign_ids"))?;
    if ids.is_empty() || ids.len() > MAX_CAMPAIGNS {
        return Err(ApiError::parameter("campaign_ids", "Length must be between 1 and 20."));
    }
    let status = body.choice("operation_status", &["ENABLE", "DISABLE", "DELETE"])?;
    let status = status.ok_or_else(|| ApiError::missing("operation_status"))?;
    let found = ids.iter().map(|id| find_mutable(account, "campaign_ids", id, kind));
    let found = found.collect::<Result<Vec<u64>, ApiError>>()?;
    for id in found {
        let Some(campaign) = account.campaigns.get_mut(&id) else { continue };
        match status.as_str() {
            "DELETE" => campaign.deleted = true,
            status => campaign.enabled = status == "ENABLE",
        }
        now.clone_into(&mut campaign.modified);
    }
    let row = |id: &String| json!({ "campaign_id": id, "status": status, "postback_window_mode": null });
    let list: Vec<Value> = ids.iter().map(row).collect();
    Ok(Data::Plain(json!({ "campaign_ids": ids, "status": status, "campaign_list": list })))
}

/// Returns the id of a campaign of this kind that exists and is not deleted. Deletion is final.
fn find_mutable(account: &Account, field: &str, id: &str, kind: Kind) -> Result<u64, ApiError> {
    let number: u64 = id.parse().map_err(|_| ApiError::parameter(field, &format!("{id} is no campaign id.")))?;
    let campaign = account.campaigns.get(&number);
    let campaign = campaign.ok_or_else(|| ApiError::new(NO_SUCH_OBJECT, format!("Campaign {id} does not exist.")))?;
    if campaign.kind != kind {
        let path = if kind == Kind::Manual { "/smart_plus/campaign/" } else { "/campaign/" };
        return Err(ApiError::parameter(field, &format!("Campaign {id} can be changed by {path} only.")));
    }
    if campaign.is_old_smart_plus {
        return Err(ApiError::parameter(
            field,
            &format!("Campaign {id} is a Smart+ campaign, which this call cannot change."),
        ));
    }
    if campaign.deleted {
        return Err(ApiError::parameter(field, &format!("Campaign {id} has been deleted.")));
    }
    Ok(number)
}
