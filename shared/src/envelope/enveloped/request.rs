//! Request bodies in the enveloped shape.

use super::super::Shape;
use super::super::body::{self, RequiredFields};
use super::super::fields::Fields;
use super::super::platform_names::read_platform;
use super::super::request::{AccountChoice, CreateRequest, MAX_TARGETS, Target, Targets, UpdateRequest};
use super::names::{GOALS, STATUSES, read_status};
use crate::domain::{AdAccount, BudgetPeriod, CampaignChanges};
use crate::error::Error;

/// Reads the body of `createCampaign`, with or without `targets`.
pub(crate) fn read_create(text: &[u8]) -> Result<CreateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let required = RequiredFields::read(&mut fields, &GOALS, &BudgetPeriod::ALL);
    let currency = body::currency(&mut fields);
    let (start_at, end_at) = body::dates(&mut fields);
    let reference = body::reference(&mut fields);
    let targets = if fields.has("targets") {
        reject_single_target(&mut fields);
        several_targets(&mut fields).map(Targets::Many)
    } else {
        target(&mut fields).map(Targets::One)
    };
    let draft = required.draft(&mut fields, start_at, end_at);
    fields.finish()?;
    let Some((draft, targets)) = draft.zip(targets) else {
        return Err(Error::internal("a required field is missing without a field error"));
    };
    Ok(CreateRequest { draft, currency, reference, targets })
}

/// Reads the ad account from `platform` and `organization_id`.
fn target(fields: &mut Fields<'_>) -> Option<Target> {
    let platform = read_platform(fields, Shape::Enveloped);
    let organization = organization_id(fields);
    let platform = fields.require("platform", platform);
    let organization = fields.require("organization_id", organization);
    Some(Target::new(platform?, AccountChoice::Account(organization?)))
}

/// Reads one of several ad accounts, which may have a budget and a reference of its own.
fn one_of_several(fields: &mut Fields<'_>) -> Option<Target> {
    let target = target(fields);
    let (budget_amount, currency) = (body::budget_amount(fields), body::currency(fields));
    let reference = body::reference(fields);
    Some(Target { budget_amount, currency, reference, ..target? })
}

/// Refuses the fields of a single ad account beside `targets`.
fn reject_single_target(fields: &mut Fields<'_>) {
    for name in ["platform", "organization_id"] {
        if fields.take(name).is_some() {
            fields.add_error(name, "must not be sent with targets, which names the ad accounts: leave one of them out");
        }
    }
}

/// Reads `targets`: 1 to 10 different ad accounts. Field errors are named `targets[0].platform`.
fn several_targets(fields: &mut Fields<'_>) -> Option<Vec<Target>> {
    let items = fields.objects("targets")?;
    if items.is_empty() || items.len() > MAX_TARGETS {
        fields.add_error("targets", format!("must contain 1 to {MAX_TARGETS} targets; it contains {}", items.len()));
        return None;
    }
    let mut targets: Vec<Target> = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let read = item.and_then(|mut item| {
            let target = one_of_several(&mut item);
            item.finish().map(|()| target)
        });
        match read {
            Ok(Some(target)) if targets.iter().any(|earlier| earlier.is_in_account_of(&target)) => {
                fields.add_error(&format!("targets[{index}]"), "repeats the ad account of an earlier target");
            }
            Ok(target) => targets.extend(target),
            Err(error) => fields.add_nested_errors(&format!("targets[{index}]"), error),
        }
    }
    Some(targets)
}

/// Reads the body of `updateCampaign`.
pub(crate) fn read_update(text: &[u8]) -> Result<UpdateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let changes = CampaignChanges {
        name: body::name(&mut fields),
        status: fields.one_of("status", &STATUSES, read_status),
        budget_amount: body::budget_amount(&mut fields),
        budget_period: body::budget_period(&mut fields, &BudgetPeriod::ALL),
        ..CampaignChanges::default()
    };
    let dates = body::new_dates(&mut fields);
    body::refuse_fixed(&mut fields);
    let (currency, reference) = (body::currency(&mut fields), body::reference(&mut fields));
    let organization_id = organization_id(&mut fields);
    fields.finish()?;
    Ok(UpdateRequest { changes, dates, currency, organization_id, reference })
}

fn organization_id(fields: &mut Fields<'_>) -> Option<String> {
    let id = fields.string("organization_id")?;
    if id.is_empty() {
        fields.add_error("organization_id", "must not be empty");
        return None;
    }
    Some(AdAccount::plain_id(&id))
}
