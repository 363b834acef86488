//! What may change on a campaign, and how.
//!
//! TikTok API for Business v1.3: "Update a campaign", "Update the statuses of campaigns" and the
//! same two of Upgraded Smart+. Neither takes the budget mode; the first takes no status either.

use serde_json::{Value, json};

use super::access::changeable;
use super::accounts::Account;
use super::answer::{Data, NO_UPDATE, Refusal};
use super::campaign::{Campaign, FIELDS, INFINITE, Kind};
use super::create::special_industries;
use super::given::Body;
use super::{currency, name};

/// So many campaigns can be switched at once.
const MOST_SWITCHED: usize = 20;

/// The fields that an update takes.
pub(crate) fn fields(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Manual => &["advertiser_id", "campaign_id", "campaign_name", "budget", "special_industries"],
        Kind::SmartPlus => &["advertiser_id", "campaign_id", "campaign_name", "budget"],
    }
}

/// The fields that a change of status takes.
pub(crate) const STATUS_FIELDS: &[&str] = &["advertiser_id", "campaign_ids", "operation_status"];

/// Changes name, budget and special industries, all or none.
pub(crate) fn update(account: &mut Account, body: &Body, kind: Kind, now: &str) -> Result<Data, Refusal> {
    let id = changeable(account, "campaign_id", &body.required("campaign_id")?, kind)?;
    let Account { id: advertiser, currency, campaigns, .. } = account;
    let campaign = campaigns.get_mut(&id).ok_or_else(|| Refusal::missing("campaign_id"))?;
    let mut new = campaign.clone();
    if let Some(given) = body.text("campaign_name")? {
        new.name = name::check(given)?;
    }
    if let Some(written) = body.number("budget")? {
        new.budget = budget(campaign, written, currency)?;
    }
    if let Some(given) = special_industries(body)? {
        new.special_industries = given;
    }
    if new == *campaign {
        return Err(Refusal::new(NO_UPDATE, "No update."));
    }
    now.clone_into(&mut new.modified);
    *campaign = new;
    Ok(Data::Row(campaign.row(advertiser, FIELDS)))
}

/// A new budget has to be above what was spent by a twentieth.
fn budget(campaign: &Campaign, written: &str, currency: &str) -> Result<i64, Refusal> {
    if campaign.budget_mode == INFINITE {
        return Err(Refusal::at("budget", "Not allowed with BUDGET_MODE_INFINITE."));
    }
    let budget = currency::budget(written, currency)?;
    if i128::from(budget) * 100 < i128::from(campaign.spent) * 105 {
        return Err(Refusal::at("budget", "The budget has to be no less than 105% of the current spend."));
    }
    Ok(budget)
}

/// Switches campaigns on or off or deletes them, all or none.
pub(crate) fn switch(account: &mut Account, body: &Body, kind: Kind, now: &str) -> Result<Data, Refusal> {
    let ids = body.texts("campaign_ids")?.ok_or_else(|| Refusal::missing("campaign_ids"))?;
    if ids.is_empty() || ids.len() > MOST_SWITCHED {
        return Err(Refusal::at("campaign_ids", "Length must be between 1 and 20."));
    }
    let to = body.choice("operation_status", &["ENABLE", "DISABLE", "DELETE"])?;
    let to = to.ok_or_else(|| Refusal::missing("operation_status"))?;
    let found = ids.iter().map(|id| changeable(account, "campaign_ids", id, kind));
    let found = found.collect::<Result<Vec<u64>, Refusal>>()?;
    for id in found {
        let Some(campaign) = account.campaigns.get_mut(&id) else { continue };
        match to.as_str() {
            "DELETE" => campaign.deleted = true,
            switch => campaign.enabled = switch == "ENABLE",
        }
        now.clone_into(&mut campaign.modified);
    }
    let shown = |id: &String| json!({ "campaign_id": id, "status": to, "postback_window_mode": null });
    let list: Vec<Value> = ids.iter().map(shown).collect();
    Ok(Data::Plain(json!({ "campaign_ids": ids, "status": to, "campaign_list": list })))
}
