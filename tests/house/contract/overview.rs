//! The stored readings of the dashboard, on every available engine.

use super::Engines;
use jiff::SignedDuration;
use shared::clock::Clock;
use shared::domain::CustomerId;
use shared::store::{KeptChange, KeptOverview, OverviewPart};
use uuid::Uuid;

#[tokio::test]
async fn rows_survive_a_later_failed_read_and_an_earlier_read() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let later = |seconds| now + SignedDuration::from_secs(seconds);
        let (part, connection) = (OverviewPart::Campaigns, "conn_1");
        for (began, outcome) in [
            (later(10), Ok("[1]".to_owned())),
            (later(20), Err("It is throttling.".to_owned())),
            (later(5), Ok("[0]".to_owned())),
        ] {
            store.keep_part(customer, part, connection, began, &outcome).await.expect("an answer");
        }
        let kept = store.overview(customer, now).await.expect("what is kept").parts.remove(0);
        assert_eq!((kept.part, kept.connection.as_str()), (part, connection), "{engine}");
        let rows = kept.rows.map(|(at, rows)| (at.as_millisecond(), rows));
        assert_eq!(rows, Some((later(10).as_millisecond(), "[1]".to_owned())), "{engine}");
        assert_eq!(kept.problem.as_deref(), Some("It is throttling."), "{engine}");
        store.keep_part(customer, part, connection, later(30), &Ok("[2]".to_owned())).await.expect("an answer");
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
            values: id.map(|_| "{}".to_owned()),
            ..KeptChange::of_any(now)
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

#[tokio::test]
async fn the_end_of_a_bulk_change_is_stored_once() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let later = |seconds| now + SignedDuration::from_secs(seconds);
        for bulk in ["bulk_1", "bulk_2"] {
            let begun =
                KeptChange { bulk: Some(bulk.to_owned()), open_until: Some(later(30)), ..KeptChange::of_any(now) };
            store.keep_change(customer, &begun).await.expect("an answer");
        }
        for seconds in [5, 9] {
            store.keep_bulk_end(customer, "bulk_1", later(seconds)).await.expect("an answer");
        }
        store.keep_bulk_end(customer, "bulk_3", later(5)).await.expect("an answer");
        let kept = store.overview(customer, now).await.expect("what is kept").changes;
        let kept: Vec<_> = kept
            .iter()
            .map(|change| {
                let open_until = change.open_until.map(|until| until.as_millisecond());
                (change.bulk.as_deref(), change.at.as_millisecond(), open_until)
            })
            .collect();
        let ended = (Some("bulk_1"), later(5).as_millisecond(), None);
        let open = (Some("bulk_2"), now.as_millisecond(), Some(later(30).as_millisecond()));
        assert_eq!(kept, [ended, open], "{engine}");
    }
}
