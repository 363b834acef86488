//! Searching: criteria, encoding and pages.

use serde_json::{Value, json};

use super::{NOON, Scene, USD, error, errors, request, usd};
use crate::platform::Platform as _;

fn path(rest: &str) -> String {
    format!("/rest/adAccounts/{USD}/adCampaigns?q=search{rest}")
}

fn names(body: &Value) -> Vec<&str> {
    body["elements"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn a_plus_in_a_search_is_refused_and_a_double_encoding_finds_nothing() {
    let mut scene = Scene::new();
    scene.campaign(USD, &json!({ "name": "Winter sale (50%)" }));
    let search = |name: &str| path(&format!("&search=(name:(values:List({name})))"));
    let (status, body) = scene.get(&search("Winter%20sale%20%2850%25%29"));
    assert_eq!((status, names(&body)), (200, vec!["Winter sale (50%)"]));
    let plus = scene.send(&request("GET", &search("Winter+sale"), ""));
    assert_eq!(errors(&plus), error("PARAM_INVALID", "search"));
    let (status, body) = scene.get(&search("Winter%2520sale%2520%252850%2525%2529"));
    assert_eq!((status, body), (200, json!({ "elements": [], "metadata": {} })));
    let structure = path("&search=%28name%3A%28values%3AList%28x%29%29%29");
    assert_eq!(errors(&scene.send(&request("GET", &structure, ""))), error("PARAM_INVALID", "search"));
}

#[test]
fn a_list_needs_protocol_two() {
    let mut scene = Scene::new();
    let mut old = request("GET", &path("&search=(status:(values:List(ACTIVE)))"), "");
    old.headers.remove("x-restli-protocol-version");
    assert_eq!(errors(&scene.send(&old)), error("PARAM_INVALID", "search"));
    old.headers.insert("x-restli-protocol-version".to_owned(), "3.0.0".to_owned());
    assert_eq!(scene.send(&old).status, 400);
}

#[test]
fn pages_are_joined_by_tokens_and_metadata_is_always_there() {
    let mut scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.campaign(USD, &json!({ "name": name }));
    }
    let (_, first) = scene.get(&path("&pageSize=2"));
    assert_eq!(names(&first), ["a", "b"]);
    let token = first["metadata"]["nextPageToken"].as_str().unwrap().to_owned();
    let (_, last) = scene.get(&path(&format!("&pageSize=2&pageToken={token}")));
    assert_eq!((names(&last), &last["metadata"]), (vec!["c"], &json!({})));
    let other = path(&format!("&search=(status:(values:List(PAUSED)))&pageToken={token}"));
    assert_eq!(errors(&scene.send(&request("GET", &other, ""))), error("PARAM_INVALID", "pageToken"));
    let (_, newest) = scene.get(&path("&sortOrder=DESCENDING&pageSize=1"));
    assert_eq!(names(&newest), ["c"]);
    scene.settings.page_size = Some(1);
    assert_eq!(names(&scene.get(&path("&pageSize=1000")).1), ["a"]);
}

#[test]
fn criteria_are_joined_and_their_values_are_alternatives() {
    let mut scene = Scene::new();
    let active = scene.campaign(USD, &json!({ "name": "a", "status": "ACTIVE" }));
    scene.campaign(USD, &json!({ "name": "b" }));
    scene.campaign(USD, &json!({ "name": "c", "status": "DRAFT" }));
    let (_, body) = scene.get(&path("&search=(status:(values:List(ACTIVE,PAUSED)))"));
    assert_eq!(names(&body), ["a", "b"]);
    let (_, body) = scene.get(&path("&search=(status:(values:List(PAUSED)),name:(values:List(a,b)))"));
    assert_eq!(names(&body), ["b"]);
    let urn = format!("urn%3Ali%3AsponsoredCampaign%3A{active}");
    let (_, body) = scene.get(&path(&format!("&search=(id:(values:List({urn})))")));
    assert_eq!(names(&body), ["a"]);
    assert_eq!(names(&scene.get(&path("")).1), ["a", "b", "c"]);
}

#[test]
fn parameters_that_are_not_known_or_not_valid_are_refused_by_name() {
    let mut scene = Scene::new();
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
        let reply = scene.send(&request("GET", &path(rest), ""));
        assert_eq!(errors(&reply), error(code, name), "{rest}");
    }
    let reply = scene.send(&request("GET", &format!("/rest/adAccounts/{USD}/adCampaigns"), ""));
    assert_eq!(errors(&reply), error("PARAM_INVALID", "q"));
}

#[test]
fn a_name_is_found_exactly_and_whatever_its_status_unless_one_is_given() {
    let mut scene = Scene::new();
    let name = "50%+ (a,b): it's 冬";
    let archived = scene.campaign(USD, &json!({ "name": name }));
    assert_eq!(scene.patch(archived, &json!({ "$set": { "status": "ARCHIVED" } })).status, 204);
    scene.campaign(USD, &json!({ "name": format!("{name}!") }));
    scene.campaign(USD, &json!({ "name": name.to_uppercase() }));
    let encoded = "50%25%2B%20%28a%2Cb%29%3A%20it%27s%20%E5%86%AC";
    let (status, body) = scene.get(&path(&format!("&search=(name:(values:List({encoded})))")));
    assert_eq!((status, names(&body)), (200, vec![name]));
    let first = &body["elements"][0];
    assert_eq!((&first["id"], &first["status"]), (&json!(archived), &json!("ARCHIVED")));
    assert_eq!(first["changeAuditStamps"]["created"]["time"], json!(scene.ms()));
    let active = format!("&search=(name:(values:List({encoded})),status:(values:List(ACTIVE,PAUSED)))");
    assert_eq!(scene.get(&path(&active)).1, json!({ "elements": [], "metadata": {} }));
}

#[test]
fn people_see_what_can_be_compared_and_when_it_was_made() {
    let mut scene = Scene::new();
    let id = scene.campaign(USD, &json!({}));
    let end = json!({ "start": scene.ms() + 600_000, "end": scene.ms() + 864_000_000 });
    scene.campaign(USD, &json!({ "dailyBudget": null, "totalBudget": usd("500.00"), "runSchedule": end }));
    let cards = scene.delta.campaigns(scene.now);
    let card = &cards[0];
    assert_eq!((&card["platform"], &card["account"]), (&json!("delta_ads"), &json!(USD.to_string())));
    assert_eq!((&card["id"], &card["name"]), (&json!(id.to_string()), &json!("Winter sale")));
    assert_eq!((&card["status"], &card["budget"]), (&json!("PAUSED"), &json!("50.00")));
    assert_eq!((&card["budget_period"], &card["created"]), (&json!("dailyBudget"), &json!(NOON)));
    assert_eq!((&cards[1]["budget_period"], &cards[1]["budget"]), (&json!("totalBudget"), &json!("500.00")));
}
