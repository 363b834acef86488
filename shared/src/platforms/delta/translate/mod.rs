//! From LinkedIn's terms to ours, and back in [`draft`] and [`edit`].

pub(super) mod draft;
pub(super) mod edit;

use super::ads::words;
use super::{CAPABILITIES, query, wire};
use crate::domain::AmountRule;
use crate::platforms::prelude::*;
use crate::platforms::rows::decimal;

/// A campaign without a start begins this much after the request: the start must not have passed when it arrives.
const LEAD_S: i64 = 120;

/// The platform's states, and ours for them. REMOVED is missing: such a campaign is not found.
const STATUSES: [(&str, CampaignStatus); 7] = [
    ("ACTIVE", CampaignStatus::Active),
    ("PAUSED", CampaignStatus::Paused),
    ("DRAFT", CampaignStatus::Draft),
    ("ARCHIVED", CampaignStatus::Archived),
    // The end of its schedule has passed.
    ("COMPLETED", CampaignStatus::Ended),
    ("CANCELED", CampaignStatus::Archived),
    ("PENDING_DELETION", CampaignStatus::ScheduledForDeletion),
];

/// The platform's names for states; none for a set that no campaign of the platform can be in.
pub(super) fn platform_statuses(statuses: StatusSet) -> Vec<&'static str> {
    STATUSES.iter().filter(|(_, status)| statuses.contains(*status)).map(|(name, _)| *name).collect()
}

/// The start of a campaign or group without one, in milliseconds since the epoch.
pub(super) fn immediate_start(now: Timestamp) -> i64 {
    now.as_second().saturating_add(LEAD_S).saturating_mul(1_000)
}

/// Reads a campaign from the platform's object; `None` for one that was removed or is in another ad account.
pub(super) fn campaign(account: &AdAccount, raw: &str) -> Result<Option<PlatformCampaign>, Error> {
    let found: wire::Campaign = read_object(Platform::Delta, raw.as_bytes())?;
    let remote_id = found.id.to_string();
    query::number(&remote_id).ok_or_else(|| unreadable(Platform::Delta, "a campaign without an id"))?;
    let is_elsewhere = found.account.as_ref().is_some_and(|urn| *urn != wire::account_urn(&account.id));
    if is_elsewhere || found.status.as_deref() == Some("REMOVED") {
        return Ok(None);
    }
    let (money, budget_period) = read_budget(&found).unzip();
    let (budget_amount, currency) = money.map_or((None, account.currency), |money| read_money(money, account.currency));
    let schedule = found.run_schedule;
    let stamps = found.change_audit_stamps;
    let status = status(found.status.as_deref());
    Ok(Some(PlatformCampaign {
        id: CampaignId::new(Platform::Delta, &account.id, &remote_id),
        account_id: account.id.clone(),
        remote_id,
        status,
        goal: goal(found.objective_type.as_deref()),
        budget_amount,
        budget_period,
        currency,
        total_spend_amount: None,
        start_at: schedule.and_then(|schedule| instant(schedule.start?)),
        end_at: schedule.and_then(|schedule| instant(schedule.end?)),
        created_at: stamps.and_then(|stamps| instant(stamps.created?.time?)),
        updated_at: stamps.and_then(|stamps| instant(stamps.last_modified?.time?)),
        name: found.name.unwrap_or_default(),
        raw: raw.to_owned(),
        signals: words::of_campaign(status, &found.serving_statuses.unwrap_or_default()),
    }))
}

/// The advertiser's own switch. `servingStatuses`, which say whether the campaign is shown, are signals.
fn status(name: Option<&str>) -> CampaignStatus {
    let found = STATUSES.iter().find(|(known, _)| Some(*known) == name);
    found.map_or(CampaignStatus::Unspecified, |(_, status)| *status)
}

fn goal(objective: Option<&str>) -> Option<Goal> {
    match objective? {
        "BRAND_AWARENESS" => Some(Goal::BrandAwareness),
        "WEBSITE_VISIT" => Some(Goal::WebsiteTraffic),
        "LEAD_GENERATION" => Some(Goal::Leads),
        "WEBSITE_CONVERSION" => Some(Goal::Sales),
        _ => None,
    }
}

/// A campaign that has both budgets is a daily one. The total budget, which then only caps it, is in `raw`.
fn read_budget(found: &wire::Campaign) -> Option<(&RawValue, BudgetPeriod)> {
    let daily = found.daily_budget.as_deref().map(|money| (money, BudgetPeriod::Daily));
    daily.or_else(|| Some((found.total_budget.as_deref()?, BudgetPeriod::Lifetime)))
}

/// The amount of a budget and its currency, which defaults to the account's. An amount that cannot be read exactly, or
/// is in an unknown currency, is `None`.
fn read_money(raw: &RawValue, of_account: Currency) -> (Option<Decimal>, Currency) {
    let money: wire::ReadMoney = serde_json::from_str(raw.get()).unwrap_or_default();
    let currency = money.currency_code.map_or(Some(of_account), |code| Currency::from_code(&code));
    let amount = currency.and(money.amount).and_then(|amount| decimal(amount.get()));
    (amount.filter(|amount| !amount.is_sign_negative()), currency.unwrap_or(of_account))
}

fn instant(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}

/// A budget with all decimals of its currency, or its error.
fn money(amount: Decimal, period: Option<BudgetPeriod>, currency: Currency) -> Result<wire::Money, FieldError> {
    if let Some(error) = CAPABILITIES.amount_error(amount, period, currency) {
        return Err(error);
    }
    let mut padded = amount.normalize();
    // Only pads: finer amounts were refused. An amount without room for its decimals is too large.
    padded.rescale(currency.decimals());
    if padded.scale() != currency.decimals() || padded != amount {
        let amount = (Decimal::MAX / Decimal::from(10_u64.pow(currency.decimals()))).trunc();
        return Err(FieldError::new("budget_amount", AmountRule::Largest { amount }));
    }
    Ok(wire::Money { amount: padded.to_string(), currency_code: currency.code().to_owned() })
}

/// The budget of a period; `None` for a period that the platform lacks.
fn write_budget(period: BudgetPeriod, money: wire::Money) -> Option<wire::Budget> {
    match period {
        BudgetPeriod::Daily => Some(wire::Budget::Daily(money)),
        BudgetPeriod::Total | BudgetPeriod::Lifetime => Some(wire::Budget::Total(money)),
        BudgetPeriod::Monthly => None,
    }
}

#[cfg(test)]
pub(super) mod tests;
