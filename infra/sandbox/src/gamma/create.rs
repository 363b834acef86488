//! Creates campaigns.
//!
//! TikTok API for Business v1.3: "Create a campaign", "Create an Upgraded Smart+ Campaign",
//! "Budget", "Objectives".

use super::account::Account;
use super::campaign::{self, Campaign, DAY, DYNAMIC, INFINITE, Kind, TOTAL};
use super::error::ApiError;
use super::params::Body;
use super::{campaign_name, currency, quirks, request_id};
use crate::delivery::DeliveredDays;
use crate::service::RequestContext;

/// Whether a manual create honors `operation_status`. TikTok once silently ignored the field except for allowlisted
/// apps, and no page says that this has changed. The sandbox takes the bad case: a campaign created as DISABLE spends.
const MANUAL_STATUS_HONORED: bool = false;

const MANUAL_OBJECTIVES: &[&str] = &[
    "REACH",
    "TRAFFIC",
    "VIDEO_VIEWS",
    "LEAD_GENERATION",
    "ENGAGEMENT",
    "APP_PROMOTION",
    "WEB_CONVERSIONS",
    "PRODUCT_SALES",
];
/// Objectives whose manual campaigns TikTok is ending.
const CONVERSIONS: &[&str] = &["APP_PROMOTION", "LEAD_GENERATION", "PRODUCT_SALES", "WEB_CONVERSIONS"];
const SMART_PLUS_OBJECTIVES: &[&str] = &["APP_PROMOTION", "WEB_CONVERSIONS", "LEAD_GENERATION"];

pub(crate) const SPECIAL_INDUSTRIES: &[&str] = &["HOUSING", "EMPLOYMENT", "CREDIT"];

const MANUAL_FIELDS: &[&str] = &[
    "advertiser_id",
    "app_promotion_type",
    "budget",
    "budget_mode",
    "budget_optimize_on",
    "campaign_name",
    "campaign_type",
    "objective_type",
    "operation_status",
    "request_id",
    "sales_destination",
    "special_industries",
    "virtual_objective_type",
];

/// The fields that a create accepts: Smart+ accepts all but the last.
pub(crate) fn fields(kind: Kind) -> &'static [&'static str] {
    match (kind, MANUAL_FIELDS) {
        (Kind::SmartPlus, [shared @ .., _]) => shared,
        (_, all) => all,
    }
}

/// Builds a campaign from a request and records its `request_id`. The caller assigns the id.
pub(crate) fn create(
    account: &mut Account,
    body: &Body,
    kind: Kind,
    context: &RequestContext<'_>,
) -> Result<Campaign, ApiError> {
    let now = campaign::format_time(context.now);
    let name = campaign_name::check(body.required("campaign_name")?)?;
    let objective = objective(body, kind)?;
    if kind == Kind::Manual
        && CONVERSIONS.contains(&objective.as_str())
        && quirks::manual_conversions_ended(context, &now)
    {
        let why = "Create an Upgraded Smart+ campaign for this objective.";
        return Err(ApiError::parameter("objective_type", why));
    }
    let budget_optimize_on = body.boolean("budget_optimize_on")?.unwrap_or(kind == Kind::SmartPlus);
    let (budget_mode, budget) = budget(account, body, kind, budget_optimize_on)?;
    let campaign_type = body.choice("campaign_type", &["REGULAR_CAMPAIGN", "IOS14_CAMPAIGN"])?;
    let campaign = Campaign {
        id: 0,
        kind,
        is_old_smart_plus: false,
        budget_mode,
        budget,
        budget_optimize_on,
        enabled: enabled(body, kind)?,
        deleted: false,
        campaign_type: campaign_type.unwrap_or_else(|| "REGULAR_CAMPAIGN".to_owned()),
        app_promotion_type: app_promotion_type(body, kind, &objective)?,
        virtual_objective_type: virtual_objective(body, &objective)?,
        sales_destination: sales_destination(body, kind, &objective)?,
        special_industries: special_industries(body)?.unwrap_or_default(),
        name,
        objective,
        created: now.clone(),
        modified: now,
        delivered: DeliveredDays::new(),
    };
    request_id::check(account, body, kind, &campaign.name)?;
    Ok(campaign)
}

fn objective(body: &Body, kind: Kind) -> Result<String, ApiError> {
    let known = if kind == Kind::Manual { MANUAL_OBJECTIVES } else { SMART_PLUS_OBJECTIVES };
    body.choice("objective_type", known)?.ok_or_else(|| ApiError::missing("objective_type"))
}

/// Defaults to enabled.
fn enabled(body: &Body, kind: Kind) -> Result<bool, ApiError> {
    let status = body.choice("operation_status", &["ENABLE", "DISABLE"])?;
    let is_honored = kind == Kind::SmartPlus || MANUAL_STATUS_HONORED;
    Ok(!is_honored || status.as_deref() != Some("DISABLE"))
}

/// The mode and the amount. The mode defaults to the first allowed one, which is unlimited without budget
/// optimization. A manual campaign with optimization has no default.
fn budget(account: &Account, body: &Body, kind: Kind, optimized: bool) -> Result<(String, i64), ApiError> {
    let modes: &[&str] = match (optimized, kind) {
        (false, _) => &[INFINITE, DAY, TOTAL],
        (true, Kind::Manual) => &[DYNAMIC, TOTAL, DAY],
        (true, Kind::SmartPlus) => &[DYNAMIC, TOTAL],
    };
    let mode = match (body.choice("budget_mode", modes)?, modes) {
        (Some(mode), _) => mode,
        (None, _) if optimized && kind == Kind::Manual => return Err(ApiError::missing("budget_mode")),
        (None, modes) => modes.iter().take(1).copied().collect(),
    };
    match body.number("budget")? {
        Some(_) if mode == INFINITE => Err(ApiError::parameter("budget", "Not allowed with BUDGET_MODE_INFINITE.")),
        Some(written) => Ok((mode, currency::budget(written, &account.currency)?)),
        None if mode == INFINITE => Ok((mode, 0)),
        None => Err(ApiError::missing("budget")),
    }
}

/// Required for app promotion, invalid otherwise.
fn app_promotion_type(body: &Body, kind: Kind, objective: &str) -> Result<Option<String>, ApiError> {
    let field = "app_promotion_type";
    let known: &[&str] = match kind {
        Kind::Manual => &["APP_INSTALL", "APP_RETARGETING", "APP_PREREGISTRATION"],
        // The published schema lists one value; the documentation page lists more.
        Kind::SmartPlus => &["APP_INSTALL"],
    };
    match (body.choice(field, known)?, objective == "APP_PROMOTION") {
        (None, true) => Err(ApiError::missing(field)),
        (Some(_), false) => Err(ApiError::parameter(field, "Valid only when objective_type is APP_PROMOTION.")),
        (value, _) => Ok(value),
    }
}

/// The broader objective above a manual campaign's objective.
fn virtual_objective(body: &Body, objective: &str) -> Result<Option<String>, ApiError> {
    let field = "virtual_objective_type";
    let value = body.choice(field, &["SALES"])?;
    if value.is_some() && !matches!(objective, "WEB_CONVERSIONS" | "PRODUCT_SALES") {
        return Err(ApiError::parameter(field, "Valid only when objective_type is WEB_CONVERSIONS or PRODUCT_SALES."));
    }
    Ok(value)
}

/// The sales channel. Smart+ requires it for web conversions, manual campaigns for the virtual objective SALES.
fn sales_destination(body: &Body, kind: Kind, objective: &str) -> Result<Option<String>, ApiError> {
    let field = "sales_destination";
    let (known, is_required): (&[&str], bool) = match kind {
        Kind::Manual => {
            (&["WEBSITE", "APP", "WEB_AND_APP", "TIKTOK_SHOP"], body.string("virtual_objective_type")?.is_some())
        }
        // The published schema lists one value; the documentation page lists more.
        Kind::SmartPlus => (&["WEBSITE"], objective == "WEB_CONVERSIONS"),
    };
    match (body.choice(field, known)?, is_required) {
        (None, true) => Err(ApiError::missing(field)),
        (Some(_), false) => Err(ApiError::parameter(field, "Not valid for this objective.")),
        (value, _) => Ok(value),
    }
}

/// The special industries of a request, if present.
pub(crate) fn special_industries(body: &Body) -> Result<Option<Vec<String>>, ApiError> {
    let value = body.strings("special_industries")?;
    let known = |one: &String| SPECIAL_INDUSTRIES.contains(&one.as_str());
    if value.iter().flatten().all(known) {
        return Ok(value);
    }
    Err(ApiError::parameter("special_industries", &format!("Must be of: {}.", SPECIAL_INDUSTRIES.join(", "))))
}
