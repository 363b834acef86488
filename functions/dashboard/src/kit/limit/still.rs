//! Why budgets that were lowered, paused or reverted count against a limit until the day of the ad account is over (D62).

use crate::kit::money::in_currency;
use crate::kit::text::when;
use crate::kit::total::Total;
use jiff::Timestamp;
use shared::domain::spending::Contribution;
use shared::domain::{Currency, Spending};
use std::collections::BTreeMap;

/// `Of this, 4,275.00 USD does not run any more: it was reverted, lowered or paused. …` `None` if nothing of
/// the kind counts.
pub(crate) fn still_counts(spending: &Spending, now: Timestamp) -> Option<String> {
    let mut sums: BTreeMap<&'static str, (Currency, Total)> = BTreeMap::new();
    let mut last = None;
    for Contribution { currency, daily, recent, .. } in spending.contributions.values() {
        let Some(recent) = recent.filter(|recent| now < recent.until && recent.amount > *daily) else { continue };
        let (_, sum) = sums.entry(currency.code()).or_insert((*currency, Total::default()));
        sum.add(Total::of(Some(recent.amount.saturating_sub(*daily))));
        last = last.max(Some(recent.until));
    }
    let sums: Vec<String> =
        sums.values().map(|(currency, sum)| sum.text(|amount| in_currency(amount, *currency))).collect();
    let until = when(last?, now);
    Some(format!(
        "Of this, {} does not run any more: it was reverted, lowered or paused. It may be spent already, so it is free when the \
         day of the ad account ends, {until} at the latest.",
        sums.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::spending::{Recent, Spender};
    use shared::domain::{CampaignId, ConnectionId, KeyId};

    #[test]
    fn what_is_reverted_says_why_it_still_counts() {
        let now: Timestamp = "2026-12-01T09:00:00Z".parse().unwrap();
        let until: Timestamp = "2026-12-02T05:00:00Z".parse().unwrap();
        let one = |daily: u32, recent: Option<u32>| Contribution {
            connection: ConnectionId("conn_1".to_owned()),
            currency: Currency::from_code("USD").unwrap(),
            daily: daily.into(),
            recent: recent.map(|amount| Recent { amount: amount.into(), until }),
            lifetime: Decimal::ZERO,
            is_activated: true,
            pending: None,
        };
        let told = |all: Vec<Contribution>, now| {
            let id = |number| CampaignId::parse(&format!("alpha_1_{number}")).unwrap();
            let contributions = (1..).map(id).zip(all).collect();
            let spender = Spender::Key(KeyId("key_1".to_owned()));
            still_counts(&Spending { contributions, ..Spending::none(spender) }, now)
        };
        let words = told(vec![one(0, Some(275)), one(50, Some(100)), one(60, None)], now).unwrap();
        assert!(
            words.starts_with("Of this, 325.00 USD does not run any more: it was reverted, lowered or paused."),
            "{words}"
        );
        assert!(words.ends_with("ends, on 2 Dec 2026, 05:00 UTC at the latest."), "{words}");
        assert_eq!(told(vec![one(0, Some(275))], until), None, "the day is over");
        assert_eq!(told(vec![one(60, Some(60))], now), None, "it runs");
    }
}
