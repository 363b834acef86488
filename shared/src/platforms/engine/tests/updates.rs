//! The requests that a dry run of an update shows are those that the update sends, on every platform: random updates of
//! campaigns as the platforms tell them.

use super::*;
use crate::domain::test_random::TestRandom;
use crate::domain::{BudgetPeriod, CampaignValues, DateChange};
use crate::platforms::adapter;
use crate::platforms::prelude::{Method, RawValue};
use jiff::{SignedDuration, Timestamp};

/// Random updates of each campaign.
const CASES: u64 = 300;

/// Campaigns of a platform.
fn rows(platform: Platform) -> &'static [&'static str] {
    match platform {
        Platform::Alpha => &[
            include_str!("../../alpha/fixtures/row-daily.json"),
            include_str!("../../alpha/fixtures/row-total.json"),
            include_str!("../../alpha/fixtures/row-shared-budget.json"),
        ],
        Platform::Beta => &[
            include_str!("../../beta/fixtures/campaign-daily.json"),
            include_str!("../../beta/fixtures/campaign-lifetime.json"),
            include_str!("../../beta/fixtures/campaign-budget-of-ad-sets.json"),
        ],
        Platform::Gamma => &[
            include_str!("../../gamma/fixtures/campaign-manual.json"),
            include_str!("../../gamma/fixtures/campaign-smart-plus.json"),
        ],
        Platform::Delta => &[
            include_str!("../../delta/fixtures/campaign-daily.json"),
            include_str!("../../delta/fixtures/campaign-lifetime.json"),
        ],
        Platform::Epsilon => &[
            include_str!("../../epsilon/fixtures/campaign-daily.json"),
            include_str!("../../epsilon/fixtures/campaign-lifetime.json"),
            include_str!("../../epsilon/fixtures/campaign-without-budget.json"),
        ],
        Platform::Zeta => &[include_str!("../../zeta/fixtures/campaign.json")],
    }
}

/// A platform that answers every write and every check with success, and shows the ad account.
fn obliging(platform: Platform) -> Fake {
    Fake::new(move |_| {
        fake::ok(match platform {
            Platform::Alpha => json!({}),
            Platform::Beta => json!({"success": true}),
            Platform::Gamma => json!({"code": 0, "message": "OK", "data": {"list": []}}),
            Platform::Delta => json!({"id": 512_345_678, "status": "ACTIVE", "currency": "USD"}),
            Platform::Epsilon => json!({"id": "549755885175", "currency": "USD"}),
            Platform::Zeta => json!({"data": {"id": "a2_example", "currency": "USD"}}),
        })
    })
}

fn changes(numbers: &mut TestRandom, now: Timestamp) -> CampaignChanges {
    let date = |numbers: &mut TestRandom| match numbers.below(8) {
        0 => Some(DateChange::Clear),
        1 | 2 => Some(DateChange::Set(now + SignedDuration::from_hours(numbers.one_of(&[72, 720, 2_000, 9_000])))),
        _ => None,
    };
    let statuses = [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived];
    CampaignChanges {
        name: numbers.once_in(2).then(|| numbers.one_of(&["Winter", "Summer \"sale\"", ""]).to_owned()),
        status: numbers.once_in(2).then(|| numbers.one_of(&statuses)),
        budget_amount: numbers.once_in(2).then(|| Decimal::new(numbers.one_of(&[1, 5_000, 7_510, 123_456]), 2)),
        budget_period: numbers.once_in(16).then(|| numbers.one_of(&[BudgetPeriod::Daily, BudgetPeriod::Lifetime])),
        start_at: date(numbers),
        end_at: date(numbers),
    }
}

/// An address without the signature that follows from the access token, which a dry run hides.
fn unsigned(line: &str) -> String {
    let parts = line.split_inclusive(['?', '&', ' ']);
    parts.filter(|part| !part.contains("_proof=")).collect()
}

/// Which requests a dry run of an update shows, and which the update sends.
async fn both(platform: Platform, row: &str, changes: &CampaignChanges) -> [Vec<(String, String)>; 2] {
    let fake = obliging(platform);
    let session = fake.session_of(platform, fixtures::account(platform, "USD", "UTC"));
    let adapter = adapter(platform);
    let row: &RawValue = serde_json::from_str(row).unwrap();
    let current = adapter.read_row(&session.account, row, session.call.now).unwrap().unwrap();
    let changes = &changes.clone().against(&CampaignValues::of(&current));
    if changes.is_empty() {
        return [Vec::new(), Vec::new()];
    }
    let dry_run = adapter.dry_run_update(&session, &current, changes).await.unwrap();
    let shown = dry_run.requests.iter().map(|shown| {
        let path = shown.url.split_once("://platform").unwrap().1;
        (unsigned(&format!("{} {path} HTTP/1.1", shown.method)), shown.body.clone())
    });
    let before = fake.requests().len();
    // Whatever the answers say of the campaign, the requests are sent.
    let _ = adapter.update_campaign(&session, &current, changes).await;
    let sent =
        fake.requests().split_off(before).into_iter().filter(|sent| !sent.line.starts_with(Method::GET.as_str()));
    [shown.collect(), sent.map(|sent| (unsigned(&sent.line), sent.text)).collect()]
}

#[tokio::test]
async fn a_dry_run_of_an_update_shows_the_requests_that_the_update_sends() {
    let now = "2026-11-20T00:00:00Z".parse().unwrap();
    for platform in Platform::ALL {
        let (mut with_requests, mut with_several) = (0, 0);
        for (row, seed) in rows(platform).iter().flat_map(|row| (0..CASES).map(move |seed| (row, seed))) {
            let numbers = &mut TestRandom(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let mut changes = changes(numbers, now);
            if platform == Platform::Beta || platform == Platform::Gamma {
                // This service holds their dates.
                (changes.start_at, changes.end_at) = (None, None);
            }
            let [shown, sent] = both(platform, row, &changes).await;
            assert_eq!(shown, sent, "{platform}, seed {seed}: {changes:?}");
            with_requests += u64::from(!sent.is_empty());
            with_several += u64::from(sent.len() > 1);
        }
        assert!(with_requests >= CASES / 6, "{platform}: {with_requests}");
        assert_eq!(with_several > 0, platform == Platform::Gamma, "{platform}: {with_several}");
    }
}
