//! Days add up to the total, exactly.

use super::*;
use jiff::ToSpan;

/// Minor units that each day cost; the same index gives the same cost.
fn cost(index: u64) -> u64 {
    (index * 2_654_435_761) % 300_011
}

#[tokio::test]
async fn days_add_up_to_the_total_in_each_currency() {
    let days = Days::new(date(2026, 8, 3), date(2026, 10, 31)).unwrap();
    for (code, decimals) in [("USD", 2), ("JPY", 0), ("KWD", 3)] {
        let metrics = move |cost: u64, index: u64| {
            let spend = Decimal::from_i128_with_scale(i128::from(cost), decimals).to_string();
            json!({"spend": spend, "impressions": cost.to_string(), "clicks": index.to_string(),
                "conversion": index.to_string()})
        };
        let fake = Fake::new(move |request| {
            let date = |name| parameter(request, name).unwrap().parse::<Date>().unwrap();
            let part = Days::new(date("start_date"), date("end_date")).unwrap();
            let all = (0..90).map(|index| (days.from.saturating_add(index.days()), u64::try_from(index).unwrap()));
            let within: Vec<_> = all.filter(|(day, _)| part.from <= *day && *day <= part.to).collect();
            if parameter(request, "dimensions").unwrap().contains("stat_time_day") {
                let rows = within.iter().map(|(day, index)| row("9", &day.to_string(), metrics(cost(*index), *index)));
                return ok(page(&rows.collect(), 1, 1));
            }
            let (costs, counts) = within.iter().fold((0, 0), |sum, (_, index)| (sum.0 + cost(*index), sum.1 + index));
            ok(page(&json!([{"dimensions": {"campaign_id": "9"}, "metrics": metrics(costs, counts)}]), 1, 1))
        });
        let session = fake.session_of(Platform::Gamma, account(code));
        let of = |granularity| InsightsRequest { days, limit: 100, ..request(granularity, Some("9")) };
        let daily = Gamma.insights(&session, &of(Granularity::Day)).await.unwrap().rows;
        let [total] = Gamma.insights(&session, &of(Granularity::Total)).await.unwrap().rows.try_into().unwrap();
        assert_eq!(daily.len(), 90);
        assert_eq!(daily.iter().map(|row| row.spend.unwrap()).sum::<Decimal>(), total.spend.unwrap(), "{code}");
        assert_eq!(daily.iter().map(|row| row.impressions.unwrap()).sum::<i64>(), total.impressions.unwrap());
        assert_eq!(daily.iter().map(|row| row.clicks.unwrap()).sum::<i64>(), total.clicks.unwrap());
        assert_eq!(daily.iter().map(|row| row.conversions.unwrap()).sum::<Decimal>(), total.conversions.unwrap());
    }
}
