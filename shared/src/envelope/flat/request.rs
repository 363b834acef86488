//! Request bodies in the flat shape.

use super::super::Shape;
use super::super::body::{self, RequiredFields};
use super::super::fields::Fields;
use super::super::platform_names::read_platform;
use super::super::request::{AccountChoice, CreateRequest, Target, Targets, UpdateRequest};
use super::names::{GOALS, PERIODS, STATUSES, read_status};
use crate::domain::CampaignChanges;
use crate::error::Error;

/// Reads the body of `createCampaign`.
pub(crate) fn read_create(text: &[u8]) -> Result<CreateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let required = RequiredFields::read(&mut fields, &GOALS, &PERIODS);
    let platform = read_platform(&mut fields, Shape::Flat);
    let connection = fields.string("connection_id");
    let currency = body::currency(&mut fields);
    let (start_at, end_at) = body::dates(&mut fields);
    let reference = body::reference(&mut fields);
    let draft = required.draft(&mut fields, start_at, end_at);
    let platform = fields.require("platform", platform);
    fields.finish()?;
    let Some((draft, platform)) = draft.zip(platform) else {
        return Err(Error::internal("a required field is missing without a field error"));
    };
    let choice = connection.map_or(AccountChoice::OnlyConnection, AccountChoice::Connection);
    Ok(CreateRequest { draft, currency, reference, targets: Targets::One(Target::new(platform, choice)) })
}

/// Reads the body of `updateCampaign`.
pub(crate) fn read_update(text: &[u8]) -> Result<UpdateRequest, Error> {
    let mut fields = Fields::parse(text)?;
    let changes = CampaignChanges {
        name: body::name(&mut fields),
        status: fields.one_of("status", &STATUSES, read_status),
        budget_amount: body::budget_amount(&mut fields),
        budget_period: body::budget_period(&mut fields, &PERIODS),
        ..CampaignChanges::default()
    };
    let dates = body::new_dates(&mut fields);
    body::refuse_fixed(&mut fields);
    let (currency, reference) = (body::currency(&mut fields), body::reference(&mut fields));
    fields.finish()?;
    Ok(UpdateRequest { changes, dates, currency, organization_id: None, reference })
}
