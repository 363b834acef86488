//! The quirks of the platform.

use super::{CLIENT, EUR, NOW, Session, USD, item, with};
use serde_json::json;

#[test]
fn old_objectives_are_accepted_by_quirk() {
    let mut session = Session::new();
    session.quirk("old_objectives");
    for objective in ["WEB_CONVERSION", "CATALOG_SALES", "SALES"] {
        assert_eq!(session.create(json!({ "objective_type": objective }))["objective_type"], objective);
    }
    let why = session.rejects("POST", item(json!({ "objective_type": "VIDEO_VIEW" })));
    assert!(why.contains("deprecated"), "{why}");
}

#[test]
fn old_and_unknown_objectives_appear_by_quirk_in_the_euro_account() {
    let mut session = Session::new();
    session.platform.grants.open(CLIENT.id, vec![USD.to_owned(), EUR.to_owned()], &["ads:read", "ads:write"], NOW, 60);
    let objectives = |session: &mut Session, account: &str| -> Vec<String> {
        let (_, body) = session.get(&format!("/v5/ad_accounts/{account}/campaigns"));
        let items = body["items"].as_array().unwrap().iter();
        items.map(|one| one["objective_type"].as_str().unwrap().to_owned()).collect()
    };
    assert!(objectives(&mut session, EUR).is_empty());
    session.quirk("legacy_campaigns");
    let expected = ["WEB_CONVERSION", "CATALOG_SALES", "VIDEO_VIEW", "UNLISTED_OBJECTIVE"];
    assert_eq!(objectives(&mut session, EUR), expected);
    assert_eq!(objectives(&mut session, EUR), expected, "seeded once");
    assert!(objectives(&mut session, USD).is_empty());
    let (_, body) = session.get(&format!("/v5/ad_accounts/{EUR}/campaigns"));
    let id = body["items"][3]["id"].clone();
    let renamed = with(json!({ "id": id, "ad_account_id": EUR }), json!({ "name": "New" }));
    let (status, body) = session.write("PATCH", EUR, &json!([renamed]));
    assert_eq!((status, &body["items"][0]["data"]["name"]), (200, &json!("New")), "{body}");
}
