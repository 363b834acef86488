//! The spend of campaigns. A campaign is returned without its spend if the report fails.

use crate::domain::Platform;
use crate::error::{Error, Kind};
use rust_decimal::Decimal;
use std::collections::HashMap;

/// A report, or `None` if it failed. Only a refused token is an error, so that the caller refreshes it.
pub fn optional<T>(platform: Platform, report: Result<T, Error>) -> Result<Option<T>, Error> {
    match report {
        Ok(report) => Ok(Some(report)),
        Err(error) if error.kind == Kind::TokenExpired => Err(error),
        Err(error) => {
            tracing::warn!(%platform, %error, source = error.source, "spend was not read");
            Ok(None)
        }
    }
}

/// Spend by campaign. It is `None` for a campaign whose spend is not certain.
#[derive(Debug, Default)]
pub struct CampaignSpend(HashMap<String, Option<Decimal>>);

impl CampaignSpend {
    /// Adds a row to the sum of its campaign.
    pub fn add(&mut self, remote_id: &str, amount: Option<Decimal>) {
        let sum = self.0.entry(remote_id.to_owned()).or_insert(Some(Decimal::ZERO));
        *sum = sum.zip(amount).and_then(|(sum, amount)| sum.checked_add(amount));
    }

    /// Sets the spend from the only row of a campaign. With a second row it is uncertain which of them is the total.
    pub fn set(&mut self, remote_id: &str, amount: Option<Decimal>) {
        self.0.entry(remote_id.to_owned()).and_modify(|known| *known = None).or_insert(amount);
    }

    /// The spend of a campaign, or `without_row`. A total below 0 is not known: only a day can be corrected below it.
    pub fn of(&self, remote_id: &str, without_row: Option<Decimal>) -> Option<Decimal> {
        self.0.get(remote_id).copied().unwrap_or(without_row).filter(|spend| *spend >= Decimal::ZERO)
    }
}
