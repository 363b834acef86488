//! Every operation of the token endpoints on the table, and those that end tokens; and a sign-in as a person and a program see
//! it, from the page on.

use super::Deployed;
use super::scenarios::{browse, cookie_of, sign_in as session, visit};
use crate::assistants::{
    REVOKE, TOKEN, Tokens, consent, consent_for, exchange_form, record, refresh_form, tokens as given,
};
use crate::dashboard::connect::{AGENTS, CHANGE, CONSENT, LOOPBACK, address, answered, claude_code, form};
use crate::dashboard::double_clicks::filled_in;
use crate::in_process::{json_of, respond};
use lambda_http::Body;
use serde_json::{Value, json};
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

/// A person at the page of a program.
struct Person<'a> {
    deployed: &'a Deployed,
    session: String,
}

impl Person<'_> {
    /// A page, and the pair of the cookie that it sets.
    async fn page(&self, path: &str, cookies: &str) -> (String, String) {
        let shown = Box::pin(browse(self.deployed, "GET", path, cookies, "")).await;
        assert_eq!(shown.status(), 200, "{path}: {:?}", shown.body());
        (String::from_utf8_lossy(shown.body()).into_owned(), cookie_of(&shown))
    }

    /// Allows what the program asks, and says which assistant is connected anew, if one is.
    async fn allow(&self, anew: &str) -> String {
        let asked = address(&claude_code(), LOOPBACK, &[]);
        let (to, cookie) = Box::pin(visit(self.deployed, "GET", &asked, &self.session, "")).await;
        assert_eq!(to, CONSENT);
        // The cookie then remembers what was shown.
        let (page, cookie) = self.page(CONSENT, &format!("{}; {cookie}", self.session)).await;
        let (cookies, form) = (format!("{}; {cookie}", self.session), form(&page, &format!("{anew}{CHANGE}")));
        let (to, _) = Box::pin(visit(self.deployed, "POST", CONSENT, &cookies, &form)).await;
        assert!(to.starts_with(LOOPBACK), "{to}");
        answered(&to).remove("code").expect("a code")
    }
}

/// The form of the program that exchanges a code of the page.
fn of_program(code: &str) -> String {
    exchange_form(code, &[("client_id", &claude_code()), ("redirect_uri", LOOPBACK)])
}

/// Allow, and all that follows: tokens, a refresh, replays of a token and of a code, *connect anew*, and each end.
pub(super) async fn sign_in(deployed: &Deployed) {
    let person =
        Person { deployed, session: Box::pin(session(deployed, "/dashboard/sign-in", "demo%40example.com")).await };
    let refresh = |tokens: &Tokens| refresh_form(&tokens.refresh, &[("client_id", &claude_code())]);
    let code = person.allow("").await;
    let first = given(&deployed.form(200, TOKEN, &of_program(&code)).await);
    let keys = deployed.ask(200, "GET", "/v1/api-keys", &Value::Null).await.json;
    let mut keys = keys["api_keys"].as_array().expect("a list").iter();
    let id = keys.find(|key| key["assistant"] == json!(true)).expect("a key")["id"].as_str().expect("an id").to_owned();
    let anew = format!("anew={id}&");
    let second = given(&deployed.form(200, TOKEN, &refresh(&first)).await);
    deployed.form(200, TOKEN, &refresh(&second)).await;
    deployed.form(400, TOKEN, &refresh(&first)).await;
    let code = person.allow(&anew).await;
    deployed.form(200, TOKEN, &of_program(&code)).await;
    deployed.form(400, TOKEN, &of_program(&code)).await;
    let code = person.allow(&anew).await;
    deployed.form(200, TOKEN, &of_program(&code)).await;
    let sign_out = format!("{AGENTS}/sign-out");
    let form = filled_in(&person.page(AGENTS, &person.session).await.0, &sign_out, "Sign out", "");
    assert_eq!(Box::pin(visit(deployed, "POST", &sign_out, &person.session, &form)).await.0, AGENTS);
    let code = person.allow(&anew).await;
    let last = given(&deployed.form(200, TOKEN, &of_program(&code)).await);
    let bearer = format!("Bearer {}", last.access);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "list_accounts", "arguments": {}}});
    for status in [200, 401] {
        let answer = deployed.ask_with(&[("authorization", &bearer)], "POST", "/v1/mcp", &call.to_string()).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        deployed.form(200, REVOKE, &format!("token={}", last.access)).await;
    }
    deployed.ask(204, "DELETE", &format!("/v1/api-keys/{id}"), &Value::Null).await;
}
