//! The search for a created campaign finds it wherever it is, and finds nothing only where there is nothing.

use super::sample::{Sample, set, with};
use super::{Set, samples};
use crate::error::{Error, Kind};
use crate::platforms::fake::Fake;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// Names that cannot be read.
const NAMELESS: [&str; 5] = ["null", r#"{"text":"Winter"}"#, r#"["Winter"]"#, "true", "\" \""];

async fn among(sample: &Sample, rows: Vec<Value>) -> Result<Vec<String>, Error> {
    sample.found(vec![sample.page(rows, None)]).await
}

fn named(mut row: Value, sample: &Sample, name: Value) -> Value {
    set(&mut row, sample.name, name);
    row
}

#[tokio::test]
async fn every_fitting_campaign_of_every_page_is_found_once_oldest_first() {
    for sample in samples() {
        let other = named(sample.made(13, 9), sample, json!("other"));
        let pages = vec![
            sample.page(vec![other, sample.made(12, 9), sample.made(11, 2)], Some(sample.token)),
            sample.page(vec![sample.made(11, 2), sample.made(6, -119)], None),
        ];
        let fake = Fake::answering(pages);
        let found = sample.search(&fake).await.unwrap();
        let ids: Vec<&str> = found.iter().map(|campaign| campaign.remote_id.as_str()).collect();
        assert_eq!(ids, ["6", "11", "12"], "{}: two minutes are the difference of clocks", sample.platform);
        let draft = (sample.draft)();
        for campaign in &found {
            assert_eq!((campaign.name.as_str(), campaign.budget_amount), ("Winter", Some(draft.budget_amount)));
            assert_eq!(campaign.total_spend_amount, Some(Decimal::ZERO), "{}: it is paused", sample.platform);
        }
        let requests = fake.requests();
        let [first, second] = [0, 1].map(|index| format!("{}{}", requests[index].line, requests[index].text));
        let [at_first, at_token] = sample.turn;
        assert!(second.contains(at_token), "{second}");
        assert_eq!(second.replace(at_token, at_first), first, "{}: the same search", sample.platform);
    }
}

#[tokio::test]
async fn a_campaign_with_another_name_budget_or_time_does_not_match() {
    for sample in samples() {
        let names = ["winter", "Winter II", "Summer"].map(|name| named(sample.made(9, 2), sample, json!(name)));
        let others = sample.others.iter().map(|change| with(sample.made(9, 2), change));
        let too_old = [-121, -86_400].map(|after| sample.made(9, after));
        let too_old = too_old.into_iter().filter(|_| sample.is_dated);
        for row in names.into_iter().chain(others).chain(too_old) {
            let shown = row.to_string();
            assert_eq!(among(sample, vec![row]).await.unwrap(), [""; 0], "{}: {shown}", sample.platform);
        }
        assert_eq!(among(sample, vec![]).await.unwrap(), [""; 0], "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_possible_match_proves_no_absence() {
    for sample in samples() {
        let nameless = NAMELESS.map(|name| [Set(sample.name, name)]);
        let nameless = nameless.iter().map(<[Set; 1]>::as_slice);
        for change in nameless.chain(sample.unclear.iter().copied()) {
            let new = with(sample.made(7, 1), change);
            let shown = format!("{}: {new}", sample.platform);
            let error = among(sample, vec![sample.made(9, 1), new.clone()]).await.unwrap_err();
            assert_eq!(error.kind, Kind::PlatformFailed, "{shown}");
            if sample.is_dated {
                let older = with(sample.made(7, -86_400), change);
                let other = named(new, sample, json!("Summer"));
                assert_eq!(among(sample, vec![other, older]).await.unwrap(), [""; 0], "{shown}");
            }
        }
        for change in sample.hidden {
            let row = with(sample.made(7, 1), change);
            let shown = format!("{}: {row}", sample.platform);
            assert_eq!(among(sample, vec![row]).await.unwrap_err().kind, Kind::PlatformFailed, "{shown}");
        }
    }
}

#[tokio::test]
async fn an_unreadable_row_or_one_of_another_account_proves_no_absence() {
    for sample in samples() {
        let malformed = sample.malformed.iter().map(|change| with(sample.made(7, 1), change));
        for row in malformed.chain([json!(null), json!(7), json!({}), json!({"name": "Winter"})]) {
            let shown = format!("{}: {row}", sample.platform);
            let error = among(sample, vec![sample.made(9, 1), row]).await.unwrap_err();
            assert_eq!(error.kind, Kind::PlatformFailed, "{shown}");
        }
        if let Some((change, kind)) = sample.elsewhere {
            let found = among(sample, vec![sample.made(9, 1), with(sample.made(7, 1), change)]).await;
            match kind {
                Some(kind) => assert_eq!(found.unwrap_err().kind, kind, "{}", sample.platform),
                None => assert_eq!(found.unwrap(), ["9"], "{}", sample.platform),
            }
        }
    }
}

#[tokio::test]
async fn a_search_that_was_not_read_to_the_end_is_an_error() {
    for sample in samples() {
        let usual = [
            ((500, String::new()), Kind::PlatformFailed),
            ((429, String::new()), Kind::RateLimited),
            ((200, "<html>".to_owned()), Kind::PlatformFailed),
            ((sample.saying)("no"), Kind::PlatformFailed),
            (sample.scripted(&sample.expired), Kind::TokenExpired),
            (sample.scripted(&sample.missing), Kind::Forbidden),
        ];
        let no_pages = sample.no_pages.iter().map(|body| ((200, (*body).to_owned()), Kind::PlatformFailed));
        for (response, kind) in usual.into_iter().chain(no_pages) {
            let shown = format!("{}: {response:?}", sample.platform);
            assert_eq!(sample.found(vec![response.clone()]).await.unwrap_err().kind, kind, "{shown}");
            let first = sample.page(vec![sample.made(12, 9)], Some(sample.token));
            assert_eq!(sample.found(vec![first, response]).await.unwrap_err().kind, kind, "second page, {shown}");
        }
        let endless = Fake::new(|_| {
            sample.page(vec![with(sample.made(9, 9), &[Set(sample.name, "\"other\"")])], Some(sample.token))
        });
        assert_eq!(sample.search(&endless).await.unwrap_err().kind, Kind::PlatformFailed, "{}", sample.platform);
    }
}
