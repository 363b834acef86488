//! Creates and updates campaigns. Each item succeeds or fails on its own; the status is always 200.
//!
//! Pinterest API v5 reference: "Create campaigns", "Update campaigns"; OpenAPI 5.28.0 for the end that a
//! lifetime cap needs. Not verified: until when the platform accepts `WEB_CONVERSION` and `CATALOG_SALES`, as
//! its pages name two dates. The sandbox rejects them unless a quirk is on.

use super::accounts::Account;
use super::campaign::{Campaign, Status};
use super::campaign_input::{CampaignInput, FieldChange};
use super::error::ItemException;
use crate::delivery::DeliveredDays;
use crate::service::RequestContext;
use serde_json::{Value, json};

/// The quirk that accepts the most recently deprecated objectives.
pub(crate) const OLD_OBJECTIVES_QUIRK: &str = "old_objectives";

/// Replaced by `SALES`.
const RECENTLY_DEPRECATED: &[&str] = &["WEB_CONVERSION", "CATALOG_SALES"];
/// Deprecated for longer.
const DEPRECATED: &[&str] = &["VIDEO_VIEW", "WEB_SESSIONS"];

/// Applies every item and reports its outcome.
pub(crate) fn apply(
    account: &mut Account,
    last_id: &mut i64,
    items: &[CampaignInput],
    is_disabled: bool,
    context: &RequestContext<'_>,
) -> Value {
    let now = context.now.as_second();
    let items = items.iter().map(|input| {
        let outcome = match input.id {
            None => create(account, last_id, input, context),
            Some(id) => update(account, id, input, context),
        };
        match outcome {
            Ok(campaign) => {
                // As recorded: the response to a create does not know yet that the account is switched off.
                let word = campaign.summary_status(is_disabled && input.id.is_some(), now);
                json!({ "data": campaign.json(account.id, word), "exceptions": [] })
            }
            Err(exception) => json!({ "data": {}, "exceptions": [exception.json()] }),
        }
    });
    json!({ "items": items.collect::<Vec<Value>>() })
}

fn create(
    account: &mut Account,
    last_id: &mut i64,
    input: &CampaignInput,
    context: &RequestContext<'_>,
) -> Result<Campaign, ItemException> {
    check_account(account, input)?;
    let now = context.now.as_second();
    // The default status is ACTIVE, so the campaign would spend at once.
    let status = input.status.unwrap_or(Status::Active);
    if status.is_final() {
        return Err(ItemException::invalid(format!("A campaign cannot be created with status {}.", status.as_str())));
    }
    let optimized = input.optimized.unwrap_or(false);
    let campaign = Campaign {
        id: *last_id + 1,
        name: input.name.clone().unwrap_or_default(),
        objective: input.objective.clone().unwrap_or_default(),
        status,
        optimized,
        flexible: input.flexible.unwrap_or(false),
        daily: input.daily.apply_to(None),
        lifetime: input.lifetime.apply_to(None),
        start: input.start.apply_to(None).or(Some(now)),
        end: input.end.apply_to(None),
        created: now,
        updated: now,
        days: DeliveredDays::new(),
    };
    check_objective(&campaign.objective, context)?;
    check(&campaign, input, now)?;
    *last_id = campaign.id;
    account.campaigns.insert(campaign.id, campaign.clone());
    Ok(campaign)
}

fn update(
    account: &mut Account,
    id: i64,
    input: &CampaignInput,
    context: &RequestContext<'_>,
) -> Result<Campaign, ItemException> {
    check_account(account, input)?;
    let now = context.now.as_second();
    let old = account.campaigns.get(&id).ok_or_else(ItemException::campaign_not_found)?;
    if old.status.is_final() {
        return Err(ItemException::invalid(format!(
            "A campaign with status {} cannot be changed.",
            old.status.as_str()
        )));
    }
    let status = input.status.unwrap_or(old.status);
    check_transition(old.status, status)?;
    let objective = input.objective.clone().unwrap_or_else(|| old.objective.clone());
    if objective != old.objective {
        if old.status != Status::Draft {
            return Err(ItemException::invalid("objective_type can be changed only while the campaign is a draft."));
        }
        check_objective(&objective, context)?;
    }
    let campaign = Campaign {
        name: input.name.clone().unwrap_or_else(|| old.name.clone()),
        objective,
        status,
        optimized: input.optimized.unwrap_or(old.optimized),
        flexible: input.flexible.unwrap_or(old.flexible),
        daily: input.daily.apply_to(old.daily),
        lifetime: input.lifetime.apply_to(old.lifetime),
        start: input.start.apply_to(old.start),
        end: input.end.apply_to(old.end),
        updated: now,
        ..old.clone()
    };
    check(&campaign, input, now)?;
    let shown = if context.is_ignored { old.clone() } else { campaign.clone() };
    account.campaigns.insert(id, campaign);
    Ok(shown)
}

fn check_account(account: &Account, input: &CampaignInput) -> Result<(), ItemException> {
    if input.account == account.id {
        return Ok(());
    }
    Err(ItemException::invalid("ad_account_id is not the ad account of the path."))
}

fn check_objective(objective: &str, context: &RequestContext<'_>) -> Result<(), ItemException> {
    let replaced = RECENTLY_DEPRECATED.contains(&objective) && !context.quirk(OLD_OBJECTIVES_QUIRK);
    if replaced || DEPRECATED.contains(&objective) {
        return Err(ItemException::invalid(format!("objective_type {objective} is deprecated.")));
    }
    Ok(())
}

/// Only drafts can be deleted, and no campaign becomes a draft again.
fn check_transition(from: Status, to: Status) -> Result<(), ItemException> {
    let is_invalid = match to {
        Status::Draft => from != Status::Draft,
        Status::DeletedDraft => from != Status::Draft,
        Status::Active | Status::Paused | Status::Archived => false,
    };
    if is_invalid {
        return Err(ItemException::invalid(format!("Status {} cannot become {}.", from.as_str(), to.as_str())));
    }
    Ok(())
}

fn check(campaign: &Campaign, input: &CampaignInput, now: i64) -> Result<(), ItemException> {
    if campaign.name.trim().is_empty() {
        return Err(ItemException::invalid("name cannot be empty."));
    }
    check_budget(campaign)?;
    let Some(end) = campaign.end else { return check_missing_end(campaign, input) };
    if campaign.start.is_some_and(|start| end <= start) {
        return Err(ItemException::invalid("end_time must be after start_time."));
    }
    if matches!(input.end, FieldChange::Set(_)) && end <= now {
        return Err(ItemException::invalid("end_time cannot be in the past."));
    }
    Ok(())
}

/// A lifetime cap needs an end. An older campaign without an end stays valid until an update names its cap or
/// its end.
fn check_missing_end(campaign: &Campaign, input: &CampaignInput) -> Result<(), ItemException> {
    let is_named = input.lifetime != FieldChange::Keep || input.end != FieldChange::Keep;
    if campaign.lifetime.is_some() && is_named {
        return Err(ItemException::invalid("A lifetime_spend_cap needs end_time."));
    }
    Ok(())
}

/// Campaign budget optimization needs exactly one cap; without it, caps are not allowed.
fn check_budget(campaign: &Campaign) -> Result<(), ItemException> {
    match (campaign.optimized, campaign.daily, campaign.lifetime) {
        (_, Some(_), Some(_)) => {
            Err(ItemException::invalid("daily_spend_cap and lifetime_spend_cap cannot be set at the same time."))
        }
        (true, None, None) => {
            Err(ItemException::invalid("A campaign budget optimization campaign needs a daily or lifetime spend cap."))
        }
        (false, Some(_), _) | (false, _, Some(_)) => {
            Err(ItemException::invalid("A spend cap needs is_campaign_budget_optimization."))
        }
        (_, Some(0), _) | (_, _, Some(0)) => Err(ItemException::invalid("A spend cap must be above zero.")),
        _ => Ok(()),
    }
}
