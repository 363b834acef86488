//! What the plans cost, as the provider's catalogue says it. Pages show it; the provider alone charges.

use super::Provider;
use super::wire::{CataloguePrice, Recurring};
use crate::domain::{Currency, Plan};
use crate::error::Error;
use rust_decimal::Decimal;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The time for which a price is shown without a read.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// Currencies whose amounts the provider counts in hundredths, although they have none:
/// <https://docs.stripe.com/currencies#special-cases>.
const IN_HUNDREDTHS: [&str; 2] = ["ISK", "UGX"];

/// What a plan costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanPrice {
    pub amount: Decimal,
    pub currency: Currency,
    /// `month`
    pub interval: String,
    /// The number of intervals that it pays for.
    pub interval_count: u32,
}

/// The prices that this process has read, by their ids.
#[derive(Debug, Default)]
pub(super) struct Catalogue(Mutex<HashMap<String, (Instant, Option<PlanPrice>)>>);

impl Catalogue {
    fn recent(&self, id: &str) -> Option<Option<PlanPrice>> {
        let prices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        prices.get(id).filter(|(read_at, _)| read_at.elapsed() < MAX_AGE).map(|(_, price)| price.clone())
    }

    fn keep(&self, id: &str, price: Option<PlanPrice>) {
        let mut prices = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        prices.insert(id.to_owned(), (Instant::now(), price));
    }
}

impl Provider {
    /// The price of a new subscription of a plan, up to an hour old; `None` for a price that is not a single amount.
    pub async fn plan_price(&self, plan: Plan, deadline: Instant) -> Result<Option<PlanPrice>, Error> {
        let id = self.prices.current(plan);
        if let Some(known) = self.catalogue.recent(id) {
            return Ok(known);
        }
        let price = plan_price(self.get(&format!("/v1/prices/{id}"), deadline).await?);
        self.catalogue.keep(id, price.clone());
        Ok(price)
    }
}

fn plan_price(price: CataloguePrice) -> Option<PlanPrice> {
    let currency = Currency::from_code(&price.currency.to_ascii_uppercase())?;
    let decimals = if IN_HUNDREDTHS.contains(&currency.code()) { 2 } else { currency.decimals() };
    let amount = Decimal::try_new(price.unit_amount?, decimals).ok()?.normalize();
    let Recurring { interval, interval_count } = price.recurring?;
    Some(PlanPrice { amount, currency, interval, interval_count })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_amount_is_in_the_smallest_unit_of_its_currency() {
        for (currency, unit_amount, amount) in [
            ("usd", json!(9_900), Some("99")),
            ("usd", json!(9_950), Some("99.5")),
            ("jpy", json!(500), Some("500")),
            ("kwd", json!(1_500), Some("1.5")),
            ("isk", json!(50_000), Some("500")),
            ("usd", json!(0), Some("0")),
            ("usd", json!(null), None),
            ("???", json!(1), None),
        ] {
            let recurring = json!({"interval": "month", "interval_count": 1});
            let price = json!({"currency": currency, "unit_amount": unit_amount, "recurring": recurring});
            let price = plan_price(serde_json::from_value(price).unwrap());
            assert_eq!(price.map(|price| price.amount.to_string()).as_deref(), amount, "{currency} {unit_amount}");
        }
        let once = json!({"currency": "usd", "unit_amount": 1, "recurring": null});
        assert_eq!(plan_price(serde_json::from_value(once).unwrap()), None);
    }
}
