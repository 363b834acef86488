//! Every operation of the token endpoints on the table, and those that end tokens.

use super::Deployed;
use crate::assistants::{REVOKE, TOKEN, consent, consent_for, exchange_form, record, refresh_form};
use crate::in_process::{json_of, respond};
use lambda_http::Body;
use serde_json::Value;
use shared::assistants::sign_out_of_person;
use shared::domain::{PersonId, Scope};

impl Deployed {
    /// Sends a form; asserts the status.
    async fn form(&self, status: u16, path: &str, form: &str) -> Value {
        let request = http::Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        let request = request.body(Body::from(form)).expect("a request");
        let response = Box::pin(respond(&self.process("Assistants").app, request)).await;
        assert_eq!(response.status(), status, "{path}: {:?}", response.body());
        json_of(response.body())
    }
}

/// An assistant from its consent to its deletion, and one of a person who goes.
pub(super) async fn tokens(deployed: &Deployed) {
    let (app, customer) = (&deployed.straight, deployed.world.customer);
    let ada = PersonId("ada".to_owned());
    let first = consent(app, customer, Scope::Campaigns, &ada).await;
    let answer = deployed.form(200, TOKEN, &exchange_form(&first.code, &[])).await;
    let refresh = answer["refresh_token"].as_str().expect("a token");
    deployed.form(200, TOKEN, &refresh_form(refresh, &[])).await;
    let again = consent_for(app, customer, &first.key, Scope::Campaigns, &ada).await;
    let answer = deployed.form(200, TOKEN, &exchange_form(&again.code, &[])).await;
    let refresh = answer["refresh_token"].as_str().expect("a token");
    // Another request changes the keys in the meantime, so that they are read once more.
    deployed.process("Assistants").recorder.cancel_next_transaction();
    deployed.form(200, REVOKE, &format!("token={refresh}")).await;
    assert!(record(app, customer, &first.key).await.signed_out.is_some());
    deployed.ask(204, "DELETE", &format!("/v1/api-keys/{}", first.key), &Value::Null).await;
    let of_bob = PersonId("bob".to_owned());
    let second = consent(app, customer, Scope::Read, &of_bob).await;
    let dashboard = &deployed.process("Dashboard").app;
    let ended = sign_out_of_person(&dashboard.store, customer, &of_bob, dashboard.clock.now()).await;
    assert_eq!(ended.expect("a store"), 1);
    deployed.form(400, TOKEN, &exchange_form(&second.code, &[])).await;
    deployed.ask(204, "DELETE", &format!("/v1/api-keys/{}", second.key), &Value::Null).await;
}
