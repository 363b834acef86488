//! Makes and changes campaigns, each item for itself: the answer is 200 whatever becomes of them.
//!
//! Pinterest API v5 reference: "Create campaigns", "Update campaigns"; OpenAPI 5.28.0 for the end
//! that a lifetime cap needs. Not verified: until when `WEB_CONVERSION` and `CATALOG_SALES` are
//! still taken, as the pages name two days. They are refused here, but for a quirk.

use serde_json::{Value, json};

use super::accounts::Account;
use super::campaign::{Campaign, Status};
use super::error::Exception;
use super::items::{Change, Given};
use crate::platform::RequestContext;

/// The quirk that still takes the objectives that were replaced last.
pub(crate) const OLD_QUIRK: &str = "old_objectives";

/// Replaced by `SALES`.
const REPLACED: &[&str] = &["WEB_CONVERSION", "CATALOG_SALES"];
/// Deprecated for longer.
const GONE: &[&str] = &["VIDEO_VIEW", "WEB_SESSIONS"];

/// Applies every item and tells what became of it.
pub(crate) fn apply(account: &mut Account, last_id: &mut i64, items: &[Given], moment: &RequestContext<'_>) -> Value {
    let now = moment.now.as_second();
    let items = items.iter().map(|given| {
        let outcome = match given.id {
            None => create(account, last_id, given, moment),
            Some(id) => update(account, id, given, moment),
        };
        match outcome {
            Ok(campaign) => json!({ "data": campaign.json(account.id, now), "exceptions": [] }),
            Err(exception) => json!({ "data": {}, "exceptions": [exception.json()] }),
        }
    });
    json!({ "items": items.collect::<Vec<Value>>() })
}

fn create(
    account: &mut Account,
    last_id: &mut i64,
    given: &Given,
    moment: &RequestContext<'_>,
) -> Result<Campaign, Exception> {
    check_account(account, given)?;
    let now = moment.now.as_second();
    // Left out, the status is ACTIVE: the campaign would spend at once.
    let status = given.status.unwrap_or(Status::Active);
    if status.is_final() {
        return Err(Exception::rule(format!("A campaign cannot be created with status {}.", status.name())));
    }
    let optimized = given.optimized.unwrap_or(false);
    let campaign = Campaign {
        id: *last_id + 1,
        name: given.name.clone().unwrap_or_default(),
        objective: given.objective.clone().unwrap_or_default(),
        status,
        optimized,
        flexible: given.flexible.unwrap_or(false),
        daily: given.daily.of(None),
        lifetime: given.lifetime.of(None),
        start: given.start.of(None).or(Some(now)),
        end: given.end.of(None),
        created: now,
        updated: now,
        spent: std::collections::BTreeMap::new(),
    };
    check_objective(&campaign.objective, moment)?;
    check(&campaign, given, now)?;
    *last_id = campaign.id;
    account.campaigns.insert(campaign.id, campaign.clone());
    Ok(campaign)
}

fn update(account: &mut Account, id: i64, given: &Given, moment: &RequestContext<'_>) -> Result<Campaign, Exception> {
    check_account(account, given)?;
    let now = moment.now.as_second();
    let old = account.campaigns.get(&id).ok_or_else(Exception::campaign_not_found)?;
    if old.status.is_final() {
        return Err(Exception::rule(format!("A campaign with status {} cannot be changed.", old.status.name())));
    }
    let status = given.status.unwrap_or(old.status);
    check_move(old.status, status)?;
    let objective = given.objective.clone().unwrap_or_else(|| old.objective.clone());
    if objective != old.objective {
        if old.status != Status::Draft {
            return Err(Exception::rule("objective_type can be changed only while the campaign is a draft."));
        }
        check_objective(&objective, moment)?;
    }
    let campaign = Campaign {
        name: given.name.clone().unwrap_or_else(|| old.name.clone()),
        objective,
        status,
        optimized: given.optimized.unwrap_or(old.optimized),
        flexible: given.flexible.unwrap_or(old.flexible),
        daily: given.daily.of(old.daily),
        lifetime: given.lifetime.of(old.lifetime),
        start: given.start.of(old.start),
        end: given.end.of(old.end),
        updated: now,
        ..old.clone()
    };
    check(&campaign, given, now)?;
    account.campaigns.insert(id, campaign.clone());
    Ok(campaign)
}

fn check_account(account: &Account, given: &Given) -> Result<(), Exception> {
    if given.account == account.id {
        return Ok(());
    }
    Err(Exception::rule("ad_account_id is not the ad account of the path."))
}

fn check_objective(objective: &str, moment: &RequestContext<'_>) -> Result<(), Exception> {
    let replaced = REPLACED.contains(&objective) && !moment.quirk(OLD_QUIRK);
    if replaced || GONE.contains(&objective) {
        return Err(Exception::rule(format!("objective_type {objective} is deprecated.")));
    }
    Ok(())
}

/// Drafts alone can be thrown away, and nothing becomes a draft again.
fn check_move(from: Status, to: Status) -> Result<(), Exception> {
    let wrong = match to {
        Status::Draft => from != Status::Draft,
        Status::DeletedDraft => from != Status::Draft,
        Status::Active | Status::Paused | Status::Archived => false,
    };
    if wrong {
        return Err(Exception::rule(format!("Status {} cannot become {}.", from.name(), to.name())));
    }
    Ok(())
}

fn check(campaign: &Campaign, given: &Given, now: i64) -> Result<(), Exception> {
    if campaign.name.trim().is_empty() {
        return Err(Exception::rule("name cannot be empty."));
    }
    check_budget(campaign)?;
    let Some(end) = campaign.end else { return check_endless(campaign, given) };
    if campaign.start.is_some_and(|start| end <= start) {
        return Err(Exception::rule("end_time has to be after start_time."));
    }
    if matches!(given.end, Change::Set(_)) && end <= now {
        return Err(Exception::rule("end_time cannot be in the past."));
    }
    Ok(())
}

/// A lifetime cap needs an end. An older campaign without one stays as it is until its cap or its
/// end is named.
fn check_endless(campaign: &Campaign, given: &Given) -> Result<(), Exception> {
    let is_named = given.lifetime != Change::Keep || given.end != Change::Keep;
    if campaign.lifetime.is_some() && is_named {
        return Err(Exception::rule("A lifetime_spend_cap needs end_time."));
    }
    Ok(())
}

/// With campaign budget optimization exactly one cap, without it none.
fn check_budget(campaign: &Campaign) -> Result<(), Exception> {
    match (campaign.optimized, campaign.daily, campaign.lifetime) {
        (_, Some(_), Some(_)) => {
            Err(Exception::rule("daily_spend_cap and lifetime_spend_cap cannot be set at the same time."))
        }
        (true, None, None) => {
            Err(Exception::rule("A campaign budget optimization campaign needs a daily or lifetime spend cap."))
        }
        (false, Some(_), _) | (false, _, Some(_)) => {
            Err(Exception::rule("A spend cap needs is_campaign_budget_optimization."))
        }
        (_, Some(0), _) | (_, _, Some(0)) => Err(Exception::rule("A spend cap has to be above zero.")),
        _ => Ok(()),
    }
}
