use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse};
use crate::platforms::gamma::sample::SAMPLE;
use crate::platforms::laws::{Set, with};
use rust_decimal::Decimal;
use serde_json::Value;

/// A day and two minutes.
const BEYOND: i64 = -86_520;

fn page(rows: &[Value], is_last: bool) -> ScriptedResponse {
    SAMPLE.page(rows.to_vec(), (!is_last).then_some("2"))
}

fn parameters(request: &ReceivedRequest) -> Vec<(String, String)> {
    let url = url::Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn all_existing_campaigns_are_searched_without_their_spend() {
    let fake = Fake::answering(vec![page(&[SAMPLE.made(7, 10)], true)]);
    SAMPLE.search(&fake).await.unwrap();
    let requests = fake.requests();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].line.starts_with("GET /open_api/v1.3/campaign/get/?"), "{}", requests[0].line);
    let expected = [
        ("advertiser_id", "7000000000000000001"),
        ("filtering", r#"{"primary_status":"STATUS_NOT_DELETE"}"#),
        ("page", "1"),
        ("page_size", "1000"),
    ];
    assert_eq!(parameters(&requests[0]), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[tokio::test]
async fn the_oldest_is_first_by_time_and_not_by_id() {
    let (late, new) = (SAMPLE.made(3, 526), SAMPLE.made(9, 10));
    for skewed in [[late.clone(), new.clone()], [new, late]] {
        assert_eq!(SAMPLE.found(vec![page(&skewed, true)]).await.unwrap(), ["9", "3"]);
    }
}

#[tokio::test]
async fn the_search_ends_at_the_last_page_or_a_day_before_the_create() {
    let (new, older) = (SAMPLE.made(9, 10), SAMPLE.made(7, 10));
    let day_before = [new.clone(), SAMPLE.made(8, BEYOND - 1)];
    assert_eq!(SAMPLE.found(vec![page(&day_before, false)]).await.unwrap(), ["9"]);
    let other = [Set("/campaign_name", "\"other\""), Set("/create_time", "\"long ago\"")];
    for last in [SAMPLE.made(8, BEYOND), with(SAMPLE.made(8, 0), &other)] {
        let pages = vec![page(&[new.clone(), last], false), page(std::slice::from_ref(&older), true)];
        assert_eq!(SAMPLE.found(pages).await.unwrap(), ["7", "9"]);
    }
}

#[tokio::test]
async fn a_list_out_of_order_is_no_absence() {
    for rows in [[SAMPLE.made(6, -86_391), SAMPLE.made(7, 10)], [SAMPLE.made(6, 9), Value::Null]] {
        assert!(SAMPLE.found(vec![page(&rows, true)]).await.is_err(), "{rows:?}");
    }
    let endless = Fake::new(|_| page(&[SAMPLE.made(9, 10)], false));
    assert!(SAMPLE.search(&endless).await.is_err());
    assert_eq!(endless.requests().len(), 200);
}

#[tokio::test]
async fn only_a_paused_campaign_that_is_found_has_spent_nothing() {
    let nothing = Some(Decimal::ZERO);
    for (status, spent) in [("\"DISABLE\"", nothing), ("\"ENABLE\"", None), ("\"SOMETHING_NEW\"", None)] {
        let row = with(SAMPLE.made(7, 10), &[Set("/operation_status", status)]);
        let found = SAMPLE.search(&Fake::answering(vec![page(&[row], true)])).await.unwrap();
        assert_eq!(found[0].total_spend_amount, spent, "{status}");
    }
}
