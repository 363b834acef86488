//! Ids that do not rise with time: 8.6 minutes between the two orders were recorded live (2026-07).

use super::fake_list::{CampaignsHandle, Clock, campaigns_by};
use super::*;

/// The most seconds between an id and its turn.
const SKEW_S: u64 = 516;

/// Distributions of campaigns over time: in one second, seconds apart, hours apart, days apart.
const CLOCKS: [Clock; 4] = [
    |_| Some(0),
    |id| i64::try_from(id * 20 + id * 7_919 % SKEW_S).ok(),
    |id| i64::try_from(id * 36_000 + id * 7_919 % SKEW_S).ok(),
    |id| i64::try_from(id * 200_000 + id * 7_919 % SKEW_S).ok(),
];

fn of(ids: std::ops::RangeInclusive<u64>, clock: Clock, is_by_id: bool) -> CampaignsHandle {
    let states = ["ENABLE", "DISABLE", "DELETE"];
    campaigns_by(ids.map(|id| (id, states[usize::try_from(id % 3).unwrap()])), clock, is_by_id)
}

/// The ids, newest first, the larger one first for two of the same second.
fn newest_first(ids: impl Iterator<Item = u64>, clock: Clock) -> Vec<u64> {
    let mut ids: Vec<u64> = ids.collect();
    ids.sort_by_key(|id| std::cmp::Reverse((clock(*id), *id)));
    ids
}

#[tokio::test]
async fn a_list_is_by_time_then_id_in_any_order_of_the_platform() {
    for clock in CLOCKS {
        for is_by_id in [true, false] {
            let fake = fake(&of(1..=40, clock, is_by_id));
            for limit in [1, 3, 7, 39, 100] {
                let kept = newest_first((1..=40).filter(|id| id % 3 != 2), clock);
                assert_eq!(walk(&fake, StatusSet::not_final(), limit).await, kept, "{limit}");
                assert_eq!(walk(&fake, all(), limit).await, newest_first(1..=40, clock), "{limit}");
            }
        }
    }
}

#[tokio::test]
async fn a_burst_larger_than_the_largest_page_is_listed_whole() {
    let clock = CLOCKS[1];
    for is_by_id in [true, false] {
        let fake = fake(&of(1..=3_300, clock, is_by_id));
        let kept = newest_first((1..=3_300).filter(|id| id % 3 != 2), clock);
        assert_eq!(walk(&fake, StatusSet::not_final(), 900).await, kept);
    }
}

#[tokio::test]
async fn a_campaign_without_its_time_comes_last_and_once() {
    let clock: Clock = |id| (id % 5 != 0).then(|| i64::try_from(id * 200_000).ok()).flatten();
    for is_by_id in [true, false] {
        let fake = fake(&of(1..=40, clock, is_by_id));
        for limit in [1, 3, 7, 100] {
            let kept = newest_first((1..=40).filter(|id| id % 3 != 2), clock);
            assert_eq!(walk(&fake, StatusSet::not_final(), limit).await, kept, "{limit}");
            assert_eq!(walk(&fake, all(), limit).await, newest_first(1..=40, clock), "{limit}");
        }
    }
}

#[tokio::test]
async fn a_position_holds_when_campaigns_come_and_go_among_skewed_ids() {
    let clock = CLOCKS[1];
    for is_by_id in [true, false] {
        let campaigns = campaigns_by((101..=160).map(|id| (id, "ENABLE")), clock, is_by_id);
        let fake = fake(&campaigns);
        let expected = newest_first(101..=160, clock);
        let first = page(&fake, StatusSet::not_final(), 20, None).await;
        campaigns.lock().unwrap().extend((161..=290).map(|id| (id, "DISABLE")));
        let next = page(&fake, StatusSet::not_final(), 10, first.positions.last().map(String::as_str)).await;
        let newer: Vec<u64> = ids(&next).into_iter().filter(|id| *id > 160).collect();
        let known: Vec<u64> = ids(&next).into_iter().filter(|id| *id <= 160).collect();
        assert_eq!(
            known,
            expected[20..20 + known.len()],
            "without a gap, beside new ones of the same minutes: {newer:?}"
        );
        campaigns.lock().unwrap().retain(|(id, _)| expected[20..].contains(id));
        let next = page(&fake, StatusSet::not_final(), 10, first.positions.last().map(String::as_str)).await;
        assert_eq!(ids(&next), expected[20..30], "everything before it is deleted");
    }
}

#[tokio::test]
async fn pages_far_down_a_long_list_are_one_call_each() {
    let clock = CLOCKS[3];
    let fake = fake(&campaigns_by((1..=700).map(|id| (id, "ENABLE")), clock, true));
    let (mut after, mut seen) = (None, Vec::new());
    for _ in 0..12 {
        let before = fake.requests().len();
        let page = page(&fake, StatusSet::not_final(), 50, after.as_deref()).await;
        assert_eq!(fake.requests().len() - before, 2, "one for the campaigns, one for the report");
        seen.extend(ids(&page));
        after = page.positions.last().cloned();
    }
    assert_eq!(seen, newest_first(101..=700, clock));
}

#[tokio::test]
async fn a_page_is_read_despite_a_malformed_row() {
    let malformed = json!({"campaign_id": 8, "campaign_name": null, "advertiser_id": null,
        "objective_type": "SOMETHING_NEW", "budget_mode": "BUDGET_MODE_DAY", "budget": "ten",
        "operation_status": "ENABLE", "secondary_status": null,
        "create_time": null, "modify_time": ""});
    let row = |id: &str| json!({"campaign_id": id, "operation_status": "ENABLE", "create_time": "2026-11-20 12:00:00"});
    for info in [json!({"total_page": "1", "page": "1"}), json!({"total_page": null}), json!({}), Value::Null] {
        let list = json!([row("9"), malformed, row("7")]);
        let fake = Fake::new(move |request| match request.line.contains("/report/") {
            true => ok(json!({"code": 0, "data": {"list": null, "page_info": {"total_page": "0"}}})),
            false => ok(json!({"code": 0, "data": {"list": list, "page_info": info}})),
        });
        let page = page(&fake, StatusSet::not_final(), 5, None).await;
        assert_eq!((ids(&page), page.has_more), (vec![9, 7, 8], false));
        assert_eq!((page.rows[2].goal, page.rows[2].budget_amount), (None, None));
        assert_eq!(page.rows[2].total_spend_amount.map(|sum| sum.to_string()).as_deref(), Some("0"));
    }
}
