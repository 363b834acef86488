//! The enveloped shape: campaigns inside `data`, upper-case platforms, nested errors (spec 2.2, 4.1, 7.2).

use super::body;
use super::fields::Fields;
use super::request::{AccountChoice, CreateRequest, MAX_TARGETS, Target, Targets, UpdateRequest};
use super::targets::TargetVerdict;
use super::wire::{Number, Raw, WireFault, iso_millis, iso_seconds};
use crate::domain::{BudgetPeriod, Campaign, CampaignChanges, CampaignStatus, Currency, Goal, Platform, StatusSet};
use crate::error::{Error, Kind};
use serde::Serialize;

pub(super) const GOALS: [(&str, Goal); 6] = [
    ("BRAND_AWARENESS", Goal::BrandAwareness),
    ("REACH", Goal::Reach),
    ("WEBSITE_TRAFFIC", Goal::WebsiteTraffic),
    ("LEADS", Goal::Leads),
    ("SALES", Goal::Sales),
    ("APP_PROMOTION", Goal::AppPromotion),
];
pub(super) const STATUSES: [&str; 6] =
    ["UNSPECIFIED", "ACTIVE", "PAUSED", "ARCHIVED", "DRAFT", "SCHEDULED_FOR_DELETION"];

/// Reads the body of a create, in its single-platform or its multi-platform form.
pub(crate) fn read_create(text: &[u8]) -> Result<CreateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let name = body::name(&mut fields);
    let goal = body::goal(&mut fields, &GOALS);
    let amount = body::budget_amount(&mut fields);
    let period = body::budget_period(&mut fields, &BudgetPeriod::ALL);
    let currency = currency(&mut fields);
    let (start_at, end_at) = body::dates(&mut fields);
    let targets = if fields.has("targets") {
        several_targets(&mut fields).map(Targets::Many)
    } else {
        target(&mut fields).map(Targets::One)
    };
    let required = (
        fields.require("name", name),
        fields.require("goal", goal),
        fields.require("budget_amount", amount),
        fields.require("budget_period", period),
        targets,
    );
    fields.finish()?;
    let (Some(name), Some(goal), Some(budget_amount), Some(budget_period), Some(targets)) = required else {
        return Err(Error::internal("a required field was neither there nor reported"));
    };
    Ok(CreateRequest { name, goal, budget_amount, budget_period, currency, start_at, end_at, targets })
}

/// `platform` and `organization_id`: which ad account.
fn target(fields: &mut Fields<'_>) -> Option<Target> {
    let platform = fields.one_of("platform", &Platform::ALL.map(Platform::as_upper), Platform::from_upper);
    let organization = organization_id(fields);
    let platform = fields.require("platform", platform);
    let organization = fields.require("organization_id", organization);
    Some(Target { platform: platform?, choice: AccountChoice::Account(organization?) })
}

/// `targets`: 1 to 10 objects, none of them twice. Faults are named `targets[0].platform`.
fn several_targets(fields: &mut Fields<'_>) -> Option<Vec<Target>> {
    let items = fields.objects("targets")?;
    if items.is_empty() || items.len() > MAX_TARGETS {
        fields.fault("targets", format!("must hold 1 to {MAX_TARGETS} targets; it holds {}", items.len()));
        return None;
    }
    let mut targets: Vec<Target> = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let read = item.and_then(|mut item| {
            let target = target(&mut item);
            item.finish().map(|()| target)
        });
        match read {
            Ok(Some(target)) if targets.contains(&target) => {
                fields.fault(&format!("targets[{index}]"), "is the same ad account as an earlier target");
            }
            Ok(target) => targets.extend(target),
            Err(error) => fields.faults_below(&format!("targets[{index}]"), error),
        }
    }
    Some(targets)
}

/// Reads the body of a PATCH.
pub(crate) fn read_update(text: &[u8]) -> Result<UpdateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let changes = CampaignChanges {
        name: body::name(&mut fields),
        status: fields.one_of("status", &STATUSES, read_status),
        budget_amount: body::budget_amount(&mut fields),
        budget_period: body::budget_period(&mut fields, &BudgetPeriod::ALL),
    };
    let organization_id = organization_id(&mut fields);
    fields.finish()?;
    Ok(UpdateRequest { changes, organization_id })
}

fn currency(fields: &mut Fields<'_>) -> Option<Currency> {
    let code = fields.string("currency")?;
    let currency = Currency::from_code(&code);
    if currency.is_none() {
        fields.fault("currency", "must be a currency code of ISO 4217, such as USD");
    }
    currency
}

fn organization_id(fields: &mut Fields<'_>) -> Option<String> {
    let id = fields.string("organization_id")?;
    if id.is_empty() {
        fields.fault("organization_id", "must not be empty");
        return None;
    }
    Some(id)
}

fn read_status(word: &str) -> Option<CampaignStatus> {
    match word {
        "UNSPECIFIED" => Some(CampaignStatus::Unspecified),
        "ACTIVE" => Some(CampaignStatus::Active),
        "PAUSED" => Some(CampaignStatus::Paused),
        "ARCHIVED" => Some(CampaignStatus::Archived),
        "DRAFT" => Some(CampaignStatus::Draft),
        "SCHEDULED_FOR_DELETION" => Some(CampaignStatus::ScheduledForDeletion),
        _ => None,
    }
}

/// The states that a status filter's word stands for: those that read as it.
pub(crate) fn status_filter(word: &str) -> Result<StatusSet, Error> {
    let statuses: Vec<CampaignStatus> =
        CampaignStatus::ALL.into_iter().filter(|status| status_word(*status) == word).collect();
    if statuses.is_empty() {
        return Err(Error::field("status", format!("must be one of {}", STATUSES.join(", "))));
    }
    Ok(StatusSet::of(&statuses))
}

fn status_word(status: CampaignStatus) -> &'static str {
    match status {
        // This shape has no word for a campaign that has run out; its switch is still on, the rest is in `raw`.
        CampaignStatus::Active | CampaignStatus::Ended => "ACTIVE",
        CampaignStatus::Paused => "PAUSED",
        CampaignStatus::Archived => "ARCHIVED",
        CampaignStatus::Draft => "DRAFT",
        CampaignStatus::ScheduledForDeletion => "SCHEDULED_FOR_DELETION",
        CampaignStatus::Unspecified => "UNSPECIFIED",
    }
}

fn goal_word(goal: Option<Goal>) -> &'static str {
    match goal {
        Some(Goal::BrandAwareness) => "BRAND_AWARENESS",
        Some(Goal::Reach) => "REACH",
        Some(Goal::WebsiteTraffic) => "WEBSITE_TRAFFIC",
        Some(Goal::Leads) => "LEADS",
        Some(Goal::Sales | Goal::Conversions) => "SALES",
        Some(Goal::AppPromotion) => "APP_PROMOTION",
        None => "UNSPECIFIED",
    }
}

/// A campaign in this shape.
#[derive(Serialize)]
pub(crate) struct EnvelopedCampaign<'a> {
    id: String,
    platform: &'static str,
    organization_id: &'a str,
    name: &'a str,
    status: &'static str,
    goal: &'static str,
    budget_amount: Option<Number>,
    budget_period: Option<&'static str>,
    currency: &'static str,
    total_spend_amount: Option<Number>,
    start_at: Option<String>,
    end_at: Option<String>,
    created_at: Option<String>,
    updated_at: Option<String>,
    raw: Raw<'a>,
}

impl<'a> From<&'a Campaign> for EnvelopedCampaign<'a> {
    fn from(campaign: &'a Campaign) -> EnvelopedCampaign<'a> {
        // The whole struct, so that a new field does not compile until this shape decides about it.
        let Campaign {
            id,
            account_id,
            remote_id: _,
            name,
            status,
            goal,
            budget_amount,
            budget_period,
            currency,
            total_spend_amount,
            start_at,
            end_at,
            created_at,
            updated_at,
            raw,
        } = campaign;
        EnvelopedCampaign {
            id: id.to_string(),
            platform: id.platform().as_upper(),
            organization_id: account_id,
            name,
            status: status_word(*status),
            goal: goal_word(*goal),
            budget_amount: budget_amount.map(Number),
            budget_period: budget_period.map(BudgetPeriod::as_str),
            currency: currency.code(),
            total_spend_amount: total_spend_amount.map(Number),
            start_at: start_at.map(iso_seconds),
            end_at: end_at.map(iso_seconds),
            created_at: created_at.map(iso_millis),
            updated_at: updated_at.map(iso_millis),
            raw: Raw(raw),
        }
    }
}

/// An error in this shape (spec 7.2).
#[derive(Serialize)]
pub(crate) struct EnvelopedError<'a> {
    error: Body<'a>,
}

/// The inside of an error.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Body<'a> {
    code: &'static str,
    message: String,
    retryable: bool,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform_error: Option<WireFault<'a>>,
    /// A create on several targets of which none came to be: all verdicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<TargetVerdict<'a>>>,
}

impl<'a> EnvelopedError<'a> {
    pub(crate) fn new(error: &'a Error, request_id: &'a str) -> EnvelopedError<'a> {
        EnvelopedError { error: Body::new(error, request_id) }
    }

    pub(super) fn with_results(error: &'a Error, request_id: &'a str, results: Vec<TargetVerdict<'a>>) -> Self {
        EnvelopedError { error: Body { results: Some(results), ..Body::new(error, request_id) } }
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(error: &'a Error, request_id: &'a str) -> Body<'a> {
        Body {
            code: code(error.kind),
            message: message(error),
            retryable: error.retryable,
            request_id,
            platform: error.platform.map(Platform::as_upper),
            platform_error: error.platform_fault.as_ref().map(Into::into),
            results: None,
        }
    }
}

/// This shape has no `details`: the fields are named in the message.
fn message(error: &Error) -> String {
    if error.details.is_empty() {
        return error.message.clone();
    }
    let faults: Vec<String> = error.details.iter().map(|fault| format!("{} {}", fault.field, fault.message)).collect();
    faults.join("; ")
}

/// The code of an error (spec 7.3).
pub(crate) fn code(kind: Kind) -> &'static str {
    match kind {
        Kind::Validation | Kind::MethodNotAllowed | Kind::PayloadTooLarge | Kind::UnsupportedMediaType => "BAD_REQUEST",
        Kind::Unauthorized => "UNAUTHORIZED",
        Kind::Forbidden => "FORBIDDEN",
        Kind::NotFound => "NOT_FOUND",
        Kind::Conflict | Kind::KeyReused => "CONFLICT",
        Kind::RateLimited => "RATE_LIMITED",
        Kind::QuotaExceeded => "RATE_LIMIT_EXCEEDED",
        Kind::PlatformRefused | Kind::PlatformFailed | Kind::PlatformTimeout => "PLATFORM_ERROR",
        Kind::NotSupported => "NOT_SUPPORTED",
        Kind::TokenExpired => "TOKEN_EXPIRED",
        Kind::Internal => "INTERNAL_ERROR",
    }
}
