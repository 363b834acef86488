//! Quirks, and the calls that still work with all of them on.

use super::*;

const UNDECLARED: &str = "1002003900";
const BLOCKED: &str = "mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED";

/// A session whose token grants access to the undeclared customer.
fn undeclared() -> Session {
    let mut session = Session::with_access(&[USD, UNDECLARED], &[auth::SCOPE]);
    session.quirk("undeclared_customer");
    session
}

fn statuses(session: &mut Session, from: &str) -> Vec<Value> {
    let (_, body) = session.search(MANAGER, &format!("SELECT {from}.id, {from}.status FROM {from}"));
    let key = crate::alpha::proto::camel(from);
    body["results"].as_array().unwrap().iter().map(|row| row[&key]["status"].clone()).collect()
}

#[test]
fn a_manager_may_read_as_closed_while_its_clients_still_work() {
    let mut session = Session::new();
    assert_eq!(statuses(&mut session, "customer"), ["ENABLED"]);
    session.quirk("closed_manager");
    assert_eq!(statuses(&mut session, "customer"), ["CLOSED"]);
    let clients = ["ENABLED", "ENABLED", "ENABLED", "ENABLED", "CLOSED"];
    assert_eq!(statuses(&mut session, "customer_client"), clients);
    let query = json!({ "query": "SELECT customer.id FROM customer WHERE customer.status = 'CLOSED'" });
    let (_, body) = session.post(&format!("/v26/customers/{USD}/googleAds:search"), &query);
    assert_eq!(body["results"], Value::Null);
    session.campaign(USD, json!({}));
}

#[test]
fn a_disabled_service_refuses_every_call_with_the_gateways_reason() {
    let mut session = Session::new();
    session.quirk("service_disabled");
    let (status, body) = session.search(MANAGER, "SELECT customer.id FROM customer");
    let info = &body["error"]["details"][0];
    assert_eq!((status, &body["error"]["status"]), (403, &json!("PERMISSION_DENIED")));
    assert_eq!(
        (&info["@type"], &info["reason"]),
        (&json!("type.googleapis.com/google.rpc.ErrorInfo"), &json!("SERVICE_DISABLED"))
    );
}

#[test]
fn an_undeclared_campaign_blocks_every_mutate_of_its_customer() {
    let mut session = undeclared();
    let old = format!("customers/{UNDECLARED}/campaigns/20000000001");
    let rename = json!({ "resourceName": old, "name": "New" });
    for operations in [
        both(UNDECLARED, json!({}), json!({})),
        json!([{ "campaignOperation": { "update": rename, "updateMask": "name" } }]),
        json!([{ "campaignOperation": { "remove": old } }]),
    ] {
        assert_eq!(session.mutate_errors(UNDECLARED, operations), error(BLOCKED, ""));
    }
    assert_eq!(session.field(&old, "campaign.missing_eu_political_advertising_declaration"), true);
    session.campaign(USD, json!({}));
}

#[test]
fn a_declaration_unblocks_the_customer() {
    let mut session = undeclared();
    let old = format!("customers/{UNDECLARED}/campaigns/20000000001");
    let declared = json!({
        "resourceName": old,
        "containsEuPoliticalAdvertising": "DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING",
    });
    let mask = "containsEuPoliticalAdvertising";
    session.mutate_ok(UNDECLARED, json!([{ "campaignOperation": { "update": declared, "updateMask": mask } }]));
    assert_eq!(session.field(&old, "campaign.missing_eu_political_advertising_declaration"), false);
    session.campaign(UNDECLARED, json!({}));
}

#[test]
fn a_quirk_customer_is_marked_and_does_not_change_new_ids() {
    let mut session = undeclared();
    assert_eq!(session.platform.accounts().len(), 5);
    for _ in 0..2 {
        session.search(USD, "SELECT customer.id FROM customer");
    }
    let summary = session.platform.accounts().pop().unwrap();
    assert_eq!((summary.id.as_str(), summary.marks.as_slice()), (UNDECLARED, &["quirk"][..]));
    assert_eq!(session.platform.accounts().len(), 6);
    assert_eq!(session.platform.open_account("USD").unwrap().id, "1002004000");
}
