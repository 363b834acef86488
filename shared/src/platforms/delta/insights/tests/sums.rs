//! Days add up to the total, exactly, whatever noise the platform adds to each.

use super::*;
use crate::domain::Currency;
use jiff::ToSpan;

/// Hundredths that each day cost; the same index gives the same cost.
fn cents(index: u64) -> u64 {
    (index * 2_654_435_761) % 30_011
}

/// An amount of a currency in the platform's form, with noise in one of its directions.
fn noisy(minor: u64, decimals: u32, is_low: bool) -> String {
    let exact = Decimal::from_i128_with_scale(i128::from(minor), decimals);
    let noise = Decimal::new(4, 14);
    match (minor, is_low) {
        (0, _) => "-2E-18".to_owned(),
        (_, true) => (exact - noise).to_string(),
        (_, false) => format!("{}0335346205714285714", exact + noise),
    }
}

#[tokio::test]
async fn days_add_up_to_the_total_in_each_currency() {
    let days = Days::new(date(2026, 8, 3), date(2026, 10, 31)).unwrap();
    let all = || (0..days.count()).map(move |index| days.from.saturating_add(index.days()));
    for (code, decimals) in [("USD", 2), ("JPY", 0)] {
        let costs: Vec<u64> = (0..90).map(cents).collect();
        let numbers = |minor: u64, index: u64| {
            json!({"costInLocalCurrency": noisy(minor, decimals, index % 2 == 1), "impressions": minor,
                "clicks": index, "externalWebsiteConversions": index,
                "conversionValueInLocalCurrency": noisy(minor * 3, decimals, index.is_multiple_of(2))})
        };
        let daily: Vec<Value> = all().zip(0..).map(|(on, index)| row("9", on, numbers(cents(index), index))).collect();
        let total = row("9", days.from, numbers(costs.iter().sum(), (0..90).sum()));
        let fake = Fake::new(move |request| {
            let rows = if request.line.contains("timeGranularity=ALL") { json!([total]) } else { json!(daily) };
            ok(json!({"elements": rows}))
        });
        let account = AdAccount { currency: Currency::from_code(code).unwrap(), ..account() };
        let session = fake.session_of(Platform::Delta, account);
        let of = |granularity| InsightsRequest { days, limit: 100, ..request(granularity, Some("9")) };
        let daily = Delta.insights(&session, &of(Granularity::Day)).await.unwrap().rows;
        let [total] = Delta.insights(&session, &of(Granularity::Total)).await.unwrap().rows.try_into().unwrap();
        assert_eq!(daily.len(), 90);
        assert_eq!(daily.iter().map(|row| row.spend.unwrap()).sum::<Decimal>(), total.spend.unwrap(), "{code}");
        assert_eq!(daily.iter().map(|row| row.impressions.unwrap()).sum::<i64>(), total.impressions.unwrap());
        assert_eq!(daily.iter().map(|row| row.clicks.unwrap()).sum::<i64>(), total.clicks.unwrap());
        assert_eq!(daily.iter().map(|row| row.conversions.unwrap()).sum::<Decimal>(), total.conversions.unwrap());
        let values = daily.iter().map(|row| row.conversion_value.unwrap());
        assert_eq!(values.sum::<Decimal>(), total.conversion_value.unwrap(), "{code}");
    }
}
