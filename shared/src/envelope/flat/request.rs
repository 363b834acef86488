//! Request bodies in the flat shape.

use super::super::body;
use super::super::fields::Fields;
use super::super::request::{AccountChoice, CreateRequest, Target, Targets, UpdateRequest};
use super::names::{GOALS, PERIODS, STATUSES, read_status};
use crate::domain::{CampaignChanges, CampaignDraft, Platform};
use crate::error::Error;

/// Reads the body of `createCampaign`.
pub(crate) fn read_create(text: &[u8]) -> Result<CreateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let name = body::name(&mut fields);
    let goal = body::goal(&mut fields, &GOALS);
    let amount = body::budget_amount(&mut fields);
    let period = body::budget_period(&mut fields, &PERIODS);
    let platform = platform(&mut fields);
    let connection = fields.string("connection_id");
    let (start_at, end_at) = body::dates(&mut fields);
    let required = (
        fields.require("name", name),
        fields.require("goal", goal),
        fields.require("budget_amount", amount),
        fields.require("budget_period", period),
        fields.require("platform", platform),
    );
    fields.finish()?;
    let (Some(name), Some(goal), Some(budget_amount), Some(budget_period), Some(platform)) = required else {
        return Err(Error::internal("a required field is missing without a field error"));
    };
    let choice = connection.map_or(AccountChoice::OnlyConnection, AccountChoice::Connection);
    let targets = Targets::One(Target { platform, choice });
    let draft = CampaignDraft { name, goal, budget_amount, budget_period, start_at, end_at };
    Ok(CreateRequest { draft, currency: None, targets })
}

/// Reads the body of `updateCampaign`.
pub(crate) fn read_update(text: &[u8]) -> Result<UpdateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let changes = CampaignChanges {
        name: body::name(&mut fields),
        status: fields.one_of("status", &STATUSES, read_status),
        budget_amount: body::budget_amount(&mut fields),
        budget_period: body::budget_period(&mut fields, &PERIODS),
    };
    fields.finish()?;
    Ok(UpdateRequest { changes, organization_id: None })
}

fn platform(fields: &mut Fields<'_>) -> Option<Platform> {
    let names = Platform::ALL.map(Platform::as_str);
    fields.one_of("platform", &names, Platform::parse)
}
