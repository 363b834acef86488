//! Campaigns: their lists, changes, and names in the books.

use super::{Change, Session, on_each_platform};
use crate::client::{NOON, TestServer};
use crate::oauth_client::Renewal;
use crate::sample::{SAMPLES, Sample, text};
use serde_json::json;

/// The names on each page of a list.
async fn pages(session: &Session) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut next = Some(session.list());
    while let Some(call) = next {
        let page = session.accept(&call).await.json();
        pages.push(session.names_on(&page));
        next = (session.sample.next)(session.account(), &page);
        assert!(pages.len() < 9, "the list has no end: {pages:?}");
    }
    pages
}

#[tokio::test(start_paused = true)]
async fn ids_rise_and_pages_go_on_to_the_end() {
    on_each_platform(|session| async move {
        let mut expected = vec!["One", "Two", "Three", "Four"];
        let mut ids = Vec::new();
        for name in &expected {
            ids.push(session.create(session.account(), name).await.parse::<u64>().unwrap());
        }
        ids.push(session.create(session.sample.accounts[1], "Elsewhere").await.parse().unwrap());
        assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
        if session.sample.places.newest_first {
            expected.reverse();
        }
        for size in [1, 2, 3, 4, 9] {
            session.set("settings", json!({ "page_size": size })).await;
            let chunks: Vec<_> = expected.chunks(size).map(|chunk| chunk.to_vec()).collect();
            assert_eq!(pages(&session).await, chunks, "{size} on a page, and no empty page after the last");
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_changed_campaign_reads_back_with_every_quirk_too() {
    on_each_platform(|session| async move {
        let (sample, account) = (session.sample, session.account());
        for quirks in [false, true] {
            session.set("quirks", json!({ "quirk": "all", "on": quirks })).await;
            let id = session.create(account, "Sale").await;
            let book = async || session.books().await.into_iter().find(|book| book["id"] == id.as_str()).unwrap();
            let new = book().await;
            assert_eq!((&new["platform"], &new["account"]), (&json!(sample.platform()), &json!(account)));
            assert_eq!((&new["name"], &new["status"]), (&json!("Sale"), &json!(sample.statuses[0])));
            assert_eq!((&new["budget"], &new["currency"]), (&json!("50.00"), &json!("USD")));
            assert_eq!(new["created"], NOON);
            for change in [Change::Name("New"), Change::Budget, Change::Run] {
                session.accept(&session.update(&id, change)).await;
            }
            let read = session.accept(&(sample.get)(account, &id)).await.text;
            assert!(read.contains("\"New\"") && read.contains(&id), "{read}");
            let changed = book().await;
            assert_eq!((&changed["name"], &changed["budget"]), (&json!("New"), &json!("60.00")));
            assert_eq!((&changed["status"], &changed["created"]), (&json!(sample.statuses[1]), &json!(NOON)));
            let list = session.accept(&session.list()).await.json();
            let mut rows = Sample::rows(&list, sample.places.rows);
            rows.retain(|row| text(row, sample.places.id) == id);
            assert_eq!((rows.len(), text(&rows[0], sample.places.name)), (1, "New".to_owned()));
            session.accept(&(sample.delete)(account, &id)).await;
            assert_eq!(book().await["status"], sample.statuses[2]);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_campaign_is_refused_in_the_platforms_words() {
    on_each_platform(|session| async move {
        session.create(session.account(), "Sale").await;
        let before = session.books().await;
        for call in [session.update("77", Change::Name("New")), (session.sample.delete)(session.account(), "77")] {
            assert_eq!(session.refusal(&call).await, session.sample.words.unknown_campaign, "{}", call.path);
        }
        assert_eq!(session.books().await, before);
    })
    .await;
}

#[tokio::test]
async fn grants_accounts_campaigns_and_spend_survive_a_kill() {
    for sample in &SAMPLES {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::new(sample, TestServer::start(Some(folder.path())).await).await;
        let spent = session.create(session.account(), "Spent").await;
        session.set("spend", json!({ "campaign_id": spent, "amount": "2.25" })).await;
        session.set("accounts", json!({ "currency": "USD" })).await;
        // A control request saves everything, so the last change is the platform's own.
        let last = session.create(session.account(), "Last").await;
        let before = session.books().await;
        assert_eq!(before[0]["spent"], "2.25");
        // The first sandbox still runs: a response is sent only after the state is on disk.
        let server = TestServer::start(Some(folder.path())).await;
        let again = Session { server, ..session };
        assert_eq!(again.books().await, before, "{}", sample.platform());
        assert_eq!(again.names().await.len(), 2, "{}", sample.platform());
        if sample.oauth.renewal != Renewal::Nothing {
            sample.oauth.tokens(&sample.oauth.refresh(&again.server, &again.renewal).await);
        }
        let (_, opened) = again.control("accounts", json!({ "currency": sample.new_account[0] })).await;
        assert_ne!(opened["account"]["id"], sample.new_account[1], "the account of before the kill is still there");
        assert_ne!(again.create(again.account(), "Next").await, last);
    }
}
