//! Makes and changes campaigns, and the rules that go beyond the schema.
//!
//! Reddit Ads API v3 reference: "Create Campaign", "Update Campaign".

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::accounts::Account;
use super::campaign::Campaign;
use super::error::Refusal;

/// Seconds for which a campaign stays archived before it can be deleted.
const ARCHIVED_FOR: i64 = 3 * 3600;

/// The budget and what belongs to it: the campaign's with budget optimization, else its ad groups'.
const BUDGET: &[&str] = &[
    "goal_type",
    "goal_value",
    "start_time",
    "end_time",
    "bid_strategy",
    "bid_type",
    "bid_value",
    "conversion_pixel_id",
    "optimization_goal",
];

/// Those of them that are required with budget optimization.
const REQUIRED: &[&str] = &["goal_type", "goal_value", "start_time", "bid_strategy", "bid_type", "conversion_pixel_id"];

/// Objectives that optimise for an event, which has to be named.
const WITH_GOAL: &[&str] = &["CONVERSIONS", "LEAD_GENERATION", "VIDEO_VIEWABLE_IMPRESSIONS"];

/// A new campaign. Nothing has a default that would matter: the status has to be said too.
pub(crate) fn create(
    account: &mut Account,
    last_id: &mut i64,
    fields: Map<String, Value>,
    now: i64,
) -> Result<Campaign, Refusal> {
    let id = *last_id + 1;
    let campaign = Campaign { id, fields, created: now, modified: now, archived: None, spent: BTreeMap::new() };
    require(&campaign, &["name", "objective", "configured_status"])?;
    if campaign.status() == "DELETED" {
        return Err(Refusal::data("configured_status", "a new campaign cannot be DELETED"));
    }
    if campaign.optimized() {
        require(&campaign, REQUIRED)?;
        if campaign.text("conversion_pixel_id") != account.pixel.as_deref() {
            return Err(Refusal::data("conversion_pixel_id", "is no pixel of the ad account"));
        }
        check_objective(&campaign)?;
    }
    if campaign.text("objective") == Some("APP_INSTALLS") {
        require(&campaign, &["app_id"])?;
    }
    check(&campaign, &campaign.fields, now)?;
    let archived = (campaign.status() == "ARCHIVED").then_some(now);
    let campaign = Campaign { archived, ..campaign };
    *last_id = id;
    account.campaigns.insert(id, campaign.clone());
    Ok(campaign)
}

/// A change of what is named; the rest stays.
pub(crate) fn update(
    account: &mut Account,
    id: i64,
    changes: Map<String, Value>,
    now: i64,
) -> Result<Campaign, Refusal> {
    let old = account.campaigns.get(&id).ok_or_else(Refusal::not_found)?;
    let mut campaign = Campaign { modified: now, ..old.clone() };
    campaign.fields.extend(changes.clone());
    check_move(old, campaign.status(), now)?;
    if campaign.optimized() {
        require(&campaign, REQUIRED)?;
    }
    check(&campaign, &changes, now)?;
    if campaign.status() == "ARCHIVED" {
        campaign.archived = old.archived.or(Some(now));
    }
    account.campaigns.insert(id, campaign.clone());
    Ok(campaign)
}

fn require(campaign: &Campaign, names: &[&str]) -> Result<(), Refusal> {
    match names.iter().find(|name| !campaign.has(name)) {
        Some(name) => Err(Refusal::data(name, "is required")),
        None => Ok(()),
    }
}

/// Archiving is final for delivery, and deleting comes only some hours after it.
fn check_move(old: &Campaign, to: &str, now: i64) -> Result<(), Refusal> {
    let wrong = |why: &str| Err(Refusal::data("configured_status", why));
    match (old.status(), to) {
        ("DELETED", _) => wrong("the campaign is deleted"),
        ("ARCHIVED", "ACTIVE" | "PAUSED") => wrong("an archived campaign cannot be delivered again"),
        ("ARCHIVED", "DELETED") if old.archived.is_some_and(|at| now < at + ARCHIVED_FOR) => {
            wrong("the campaign was archived less than 3 hours ago")
        }
        ("ACTIVE" | "PAUSED", "DELETED") => wrong("only an archived campaign can be deleted"),
        _ => Ok(()),
    }
}

fn check_objective(campaign: &Campaign) -> Result<(), Refusal> {
    let objective = campaign.text("objective").unwrap_or_default();
    if WITH_GOAL.contains(&objective) {
        require(campaign, &["optimization_goal"])?;
    }
    if objective == "CONVERSIONS" { require(campaign, &["view_through_conversion_type"]) } else { Ok(()) }
}

fn check(campaign: &Campaign, given: &Map<String, Value>, now: i64) -> Result<(), Refusal> {
    if !campaign.optimized() {
        let odd = BUDGET.iter().find(|name| campaign.has(name));
        let why = "is not allowed without is_campaign_budget_optimization";
        return odd.map_or(Ok(()), |name| Err(Refusal::data(name, why)));
    }
    check_bid(campaign)?;
    check_times(campaign, given, now)
}

fn check_bid(campaign: &Campaign) -> Result<(), Refusal> {
    match (campaign.text("bid_strategy"), campaign.has("bid_value")) {
        (Some("BIDLESS"), true) => Err(Refusal::data("bid_value", "must be null with BIDLESS")),
        (Some("TARGET_CPX"), false) => Err(Refusal::data("bid_value", "is required")),
        _ => Ok(()),
    }
}

/// Moments that are set have to be ahead when they arrive; those that stay may be over.
fn check_times(campaign: &Campaign, given: &Map<String, Value>, now: i64) -> Result<(), Refusal> {
    for name in ["start_time", "end_time"] {
        if given.contains_key(name) && campaign.time(name).is_some_and(|time| time <= now) {
            return Err(Refusal::data(name, "must be in the future"));
        }
    }
    match (campaign.time("start_time"), campaign.time("end_time")) {
        (Some(start), Some(end)) if end <= start => Err(Refusal::data("end_time", "must be after start_time")),
        (_, None) if campaign.text("goal_type") == Some("LIFETIME_SPEND") => {
            Err(Refusal::data("end_time", "is required"))
        }
        _ => Ok(()),
    }
}
