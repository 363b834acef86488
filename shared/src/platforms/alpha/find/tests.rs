use super::*;
use crate::domain::{BudgetPeriod, CampaignStatus, Goal};
use crate::error::{Error, Kind};
use crate::platforms::AdPlatform;
use crate::platforms::alpha::Alpha;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker, ok};
use crate::platforms::fixtures;
use rust_decimal::Decimal;
use serde_json::{Value, json};

const NAME: &str = r#"Bob's "50 %" \ 冬 ❄️ + more"#;

fn draft(name: &str, budget_period: BudgetPeriod) -> CampaignDraft {
    CampaignDraft { name: name.into(), budget_period, ..fixtures::draft(Goal::Sales, "10.50") }
}

fn row(id: u64, name: &str, budget: Value) -> Value {
    json!({"campaign": {"id": id.to_string(), "name": name, "status": "PAUSED"}, "campaignBudget": budget,
        "metrics": {"costMicros": "0"}})
}

fn daily(micros: &str) -> Value {
    json!({"period": "DAILY", "amountMicros": micros})
}

fn rows(rows: &[Value]) -> ScriptedResponse {
    ok(json!({"results": rows, "fieldMask": "x"}))
}

async fn find(
    responses: Vec<ScriptedResponse>,
    draft: &CampaignDraft,
) -> (Result<Vec<PlatformCampaign>, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(responses);
    let found = Alpha.find_created(&fake.session(), draft, &marker()).await;
    (found, fake.requests())
}

fn ids(found: Result<Vec<PlatformCampaign>, Error>) -> Vec<String> {
    found.unwrap().into_iter().map(|campaign| campaign.remote_id).collect()
}

#[tokio::test]
async fn a_created_campaign_is_searched_by_its_exact_name() {
    let (found, requests) =
        find(vec![rows(&[row(7, NAME, daily("10500000"))])], &draft(NAME, BudgetPeriod::Daily)).await;
    let found = found.unwrap();
    assert_eq!((found[0].remote_id.as_str(), found[0].status), ("7", CampaignStatus::Paused));
    assert_eq!((found[0].name.as_str(), found[0].total_spend_amount), (NAME, Some(Decimal::ZERO)));
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].line, "POST /v26/customers/1234567890/googleAds:search HTTP/1.1");
    let condition = r#"'Bob\'s "50 %" \\ 冬 ❄️ + more' AND campaign.status != 'REMOVED' ORDER BY campaign.id"#;
    let query = requests[0].body["query"].as_str().unwrap();
    assert!(query.ends_with(&format!(" FROM campaign WHERE campaign.name = {condition}")), "{query}");
}

#[tokio::test]
async fn what_runs_or_has_spent_money_was_there_before() {
    for (field, value) in [("/campaign/status", json!("ENABLED")), ("/metrics/costMicros", json!("1"))] {
        let mut row = row(7, NAME, daily("10500000"));
        *row.pointer_mut(field).unwrap() = value;
        let (found, _) = find(vec![rows(&[row])], &draft(NAME, BudgetPeriod::Daily)).await;
        assert_eq!(ids(found), Vec::<String>::new(), "{field}");
    }
}

#[tokio::test]
async fn what_has_another_name_or_another_budget_did_not_come_of_it() {
    let total = json!({"period": "CUSTOM_PERIOD", "totalAmountMicros": "10500000"});
    let others = [
        row(1, NAME, daily("10500001")),
        row(2, &NAME.to_uppercase(), daily("10500000")),
        row(3, NAME, total.clone()),
        row(4, NAME, json!({})),
    ];
    let (found, _) = find(vec![rows(&others)], &draft(NAME, BudgetPeriod::Daily)).await;
    assert_eq!(ids(found), Vec::<String>::new());
    let whole_run = draft(NAME, BudgetPeriod::Total);
    let (found, _) = find(vec![rows(&others)], &whole_run).await;
    assert_eq!(ids(found), ["3"], "TOTAL and LIFETIME are the same");
    let (found, _) = find(vec![ok(json!({"fieldMask": "x"}))], &whole_run).await;
    assert_eq!(ids(found), Vec::<String>::new(), "there is nothing");
}

#[tokio::test]
async fn a_namesake_whose_budget_is_unclear_is_no_absence() {
    for malformed in [daily("1.5"), json!(7), json!({"period": "DAILY", "amountMicros": {}})] {
        let (found, _) = find(vec![rows(&[row(7, NAME, malformed.clone())])], &draft(NAME, BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{malformed}");
    }
}

#[tokio::test]
async fn all_pages_are_read_and_a_page_that_fails_is_an_error() {
    let draft = draft("Winter", BudgetPeriod::Daily);
    let first = || ok(json!({"results": [row(1, "Winter", daily("1"))], "nextPageToken": "t", "fieldMask": "x"}));
    let (found, requests) = find(vec![first(), rows(&[row(7, "Winter", daily("10500000"))])], &draft).await;
    assert_eq!(ids(found), ["7"]);
    assert_eq!((&requests[1].body["pageToken"], &requests[1].body["query"]), (&json!("t"), &requests[0].body["query"]));
    for second in [(503, String::new()), (200, "<html>".into()), rows(&[json!({"campaign": {}})])] {
        let (found, _) = find(vec![first(), second.clone()], &draft).await;
        let error = found.unwrap_err();
        assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, true), "{second:?}");
    }
    let endless = Fake::new(move |_| first());
    let error = Alpha.find_created(&endless.session(), &draft, &marker()).await.unwrap_err();
    assert_eq!(error.kind, Kind::PlatformFailed);
}

#[tokio::test]
async fn what_is_no_answer_to_a_search_does_not_say_that_nothing_is_there() {
    for malformed in [json!({}), json!({"error": {"status": "UNAVAILABLE"}}), json!({"nextPageToken": ""})] {
        let (found, _) = find(vec![ok(malformed.clone())], &draft("Winter", BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{malformed}");
    }
    let (found, requests) = find(vec![], &draft("Win\nter", BudgetPeriod::Daily)).await;
    assert!(found.is_err() && requests.is_empty(), "a name that no query can hold");
}

#[tokio::test]
async fn a_row_without_a_readable_name_is_no_absence() {
    for name in [Value::Null, json!({"text": NAME}), json!(true), json!(" ")] {
        let mut row = row(7, NAME, daily("10500000"));
        row["campaign"]["name"] = name.clone();
        let (found, _) = find(vec![rows(&[row])], &draft(NAME, BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{name}");
    }
}
