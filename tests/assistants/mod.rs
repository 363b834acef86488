//! Assistants that people connect by signing in: how a consent leads to tokens, what tokens may do, and what ends them.

mod attacks;
mod clients;
mod codes;
mod key_ring;
mod keys;
mod races;
mod refreshes;
mod sign_outs;
mod users;

use crate::in_process::{self, World, json_of, respond};
use lambda_http::{Body, Response};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use shared::app::App;
use shared::auth::{ConsentCode, KeyForm, KeySeed, Mode, SessionCaller, TokenOwner};
use shared::domain::{Assistant, ClientKey, Code, CustomerId, KeyId, PersonId, Plan, Platform, Role, Scope};
use shared::serve::PostResponseWork;
use std::sync::Arc;
use tokio::time::{Duration, sleep};
use url::form_urlencoded::Serializer;

pub(crate) const TOKEN: &str = "/v1/oauth2/token";
pub(crate) const REVOKE: &str = "/v1/oauth2/revoke";
const CLIENT: &str = "https://claude.ai/oauth/mcp-oauth-client-metadata";
const REDIRECT: &str = "https://claude.ai/api/mcp/auth_callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// A token never works longer.
const EIGHT_HOURS: u64 = 8 * 60 * 60;

/// What a person has allowed: the key of an assistant, and the code that leads to its tokens.
pub(crate) struct Consent {
    pub(crate) key: KeyId,
    pub(crate) code: String,
}

/// The tokens of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

/// The person who gives every consent, unless a test names another one.
fn person() -> PersonId {
    PersonId("ada".to_owned())
}

/// Gives a consent as the page of consents does: the key with its limit, then the record.
pub(crate) async fn consent(app: &Arc<App>, customer: CustomerId, scope: Scope, person: &PersonId) -> Consent {
    let key = assistant_key(app, customer, scope).await;
    consent_for(app, customer, &key, scope, person).await
}

/// The key of an assistant, made by a session.
async fn assistant_key(app: &Arc<App>, customer: CustomerId, scope: Scope) -> KeyId {
    let now = app.clock.now();
    let connected = app.store.connections(customer, now).await.expect("a store");
    let connected = connected.iter().filter(|connection| connection.account.is_some());
    let connections: Vec<&str> = connected.map(|connection| connection.id.0.as_str()).collect();
    let daily = if scope == Scope::Read { 0 } else { 500 };
    let limit = json!({"connections": connections, "amounts": [{"currency": "USD", "daily": daily}]});
    made_key(app, customer, &json!({"name": "Claude", "scopes": [scope.as_str()], "spending_limit": limit})).await
}

/// The key of an assistant with this body.
async fn made_key(app: &Arc<App>, customer: CustomerId, body: &Value) -> KeyId {
    let account = app.store.account(customer, app.clock.now()).await.expect("a store").expect("an account");
    let form = KeyForm { seed: KeySeed::random().expect("a seed"), version: None, is_of_assistant: true };
    let (person, role, form) = (person(), Role::Owner, Some(form));
    let caller = SessionCaller { account, person, email: None, role, mode: Mode::Test, key: None, form };
    let request = http::Request::post("/v1/api-keys").header("content-type", "application/json").extension(caller);
    let response = respond(app, request.body(Body::from(body.to_string())).expect("a request")).await;
    let made = json_of(response.body());
    assert_eq!(made["api_key"], Value::Null, "an assistant has no secret: {made}");
    KeyId(made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned())
}

/// Gives a consent for a key that is there: the first one, or one to connect anew.
pub(crate) async fn consent_for(
    app: &Arc<App>,
    customer: CustomerId,
    key: &KeyId,
    scope: Scope,
    person: &PersonId,
) -> Consent {
    let (store, now) = (&app.store, app.clock.now());
    let id = KeySeed::random().expect("a seed").code_id();
    let consent = Assistant {
        key: key.clone(),
        client: ClientKey::of(CLIENT),
        client_name: "Claude".to_owned(),
        redirect_uri: REDIRECT.to_owned(),
        person: person.clone(),
        scope,
        consented_at: now,
        code: Code { id: id.clone(), challenge: CHALLENGE.to_owned(), taken_at: None },
        generation: 0,
        refreshed_at: None,
        last_used_at: None,
        signed_out: None,
        version: 0,
    };
    let (_, seen) = store.account_and_assistant(customer, key, now).await.expect("a store");
    let next = seen.as_ref().map_or_else(|| consent.clone(), |seen| seen.consent_again(consent.clone()));
    assert!(store.put_assistant(customer, seen.as_ref(), &next).await.expect("a store"));
    Consent { key: key.clone(), code: sealed(app, owner_of(customer), key, id).await }
}

/// The customer and the environment that tokens name.
fn owner_of(customer: CustomerId) -> TokenOwner {
    TokenOwner { customer, mode: Mode::Test }
}

/// The text of a code.
async fn sealed(app: &App, owner: TokenOwner, key: &KeyId, id: String) -> String {
    let code = ConsentCode { owner, key: key.clone(), id }.seal(app.vault().expect("a vault")).await;
    code.expect("a code").expose_secret().to_owned()
}

/// The record of an assistant.
pub(crate) async fn record(app: &App, customer: CustomerId, key: &KeyId) -> Assistant {
    let read = app.store.account_and_assistant(customer, key, app.clock.now()).await.expect("a store");
    read.1.expect("an assistant")
}

/// A form with these fields, of which some have other values. An empty value leaves a field out.
fn form(fields: &[(&str, &str)], changes: &[(&str, &str)]) -> String {
    let changed = |name: &str| changes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let known = fields.iter().map(|(name, value)| (*name, changed(name).unwrap_or(value)));
    let new = changes.iter().filter(|(name, _)| fields.iter().all(|(known, _)| known != name)).copied();
    let pairs = known.chain(new).filter(|(_, value)| !value.is_empty());
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// The form that exchanges a code.
pub(crate) fn exchange_form(code: &str, changes: &[(&str, &str)]) -> String {
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", CLIENT),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ];
    form(&fields, changes)
}

/// The form that refreshes tokens.
pub(crate) fn refresh_form(token: &str, changes: &[(&str, &str)]) -> String {
    form(&[("grant_type", "refresh_token"), ("client_id", CLIENT), ("refresh_token", token)], changes)
}

/// The tokens of an answer, whose other fields are as they must be.
#[track_caller]
pub(crate) fn tokens(answer: &Value) -> Tokens {
    let text = |name: &str| answer[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    assert_eq!((text("token_type").as_str(), &answer["expires_in"]), ("Bearer", &json!(EIGHT_HOURS)), "{answer}");
    Tokens { access: text("access_token"), refresh: text("refresh_token") }
}

/// A customer with an ad account, whose person connects assistants.
struct Stage {
    app: Arc<App>,
    world: World,
}

impl Stage {
    async fn new() -> Stage {
        let world = World::new(in_process::clock(1), Plan::Enterprise).await;
        let app = Arc::new(world.straight());
        world.connect(&app, Platform::Delta, 1).await;
        Stage { app, world }
    }

    fn customer(&self) -> CustomerId {
        self.world.customer
    }

    async fn consent(&self) -> Consent {
        consent(&self.app, self.customer(), Scope::Campaigns, &person()).await
    }

    /// A consent for a key that is there.
    async fn consent_again(&self, key: &KeyId) -> Consent {
        consent_for(&self.app, self.customer(), key, Scope::Campaigns, &person()).await
    }

    /// An assistant that is connected.
    async fn connected(&self) -> (KeyId, Tokens) {
        let consent = self.consent().await;
        let answer = self.ok(TOKEN, &exchange_form(&consent.code, &[])).await;
        (consent.key, tokens(&answer))
    }

    async fn record(&self, key: &KeyId) -> Assistant {
        record(&self.app, self.customer(), key).await
    }

    /// Why an assistant is signed out, as the table has it.
    async fn signed_out(&self, key: &KeyId) -> Option<&'static str> {
        self.record(key).await.signed_out.map(|end| end.why.into())
    }

    /// Sends a form.
    async fn post(&self, path: &str, form: &str) -> Response<Body> {
        let request = http::Request::post(path).header("content-type", "application/x-www-form-urlencoded");
        respond(&self.app, request.body(Body::from(form)).expect("a request")).await
    }

    /// Sends a form that must succeed.
    async fn ok(&self, path: &str, form: &str) -> Value {
        let response = self.post(path, form).await;
        assert_eq!(response.status(), 200, "{form}: {:?}", response.body());
        assert_eq!(response.headers()["cache-control"], "no-store");
        json_of(response.body())
    }

    /// Sends a form that must be refused; returns the error. It is that of OAuth.
    async fn refused(&self, path: &str, form: &str) -> String {
        let response = self.post(path, form).await;
        assert_eq!(response.status(), 400, "{form}: {:?}", response.body());
        let body = json_of(response.body());
        let fields: Vec<&String> = body.as_object().expect("an object").keys().collect();
        assert_eq!(fields, ["error", "error_description"], "{body}");
        assert!(body["error_description"].as_str().is_some_and(|text| text.ends_with('.')), "{body}");
        body["error"].as_str().expect("a text").to_owned()
    }

    /// Refreshes tokens.
    async fn refresh(&self, refresh: &str) -> Tokens {
        tokens(&self.ok(TOKEN, &refresh_form(refresh, &[])).await)
    }

    /// The status of a message to the endpoint of agents with an access token.
    async fn mcp(&self, token: &str) -> u16 {
        self.bearer("POST", "/v1/mcp", token).await
    }

    /// The status of a request with a bearer token. After a second, so that the rate is no reason for a refusal.
    async fn bearer(&self, method: &str, path: &str, token: &str) -> u16 {
        sleep(Duration::from_secs(1)).await;
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_accounts", "arguments": {}}});
        let body = if method == "POST" { Body::from(call.to_string()) } else { Body::Empty };
        let request = http::Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.header("authorization", format!("Bearer {token}")).body(body).expect("a request");
        let mut response = respond(&self.app, request).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        response.status().as_u16()
    }

    /// A request of the customer's own key; returns status and body.
    async fn owner(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        sleep(Duration::from_secs(1)).await;
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut response = respond(&self.app, self.world.request(method, path, &[], &body)).await;
        if let Some(rest) = PostResponseWork::take_from(&mut response) {
            rest.run().await;
        }
        (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap_or_default())
    }

    async fn seconds(&self, seconds: u64) {
        sleep(Duration::from_secs(seconds)).await;
    }
}
