//! What a new campaign has to have.
//!
//! TikTok API for Business v1.3: "Create a campaign", "Create an Upgraded Smart+ Campaign",
//! "Budget", "Objectives".

use super::accounts::Account;
use super::answer::{DUPLICATE_REQUEST, Refusal};
use super::campaign::{self, Campaign, DAY, DYNAMIC, INFINITE, Kind, TOTAL};
use super::given::Body;
use super::{currency, name, quirks};
use crate::platform::RequestContext;

/// Whether a manual campaign can be made switched off. The field was for selected apps only and
/// was ignored for all others without a word; no page says that this is over. The sandbox keeps to
/// the bad case, in which a campaign that was asked for as DISABLE spends.
const MANUAL_STATUS_HEARD: bool = false;

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
/// Those whose manual campaigns end.
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

/// The fields that the address of a kind takes: Smart+ all but the last.
pub(crate) fn fields(kind: Kind) -> &'static [&'static str] {
    match (kind, MANUAL_FIELDS) {
        (Kind::SmartPlus, [shared @ .., _]) => shared,
        (_, all) => all,
    }
}

/// Makes a campaign of what was sent and notes its `request_id`; its id comes later.
pub(crate) fn create(
    account: &mut Account,
    body: &Body,
    kind: Kind,
    moment: &RequestContext<'_>,
) -> Result<Campaign, Refusal> {
    let now = campaign::time(moment.now);
    let name = name::check(body.required("campaign_name")?)?;
    let objective = objective(body, kind)?;
    if kind == Kind::Manual && CONVERSIONS.contains(&objective.as_str()) && quirks::ended_manual(moment, &now) {
        let why = "Create an Upgraded Smart+ campaign for this objective.";
        return Err(Refusal::at("objective_type", why));
    }
    let budget_optimize_on = body.boolean("budget_optimize_on")?.unwrap_or(kind == Kind::SmartPlus);
    let (budget_mode, budget) = budget(account, body, kind, budget_optimize_on)?;
    let campaign_type = body.choice("campaign_type", &["REGULAR_CAMPAIGN", "IOS14_CAMPAIGN"])?;
    let campaign = Campaign {
        id: 0,
        kind,
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
        spent: 0,
    };
    check_request_id(account, body, kind, &campaign.name)?;
    Ok(campaign)
}

fn objective(body: &Body, kind: Kind) -> Result<String, Refusal> {
    let known = if kind == Kind::Manual { MANUAL_OBJECTIVES } else { SMART_PLUS_OBJECTIVES };
    body.choice("objective_type", known)?.ok_or_else(|| Refusal::missing("objective_type"))
}

/// Left out, a campaign is switched on.
fn enabled(body: &Body, kind: Kind) -> Result<bool, Refusal> {
    let asked = body.choice("operation_status", &["ENABLE", "DISABLE"])?;
    let heard = kind == Kind::SmartPlus || MANUAL_STATUS_HEARD;
    Ok(!heard || asked.as_deref() != Some("DISABLE"))
}

/// The mode and the amount. Left out, the mode is the first that fits, and without optimisation
/// that is no bound at all; a manual campaign with optimisation has to name one.
fn budget(account: &Account, body: &Body, kind: Kind, optimized: bool) -> Result<(String, i64), Refusal> {
    let modes: &[&str] = match (optimized, kind) {
        (false, _) => &[INFINITE, DAY, TOTAL],
        (true, Kind::Manual) => &[DYNAMIC, TOTAL, DAY],
        (true, Kind::SmartPlus) => &[DYNAMIC, TOTAL],
    };
    let mode = match (body.choice("budget_mode", modes)?, modes) {
        (Some(mode), _) => mode,
        (None, _) if optimized && kind == Kind::Manual => return Err(Refusal::missing("budget_mode")),
        (None, modes) => modes.iter().take(1).copied().collect(),
    };
    match body.number("budget")? {
        Some(_) if mode == INFINITE => Err(Refusal::at("budget", "Not allowed with BUDGET_MODE_INFINITE.")),
        Some(written) => Ok((mode, currency::budget(written, &account.currency)?)),
        None if mode == INFINITE => Ok((mode, 0)),
        None => Err(Refusal::missing("budget")),
    }
}

/// Needed by app promotion and by nothing else.
fn app_promotion_type(body: &Body, kind: Kind, objective: &str) -> Result<Option<String>, Refusal> {
    let field = "app_promotion_type";
    let known: &[&str] = match kind {
        Kind::Manual => &["APP_INSTALL", "APP_RETARGETING", "APP_PREREGISTRATION"],
        // The published schema has this one; the page of the call would have more.
        Kind::SmartPlus => &["APP_INSTALL"],
    };
    match (body.choice(field, known)?, objective == "APP_PROMOTION") {
        (None, true) => Err(Refusal::missing(field)),
        (Some(_), false) => Err(Refusal::at(field, "Valid only when objective_type is APP_PROMOTION.")),
        (given, _) => Ok(given),
    }
}

/// The wider objective that a manual campaign's own one is filed under.
fn virtual_objective(body: &Body, objective: &str) -> Result<Option<String>, Refusal> {
    let field = "virtual_objective_type";
    let given = body.choice(field, &["SALES"])?;
    if given.is_some() && !matches!(objective, "WEB_CONVERSIONS" | "PRODUCT_SALES") {
        return Err(Refusal::at(field, "Valid only when objective_type is WEB_CONVERSIONS or PRODUCT_SALES."));
    }
    Ok(given)
}

/// Where sales happen: for Smart+ needed by web conversions, for manual campaigns by the virtual
/// objective SALES.
fn sales_destination(body: &Body, kind: Kind, objective: &str) -> Result<Option<String>, Refusal> {
    let field = "sales_destination";
    let (known, needed): (&[&str], bool) = match kind {
        Kind::Manual => {
            (&["WEBSITE", "APP", "WEB_AND_APP", "TIKTOK_SHOP"], body.text("virtual_objective_type")?.is_some())
        }
        // The published schema has this one; the page of the call would have more.
        Kind::SmartPlus => (&["WEBSITE"], objective == "WEB_CONVERSIONS"),
    };
    match (body.choice(field, known)?, needed) {
        (None, true) => Err(Refusal::missing(field)),
        (Some(_), false) => Err(Refusal::at(field, "Not valid for this objective.")),
        (given, _) => Ok(given),
    }
}

/// Industries under special rules, if any were named.
pub(crate) fn special_industries(body: &Body) -> Result<Option<Vec<String>>, Refusal> {
    let given = body.texts("special_industries")?;
    let known = |one: &String| SPECIAL_INDUSTRIES.contains(&one.as_str());
    if given.iter().flatten().all(known) {
        return Ok(given);
    }
    Err(Refusal::at("special_industries", &format!("Must be of: {}.", SPECIAL_INDUSTRIES.join(", "))))
}

/// Of several calls with the same `request_id` only one succeeds; Smart+ has to have it. It also
/// permits a name that is taken already. Which code the others get is not published; this is the
/// one that the list of codes has for duplicate requests.
fn check_request_id(account: &mut Account, body: &Body, kind: Kind, name: &str) -> Result<(), Refusal> {
    let field = "request_id";
    let Some(id) = body.text(field)? else {
        if kind == Kind::SmartPlus {
            return Err(Refusal::missing(field));
        }
        let taken = |other: &Campaign| !other.deleted && other.name == name;
        if account.campaigns.values().any(taken) {
            return Err(Refusal::at("campaign_name", "Campaign name already exists."));
        }
        return Ok(());
    };
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = id.parse::<i64>().ok().filter(|_| digits) else {
        return Err(Refusal::at(field, "Must be a 64-bit integer in a string."));
    };
    // The integer counts, not its digits: 07 is 7.
    if account.request_ids.insert(number.to_string()) {
        return Ok(());
    }
    Err(Refusal::new(DUPLICATE_REQUEST, "Duplicated request: this request_id was used before."))
}
