//! Why budgets that were lowered, paused or reverted count against a limit until the day of the ad account is over (D62).

use crate::kit::money::in_currency;
use crate::kit::text::when;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::spending::{Contribution, Recent};
use shared::domain::{Currency, Spending};
use std::collections::BTreeMap;

/// `All of this was reverted, lowered or paused. …` `None` if nothing of the kind counts.
pub(crate) fn still_counts(spending: &Spending, now: Timestamp) -> Option<String> {
    let ended = || spending.contributions.values().filter_map(|one| Some((one.currency, recent(one, now)?)));
    let until = when(ended().map(|(_, recent)| recent.until).max()?, now);
    let currencies: BTreeMap<&'static str, Currency> =
        ended().map(|(currency, _)| (currency.code(), currency)).collect();
    let counted = spending.contributions.values().filter(|one| !one.counted_daily(now).is_zero());
    let is_all = counted.clone().all(|one| recent(one, now).is_some() && one.daily.is_zero());
    let sum = |currency: &Currency| in_currency(ended_of(spending, *currency, now), *currency);
    let what = match is_all {
        true => "All of this".to_owned(),
        false => format!("Of this, {}", currencies.values().map(sum).collect::<Vec<_>>().join(", ")),
    };
    Some(format!(
        "{what} was reverted, lowered or paused. It counts until the day of the ad account ends, {until} at the latest, because \
         it may be spent already."
    ))
}

/// What counts in a currency and does not run any more.
pub(super) fn ended_of(spending: &Spending, currency: Currency, now: Timestamp) -> Decimal {
    let of = spending.contributions.values().filter(|one| one.currency == currency);
    let ended = of.filter_map(|one| Some(recent(one, now)?.amount.saturating_sub(one.daily)));
    ended.fold(Decimal::ZERO, Decimal::saturating_add)
}

/// What a campaign had today that is more than what it has now.
fn recent(one: &Contribution, now: Timestamp) -> Option<Recent> {
    one.recent.filter(|recent| now < recent.until && recent.amount > one.daily)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::spending::Spender;
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
            words.starts_with("Of this, 325.00 USD was reverted, lowered or paused. It counts until the day"),
            "{words}"
        );
        assert!(words.contains("ends, on 2 Dec 2026, 05:00 UTC at the latest, because"), "{words}");
        let all = told(vec![one(0, Some(275)), one(0, Some(100))], now).unwrap();
        assert!(all.starts_with("All of this was reverted, lowered or paused."), "{all}");
        assert_eq!(told(vec![one(0, Some(275))], until), None, "the day is over");
        assert_eq!(told(vec![one(60, Some(60))], now), None, "it runs");
    }
}
