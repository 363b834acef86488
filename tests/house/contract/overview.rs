//! What the dashboard keeps of ad accounts, on every available engine.

use super::Engines;
use jiff::SignedDuration;
use shared::clock::Clock;
use shared::domain::CustomerId;
use shared::store::{KeptChange, KeptOverview, OverviewPart};
use uuid::Uuid;

#[tokio::test]
async fn rows_stay_when_a_later_reading_fails_and_an_earlier_one_changes_nothing() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let later = |seconds| now + SignedDuration::from_secs(seconds);
        let part = (OverviewPart::Campaigns, "conn_1");
        for (began, outcome) in [
            (later(10), Ok("[1]".to_owned())),
            (later(20), Err("It is throttling.".to_owned())),
            (later(5), Ok("[0]".to_owned())),
        ] {
            store.keep_part(customer, part, began, &outcome).await.expect("an answer");
        }
        let kept = store.overview(customer, now).await.expect("what is kept").parts.remove(0);
        assert_eq!((kept.part, kept.connection.as_str()), part, "{engine}");
        let rows = kept.rows.map(|(at, rows)| (at.as_millisecond(), rows));
        assert_eq!(rows, Some((later(10).as_millisecond(), "[1]".to_owned())), "{engine}");
        assert_eq!(kept.problem.as_deref(), Some("It is throttling."), "{engine}");
        store.keep_part(customer, part, later(30), &Ok("[2]".to_owned())).await.expect("an answer");
        let kept = store.overview(customer, now).await.expect("what is kept").parts.remove(0);
        assert_eq!((kept.problem, kept.tried_at.as_millisecond()), (None, later(30).as_millisecond()), "{engine}");
    }
}

#[tokio::test]
async fn changes_are_kept_for_their_customer_and_for_a_day() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let change = |id: Option<&str>| KeptChange {
            campaign: id.map(str::to_owned),
            at: now,
            values: id.map(|_| "{}".to_owned()),
        };
        for id in [None, Some("alpha_1_2"), Some("alpha_1_2")] {
            store.keep_change(customer, &change(id)).await.expect("an answer");
        }
        let kept = store.overview(customer, now).await.expect("what is kept");
        assert_eq!(kept.changes.len(), 2, "{engine}: {kept:?}");
        let other = store.overview(CustomerId(Uuid::new_v4()), now).await.expect("what is kept");
        assert_eq!(other, KeptOverview::default(), "{engine}");
        let in_two_days = now + SignedDuration::from_hours(48);
        assert_eq!(store.overview(customer, in_two_days).await.expect("what is kept"), other, "{engine}");
    }
}
