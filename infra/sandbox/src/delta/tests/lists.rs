//! Searches: criteria, encoding and pages.

use super::{Session, USD, error, errors, request, usd};
use crate::platform::AdPlatform as _;
use serde_json::{Value, json};

fn path(rest: &str) -> String {
    format!("/rest/adAccounts/{USD}/adCampaigns?q=search{rest}")
}

fn names(body: &Value) -> Vec<&str> {
    body["elements"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn a_search_rejects_a_plus_and_finds_nothing_for_a_double_encoding() {
    let mut session = Session::new();
    session.campaign(USD, &json!({ "name": "Winter sale (50%)" }));
    let search = |name: &str| path(&format!("&search=(name:(values:List({name})))"));
    let (status, body) = session.get(&search("Winter%20sale%20%2850%25%29"));
    assert_eq!((status, names(&body)), (200, vec!["Winter sale (50%)"]));
    let plus = session.send(&request("GET", &search("Winter+sale"), ""));
    assert_eq!(errors(&plus), error("PARAM_INVALID", "search"));
    let (status, body) = session.get(&search("Winter%2520sale%2520%252850%2525%2529"));
    assert_eq!((status, body), (200, json!({ "elements": [], "metadata": {} })));
    let structure = path("&search=%28name%3A%28values%3AList%28x%29%29%29");
    assert_eq!(errors(&session.send(&request("GET", &structure, ""))), error("PARAM_INVALID", "search"));
}

#[test]
fn structured_criteria_need_protocol_2() {
    let mut session = Session::new();
    let mut old = request("GET", &path("&search=(status:(values:List(ACTIVE)))"), "");
    old.headers.remove("x-restli-protocol-version");
    assert_eq!(errors(&session.send(&old)), error("PARAM_INVALID", "search"));
    old.headers.insert("x-restli-protocol-version".to_owned(), "3.0.0".to_owned());
    assert_eq!(session.send(&old).status, 400);
}

#[test]
fn a_page_token_is_valid_for_its_search() {
    let mut session = Session::new();
    for name in ["a", "b", "c"] {
        session.campaign(USD, &json!({ "name": name }));
    }
    let (_, first) = session.get(&path("&pageSize=2"));
    let token = first["metadata"]["nextPageToken"].as_str().unwrap().to_owned();
    let other = path(&format!("&search=(status:(values:List(PAUSED)))&pageToken={token}"));
    assert_eq!(errors(&session.send(&request("GET", &other, ""))), error("PARAM_INVALID", "pageToken"));
    let (_, newest) = session.get(&path("&sortOrder=DESCENDING&pageSize=1"));
    assert_eq!((names(&newest), newest["metadata"].get("nextPageToken").is_some()), (vec!["c"], true));
    assert_eq!(session.get(&path("")).1["metadata"], json!({}), "it is always there");
}

#[test]
fn criteria_are_conjunctive_and_their_values_alternatives() {
    let mut session = Session::new();
    let active = session.campaign(USD, &json!({ "name": "a", "status": "ACTIVE" }));
    session.campaign(USD, &json!({ "name": "b" }));
    session.campaign(USD, &json!({ "name": "c", "status": "DRAFT" }));
    let (_, body) = session.get(&path("&search=(status:(values:List(ACTIVE,PAUSED)))"));
    assert_eq!(names(&body), ["a", "b"]);
    let (_, body) = session.get(&path("&search=(status:(values:List(PAUSED)),name:(values:List(a,b)))"));
    assert_eq!(names(&body), ["b"]);
    let urn = format!("urn%3Ali%3AsponsoredCampaign%3A{active}");
    let (_, body) = session.get(&path(&format!("&search=(id:(values:List({urn})))")));
    assert_eq!(names(&body), ["a"]);
    assert_eq!(names(&session.get(&path("")).1), ["a", "b", "c"]);
}

#[test]
fn unknown_and_invalid_parameters_are_rejected_by_name() {
    let mut session = Session::new();
    for (rest, code, name) in [
        ("&start=0", "QUERY_PARAM_NOT_ALLOWED", "start"),
        ("&count=10", "QUERY_PARAM_NOT_ALLOWED", "count"),
        ("&pageSize=1001", "PARAM_INVALID", "pageSize"),
        ("&pageSize=0", "PARAM_INVALID", "pageSize"),
        ("&pageToken=x", "PARAM_INVALID", "pageToken"),
        ("&search=(status:(values:List(ENABLED)))", "PARAM_INVALID", "search"),
        ("&search=(budget:(values:List(1)))", "PARAM_INVALID", "search"),
        ("&search=(id:(values:List(5)))", "PARAM_INVALID", "search"),
        ("&search=(status:List(ACTIVE))", "PARAM_INVALID", "search"),
        ("&q=search", "PARAM_INVALID", "q"),
    ] {
        let response = session.send(&request("GET", &path(rest), ""));
        assert_eq!(errors(&response), error(code, name), "{rest}");
    }
    let response = session.send(&request("GET", &format!("/rest/adAccounts/{USD}/adCampaigns"), ""));
    assert_eq!(errors(&response), error("PARAM_INVALID", "q"));
}

#[test]
fn a_name_matches_exactly_in_any_status_unless_one_is_given() {
    let mut session = Session::new();
    let name = "50%+ (a,b): it's 冬";
    let archived = session.campaign(USD, &json!({ "name": name }));
    assert_eq!(session.patch(archived, &json!({ "$set": { "status": "ARCHIVED" } })).status, 204);
    session.campaign(USD, &json!({ "name": format!("{name}!") }));
    session.campaign(USD, &json!({ "name": name.to_uppercase() }));
    let encoded = "50%25%2B%20%28a%2Cb%29%3A%20it%27s%20%E5%86%AC";
    let (status, body) = session.get(&path(&format!("&search=(name:(values:List({encoded})))")));
    assert_eq!((status, names(&body)), (200, vec![name]));
    let first = &body["elements"][0];
    assert_eq!((&first["id"], &first["status"]), (&json!(archived), &json!("ARCHIVED")));
    assert_eq!(first["changeAuditStamps"]["created"]["time"], json!(session.now_ms()));
    let active = format!("&search=(name:(values:List({encoded})),status:(values:List(ACTIVE,PAUSED)))");
    assert_eq!(session.get(&path(&active)).1, json!({ "elements": [], "metadata": {} }));
}

#[test]
fn the_books_name_the_kind_of_budget() {
    let mut session = Session::new();
    session.campaign(USD, &json!({}));
    let end = json!({ "start": session.now_ms() + 600_000, "end": session.now_ms() + 864_000_000 });
    session.campaign(USD, &json!({ "dailyBudget": null, "totalBudget": usd("500.00"), "runSchedule": end }));
    let summaries = session.platform.campaigns(session.now);
    assert_eq!(summaries[0]["budget_period"], "dailyBudget");
    assert_eq!((&summaries[1]["budget_period"], &summaries[1]["budget"]), (&json!("totalBudget"), &json!("500.00")));
}
