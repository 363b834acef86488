use crate::domain::{BudgetPeriod, CampaignDraft, CampaignStatus, Goal, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::platforms::AdPlatform;
use crate::platforms::beta::Beta;
use crate::platforms::beta::tests::{account, parameter};
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker_since, ok};
use crate::platforms::fixtures;
use jiff::Timestamp;
use serde_json::{Value, json};

const NAME: &str = r#"Bob's "50 %" \ 冬 ❄️ + more & ?x=#1"#;

fn since() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn draft(budget_period: BudgetPeriod) -> CampaignDraft {
    CampaignDraft { name: NAME.into(), budget_period, ..fixtures::draft(Goal::Conversions, "10.50") }
}

fn node(id: &str, name: &str, daily_budget: &str, created_time: &str) -> Value {
    json!({"id": id, "account_id": "111222333", "name": name, "status": "ACTIVE", "daily_budget": daily_budget,
        "created_time": created_time})
}

/// A campaign that fits.
fn new(id: &str) -> Value {
    node(id, NAME, "1050", "2026-11-20T04:00:10-0800")
}

fn page(nodes: &[Value], next: Option<&str>) -> ScriptedResponse {
    let cursors = json!({"before": "b", "after": next.unwrap_or("z")});
    let mut paging = json!({"cursors": cursors});
    if next.is_some() {
        paging["next"] = json!("http://127.0.0.1:1/elsewhere");
    }
    ok(json!({"data": nodes, "paging": paging}))
}

async fn find(
    responses: Vec<ScriptedResponse>,
    draft: &CampaignDraft,
) -> (Result<Vec<PlatformCampaign>, Error>, Vec<ReceivedRequest>) {
    let fake = Fake::answering(responses);
    let session = fake.session_of(Platform::Beta, account());
    (Beta.find_created(&session, draft, &marker_since(since())).await, fake.requests())
}

async fn ids(responses: Vec<ScriptedResponse>, budget_period: BudgetPeriod) -> Vec<String> {
    let (found, _) = find(responses, &draft(budget_period)).await;
    found.unwrap().into_iter().map(|campaign| campaign.remote_id).collect()
}

#[tokio::test]
async fn all_pages_of_all_listable_states_are_read() {
    let responses = vec![
        page(&[node("1", "other", "1050", "2026-11-20T04:00:10-0800")], Some("c=1&")),
        page(&[], Some("c2")),
        page(&[new("9")], None),
    ];
    let (found, requests) = find(responses, &draft(BudgetPeriod::Daily)).await;
    let found = found.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].remote_id.as_str(), found[0].name.as_str()), ("9", NAME));
    assert_eq!((found[0].status, found[0].total_spend_amount), (CampaignStatus::Active, None), "it may have spent");
    let cursors: Vec<Option<String>> = requests.iter().map(|request| parameter(request, "after")).collect();
    assert_eq!(cursors, [None, Some("c=1&".into()), Some("c2".into())]);
    for request in requests {
        assert!(
            request.line.starts_with("GET /v26.0/act_111222333/campaigns?fields=id%2Caccount_id"),
            "{}",
            request.line
        );
        let states = r#"["ACTIVE","PAUSED","IN_PROCESS","WITH_ISSUES","ARCHIVED"]"#;
        assert_eq!(parameter(&request, "effective_status").as_deref(), Some(states));
        assert_eq!(parameter(&request, "limit").as_deref(), Some("200"));
    }
}

#[tokio::test]
async fn an_older_campaign_or_one_of_another_name_or_budget_is_not_found() {
    let mut whole_run = new("5");
    whole_run["daily_budget"] = json!("0");
    whole_run["lifetime_budget"] = json!("1050");
    let nodes = [
        node("1", NAME, "1050", "2026-11-20T11:57:59+0000"),
        node("2", NAME, "1051", "2026-11-20T12:00:10+0000"),
        node("3", &NAME.replace("50 %", "50  %"), "1050", "2026-11-20T12:00:10+0000"),
        node("4", NAME, "1050", "2026-11-20T11:58:00+0000"),
        whole_run,
    ];
    assert_eq!(
        ids(vec![page(&nodes, None)], BudgetPeriod::Daily).await,
        ["4"],
        "the platform's clock may be behind ours"
    );
    assert_eq!(ids(vec![page(&nodes, None)], BudgetPeriod::Total).await, ["5"]);
    assert_eq!(ids(vec![ok(json!({"data": []}))], BudgetPeriod::Daily).await, Vec::<String>::new());
}

#[tokio::test]
async fn several_campaigns_are_found_oldest_first_and_each_once() {
    let later = node("8", NAME, "1050", "2026-11-20T12:00:11+0000");
    let responses = vec![page(&[later.clone(), new("10")], Some("c")), page(&[later, new("9")], None)];
    assert_eq!(ids(responses, BudgetPeriod::Daily).await, ["9", "10", "8"]);
}

#[tokio::test]
async fn a_new_campaign_with_an_unclear_name_or_budget_is_no_absence() {
    for (field, malformed) in [
        ("daily_budget", json!("10.5")),
        ("lifetime_budget", json!({})),
        ("name", json!(null)),
        ("name", json!("")),
        ("name", json!(" ")),
    ] {
        let mut unclear = new("9");
        unclear[field] = malformed;
        let (found, _) = find(vec![page(&[unclear.clone()], None)], &draft(BudgetPeriod::Total)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{field}");
        unclear["created_time"] = json!("2026-11-19T12:00:00+0000");
        assert_eq!(ids(vec![page(&[unclear], None)], BudgetPeriod::Total).await, [""; 0], "{field}, but an older one");
    }
    let mut another = node("9", "other", "10.5", "2026-11-20T12:00:10+0000");
    another["objective"] = json!(7);
    assert_eq!(ids(vec![page(&[another], None)], BudgetPeriod::Total).await, [""; 0], "its name tells it apart");
}

#[tokio::test]
async fn a_fitting_campaign_without_a_time_of_creation_is_no_proof() {
    for time in [json!(null), json!("today"), json!(7)] {
        let mut undated = new("9");
        undated["created_time"] = time.clone();
        let (found, _) = find(vec![page(&[new("8"), undated], None)], &draft(BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{time}: it may be an old one");
    }
}

#[tokio::test]
async fn an_incomplete_reading_is_an_error_and_never_absence() {
    let refused = include_str!("../fixtures/errors/not-found.json");
    for (second, kind) in [
        ((503, String::new()), Kind::PlatformFailed),
        ((200, "{}".to_owned()), Kind::PlatformFailed),
        ((400, refused.to_owned()), Kind::Forbidden),
        (ok(json!({"data": [{"id": "../1", "account_id": "111222333"}]})), Kind::PlatformFailed),
        (ok(json!({"data": [], "paging": {"next": "x"}})), Kind::PlatformFailed),
        (
            page(&[json!({"id": "1", "account_id": "111222333", "name": NAME, "daily_budget": "1050"})], None),
            Kind::PlatformFailed,
        ),
    ] {
        let (found, _) = find(vec![page(&[new("9")], Some("c")), second.clone()], &draft(BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, kind, "{second:?}");
    }
    let endless = Fake::new(|_| page(&[], Some("c")));
    let session = endless.session_of(Platform::Beta, account());
    let error = Beta.find_created(&session, &draft(BudgetPeriod::Daily), &marker_since(since())).await.unwrap_err();
    assert_eq!((error.kind, endless.requests().len()), (Kind::PlatformFailed, 2), "a cursor that was seen before");
}

#[tokio::test]
async fn a_row_without_an_account_belongs_to_the_requested_one() {
    let mut silent = new("9");
    silent["account_id"] = json!(null);
    let mut foreign = new("8");
    foreign["account_id"] = json!("9");
    assert_eq!(ids(vec![page(&[silent], None)], BudgetPeriod::Daily).await, ["9"]);
    let (found, _) = find(vec![page(&[foreign], None)], &draft(BudgetPeriod::Daily)).await;
    assert_eq!(found.unwrap_err().kind, Kind::Forbidden, "a row of another account");
}

#[tokio::test]
async fn a_new_namesake_without_a_readable_budget_is_no_absence() {
    let budgets = [(json!(null), json!(null)), (json!("0"), json!(null)), (json!(null), json!(0))];
    for (daily, lifetime) in budgets {
        let mut silent = new("9");
        (silent["daily_budget"], silent["lifetime_budget"]) = (daily.clone(), lifetime.clone());
        let (found, _) = find(vec![page(&[silent.clone()], None)], &draft(BudgetPeriod::Daily)).await;
        assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed, "{daily} {lifetime}");
        silent["created_time"] = json!("2026-11-19T12:00:00+0000");
        assert_eq!(ids(vec![page(&[silent], None)], BudgetPeriod::Daily).await, [""; 0], "an older one");
    }
    let mut bare = new("9");
    bare.as_object_mut().unwrap().remove("daily_budget");
    let (found, _) = find(vec![page(&[bare], None)], &draft(BudgetPeriod::Daily)).await;
    assert_eq!(found.unwrap_err().kind, Kind::PlatformFailed);
    for zero in [json!("0"), json!(0)] {
        let mut of_ad_sets = new("9");
        (of_ad_sets["daily_budget"], of_ad_sets["lifetime_budget"]) = (zero.clone(), zero.clone());
        assert_eq!(ids(vec![page(&[of_ad_sets], None)], BudgetPeriod::Daily).await, [""; 0], "{zero}: it has none");
    }
}
