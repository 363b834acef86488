use crate::domain::{BudgetPeriod, CampaignDraft, CampaignStatus, Goal, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::engine::AdPlatform;
use crate::platforms::engine::call::AccountSession;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker_since, ok};
use crate::platforms::fixtures;
use crate::platforms::gamma::Gamma;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Value, json};

const NAME: &str = r#"Bob's "50 %" \ 冬 + more"#;

fn since() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn session(fake: &Fake) -> AccountSession {
    let account = fixtures::account(Platform::Gamma, "USD", "Asia/Tokyo");
    fake.session_of(Platform::Gamma, account)
}

fn draft(budget_period: BudgetPeriod) -> CampaignDraft {
    CampaignDraft { name: NAME.into(), budget_period, ..fixtures::draft(Goal::Leads, "75.10") }
}

fn row(id: u64, name: &str, budget: &str, create_time: &str) -> Value {
    let budget: Value = serde_json::from_str(budget).unwrap();
    json!({"campaign_id": id.to_string(), "advertiser_id": "7000000000000000001", "campaign_name": name,
        "campaign_automation_type": "UPGRADED_SMART_PLUS", "budget_mode": "BUDGET_MODE_DAY", "budget": budget,
        "operation_status": "ENABLE", "create_time": create_time})
}

/// A campaign that fits.
fn new(id: u64) -> Value {
    row(id, NAME, "75.1", "2026-11-20 12:00:10")
}

fn other(id: u64, create_time: &str) -> Value {
    row(id, "other", "75.1", create_time)
}

fn page(rows: &[Value], total_page: usize) -> ScriptedResponse {
    ok(json!({"code": 0, "data": {"list": rows, "page_info": {"total_page": total_page}}}))
}

async fn find(
    responses: Vec<ScriptedResponse>,
    budget_period: BudgetPeriod,
) -> (Result<Vec<PlatformCampaign>, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(responses);
    let found = Gamma.find_created(&session(&fake), &draft(budget_period), &marker_since(since())).await;
    (found, fake.requests())
}

async fn ids(responses: Vec<ScriptedResponse>, budget_period: BudgetPeriod) -> Vec<String> {
    let (found, _) = find(responses, budget_period).await;
    found.unwrap().into_iter().map(|campaign| campaign.remote_id).collect()
}

fn parameters(request: &ReceivedRequest) -> Vec<(String, String)> {
    let url = url::Url::parse("http://x").unwrap().join(request.line.split(' ').nth(1).unwrap()).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn all_existing_campaigns_are_searched_without_their_spend() {
    let responses = vec![page(&[other(9, "2026-11-20 12:00:20")], 2), page(&[new(7)], 2)];
    let (found, requests) = find(responses, BudgetPeriod::Daily).await;
    let found = found.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].remote_id.as_str(), found[0].name.as_str()), ("7", NAME));
    assert_eq!((found[0].status, found[0].total_spend_amount), (CampaignStatus::Active, None));
    assert_eq!(requests.len(), 2);
    for (request, number) in requests.iter().zip(["1", "2"]) {
        assert!(request.line.starts_with("GET /open_api/v1.3/campaign/get/?"), "{}", request.line);
        let expected = [
            ("advertiser_id", "7000000000000000001"),
            ("filtering", r#"{"primary_status":"STATUS_NOT_DELETE"}"#),
            ("page", number),
            ("page_size", "1000"),
        ];
        assert_eq!(parameters(request), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}

#[tokio::test]
async fn an_older_campaign_or_one_of_another_name_or_budget_is_not_found() {
    let mut whole_run = new(5);
    whole_run["budget_mode"] = json!("BUDGET_MODE_TOTAL");
    let rows = [
        whole_run,
        row(4, NAME, "75.10", "2026-11-20 11:58:00"),
        row(3, NAME, "75.11", "2026-11-20 12:00:10"),
        row(2, &NAME.replace('冬', "夏"), "75.1", "2026-11-20 12:00:10"),
        row(1, NAME, "75.1", "2026-11-20 11:57:59"),
    ];
    assert_eq!(ids(vec![page(&rows, 1)], BudgetPeriod::Daily).await, ["4"], "its clock may be behind ours");
    assert_eq!(ids(vec![page(&rows, 1)], BudgetPeriod::Total).await, ["5"]);
    assert_eq!(ids(vec![page(&[], 0)], BudgetPeriod::Daily).await, Vec::<String>::new());
}

#[tokio::test]
async fn several_campaigns_are_found_oldest_first_and_each_once() {
    let responses = vec![page(&[new(9), new(8)], 2), page(&[new(8), new(7)], 2)];
    assert_eq!(ids(responses, BudgetPeriod::Daily).await, ["7", "8", "9"]);
    let late = |id| row(id, NAME, "75.1", "2026-11-20 12:08:46");
    let by_time = [late(3), new(9)];
    let by_id = [new(9), late(3)];
    for skewed in [by_time, by_id] {
        assert_eq!(ids(vec![page(&skewed, 1)], BudgetPeriod::Daily).await, ["9", "3"], "by time and not by id");
    }
}

#[tokio::test]
async fn a_campaign_of_the_name_without_a_readable_budget_is_no_proof() {
    for budget in ["null", "\"-\"", "true"] {
        let (found, _) = find(vec![page(&[row(7, NAME, budget, "2026-11-20 12:00:10")], 1)], BudgetPeriod::Daily).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "it may be the one: {budget}");
        let others = [row(7, "other", budget, "2026-11-20 12:00:10"), row(6, NAME, budget, "2026-11-18 12:00:10")];
        assert_eq!(ids(vec![page(&others, 1)], BudgetPeriod::Daily).await, Vec::<String>::new(), "{budget}");
    }
    let mut unlimited = row(7, NAME, "0.0", "2026-11-20 12:00:10");
    unlimited["budget_mode"] = json!("BUDGET_MODE_INFINITE");
    assert_eq!(ids(vec![page(&[unlimited], 1)], BudgetPeriod::Daily).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_search_ends_at_the_last_page_or_a_day_before_the_create() {
    let day_before = [new(9), other(8, "2026-11-19 11:57:59")];
    let (found, requests) = find(vec![page(&day_before, 50)], BudgetPeriod::Daily).await;
    assert_eq!((found.unwrap().len(), requests.len()), (1, 1));
    let nearly = [new(9), other(8, "2026-11-19 11:58:00")];
    assert_eq!(ids(vec![page(&nearly, 2), page(&[new(7)], 2)], BudgetPeriod::Daily).await, ["7", "9"]);
    let undated = [new(9), other(8, "long ago")];
    assert_eq!(ids(vec![page(&undated, 2), page(&[new(7)], 2)], BudgetPeriod::Daily).await, ["7", "9"]);
}

#[tokio::test]
async fn an_incomplete_search_is_an_error_and_never_empty() {
    let data = |data: Value| ok(json!({"code": 0, "data": data}));
    for (second, kind) in [
        ((503, String::new()), Kind::PlatformFailed),
        (ok(json!({"code": 50_000, "message": "no", "data": {}})), Kind::PlatformFailed),
        (ok(json!({"code": 40_105, "message": "no", "data": {}})), Kind::TokenExpired),
        (data(json!({})), Kind::PlatformFailed),
        (data(json!({"list": [{"campaign_id": "x"}]})), Kind::PlatformFailed),
        (page(&[other(6, "2026-11-20 12:00:09"), Value::Null], 2), Kind::PlatformFailed),
        (
            page(&[json!({"campaign_id": "5", "advertiser_id": []}), other(4, "2026-11-20 12:00:08")], 2),
            Kind::PlatformFailed,
        ),
        (page(&[other(6, "2026-11-19 12:00:09"), new(7)], 2), Kind::PlatformFailed),
        (page(&[row(7, NAME, "75.1", "soon")], 2), Kind::PlatformFailed),
    ] {
        let (found, _) = find(vec![page(&[new(9)], 2), second.clone()], BudgetPeriod::Daily).await;
        assert_eq!(found.unwrap_err().kind, kind, "{second:?}");
    }
    let endless = Fake::new(|_| page(&[new(9)], 1_000_000));
    let marker = marker_since(since());
    let error = Gamma.find_created(&session(&endless), &draft(BudgetPeriod::Daily), &marker).await.unwrap_err();
    assert_eq!((error.kind, endless.requests().len()), (Kind::PlatformFailed, 200));
}

#[tokio::test]
async fn a_new_campaign_without_a_readable_name_is_no_proof() {
    for name in [Value::Null, json!({"text": NAME}), json!(" ")] {
        let mut unnamed = new(7);
        unnamed["campaign_name"] = name.clone();
        let (found, _) = find(vec![page(&[unnamed.clone()], 1)], BudgetPeriod::Daily).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "it may be the one: {name}");
        unnamed["create_time"] = json!("2026-11-18 12:00:10");
        assert_eq!(ids(vec![page(&[unnamed], 1)], BudgetPeriod::Daily).await, Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn only_a_paused_campaign_that_is_found_has_spent_nothing() {
    let nothing = Some(Decimal::ZERO);
    for (operation_status, spent) in [("DISABLE", nothing), ("ENABLE", None), ("SOMETHING_NEW", None)] {
        let mut row = new(7);
        row["operation_status"] = json!(operation_status);
        let (found, _) = find(vec![page(&[row], 1)], BudgetPeriod::Daily).await;
        assert_eq!(found.unwrap()[0].total_spend_amount, spent, "{operation_status}");
    }
}
