//! A change of a campaign: checks and translates it.

use super::write_budget;
use crate::domain::Rule;
use crate::platforms::beta::CAPABILITIES;
use crate::platforms::beta::money::Units;
use crate::platforms::beta::wire::CampaignParameters;
use crate::platforms::prelude::*;

/// Translates changes that differ from `current`: the changed parameters alone, for one call.
pub(in crate::platforms::beta) fn parameters(
    account: &AdAccount,
    current: &PlatformCampaign,
    changes: &CampaignChanges,
) -> Result<CampaignParameters, Error> {
    let CampaignChanges { name, status, budget_amount, budget_period, start_at, end_at } = changes;
    if start_at.is_some() || end_at.is_some() {
        return Err(Error::internal("a date that the service holds reached its platform"));
    }
    errors::check_period_change(&CAPABILITIES, *budget_period)?;
    if *status == Some(CampaignStatus::Archived) && (name.is_some() || budget_amount.is_some()) {
        return Err(invalid("status", "cannot be combined with other changes when it archives the campaign"));
    }
    errors::check_name(&CAPABILITIES, name.as_deref())?;
    let names = ["ACTIVE", "PAUSED", "ARCHIVED"];
    let status = status.map(|status| errors::writable(&CAPABILITIES, status, names)).transpose()?;
    let mut parameters = CampaignParameters { name: name.clone(), status, ..CampaignParameters::default() };
    if let Some(amount) = *budget_amount {
        let units = Units::of(amount, current.budget_period, account.currency);
        let units = units.map_err(|rule| invalid("budget_amount", rule))?;
        let changed = current.budget_period.and_then(|period| write_budget(parameters, period, units));
        parameters = changed.ok_or_else(|| errors::no_budget(Platform::Beta, "its ad sets have theirs"))?;
    }
    if parameters == CampaignParameters::default() {
        return Err(Error::internal("an update without a change"));
    }
    Ok(parameters)
}

fn invalid(field: &str, rule: impl Into<Rule>) -> Error {
    Error::field(field, rule).on(Platform::Beta)
}

#[cfg(test)]
mod tests;
