//! The OAuth client of a platform: consent, tokens and calls.

use crate::client::{REDIRECT, Response, TestServer, basic, form_with};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const JSON: (&str, &str) = ("content-type", "application/json");

pub(crate) type Pairs = &'static [(&'static str, &'static str)];

/// The way in which a client proves its secret.
pub(crate) enum ClientAuthentication {
    /// The header `Authorization: Basic`.
    Basic,
    /// Parameters of the form.
    Body,
    /// Fields of a JSON body.
    Json,
}

/// What a client exchanges for a new access token.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Renewal {
    RefreshToken,
    /// A live access token, in this parameter. The token of a consent is exchanged at once for a long-lived one.
    AccessToken(&'static str),
    /// Nothing: the access token stays valid.
    Nothing,
}

/// How a client ends a grant.
pub(crate) enum Revocation {
    /// A request to this address with the token in this parameter.
    Post(&'static str, &'static str),
    /// A call of the API with the token.
    Call(fn(&str) -> Call),
}

/// Names of parameters.
pub(crate) struct Names {
    pub(crate) client: &'static str,
    pub(crate) secret: &'static str,
    pub(crate) code: &'static str,
}

/// The names of RFC 6749.
pub(crate) const STANDARD: Names = Names { client: "client_id", secret: "client_secret", code: "code" };

/// A call of a platform's API.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Pairs,
    /// JSON; null for no body.
    pub(crate) body: Value,
}

impl Call {
    pub(crate) fn get(path: String) -> Self {
        Self { method: "GET", path, headers: &[], body: Value::Null }
    }

    /// The `GET` of a link in a response.
    pub(crate) fn follow(link: &str) -> Self {
        Self::get(link.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap())
    }

    pub(crate) fn post(path: String, body: Value) -> Self {
        Self { method: "POST", path, headers: &[], body }
    }

    pub(crate) fn patch(path: String, body: Value) -> Self {
        Self { method: "PATCH", ..Self::post(path, body) }
    }
}

/// The client that a platform knows, and the platform's OAuth addresses.
pub(crate) struct OAuthClient {
    pub(crate) platform: &'static str,
    pub(crate) authorize: &'static str,
    pub(crate) token: &'static str,
    pub(crate) revoke: Revocation,
    pub(crate) authentication: ClientAuthentication,
    pub(crate) names: Names,
    pub(crate) renewal: Renewal,
    /// JSON pointer to the object with the tokens.
    pub(crate) issued: &'static str,
    /// Parameters of an authorization request besides the client, the redirect URI, the response type and the state.
    /// An empty value removes one.
    pub(crate) consent: Pairs,
    /// The same of a code exchange, besides the code, the redirect URI and the client.
    pub(crate) exchange: Pairs,
    /// The header of the access token.
    pub(crate) token_header: &'static str,
    /// Headers of every request.
    pub(crate) headers: Pairs,
}

impl OAuthClient {
    fn registered(&self) -> sandbox::OAuthClient {
        sandbox::client(self.platform).unwrap()
    }

    /// The authorization URL with changed parameters. An empty value removes one.
    pub(crate) fn authorize(&self, changes: &[(&str, &str)]) -> String {
        let usual = [
            (self.names.client, self.registered().id),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("state", "st&te"),
        ];
        format!("{}?{}", self.authorize, form_with(&[&usual, self.consent].concat(), changes))
    }

    /// Approves on the consent page and returns the code.
    pub(crate) async fn code(&self, server: &TestServer, changes: &[(&str, &str)], accounts: &[&str]) -> String {
        server.approve_at(&self.authorize(changes), accounts).await.remove(self.names.code).unwrap()
    }

    /// Posts parameters as this client. Later pairs replace earlier ones and the client's; an empty value removes one.
    pub(crate) async fn post(&self, server: &TestServer, path: &str, pairs: &[(&str, &str)]) -> Response {
        let client = self.registered();
        let credentials = [(self.names.client, client.id), (self.names.secret, client.secret)];
        let authorization = basic(self.platform, client.secret);
        let mut headers = self.headers.to_vec();
        let body = match self.authentication {
            ClientAuthentication::Basic => {
                headers.extend([FORM, ("authorization", authorization.as_str())]);
                form_with(&[], pairs)
            }
            ClientAuthentication::Body => {
                headers.push(FORM);
                form_with(&credentials, pairs)
            }
            ClientAuthentication::Json => {
                headers.push(JSON);
                let mut fields: BTreeMap<_, _> = credentials.iter().chain(pairs).copied().collect();
                fields.retain(|_, value| !value.is_empty());
                json!(fields).to_string()
            }
        };
        server.send("POST", path, &headers, &body).await.unwrap()
    }

    /// Exchanges a code with changed parameters.
    pub(crate) async fn exchange(&self, server: &TestServer, code: &str, changes: &[(&str, &str)]) -> Response {
        let usual = [("grant_type", "authorization_code"), (self.names.code, code), ("redirect_uri", REDIRECT)];
        self.post(server, self.token, &[&usual, self.exchange, changes].concat()).await
    }

    /// Exchanges a refresh token, or what the platform has in its place.
    pub(crate) async fn refresh(&self, server: &TestServer, token: &str) -> Response {
        let grant = if let Renewal::AccessToken(parameter) = self.renewal { parameter } else { "refresh_token" };
        self.post(server, self.token, &[("grant_type", grant), (grant, token)]).await
    }

    pub(crate) async fn revoke(&self, server: &TestServer, token: &str) -> Response {
        match self.revoke {
            Revocation::Post(path, parameter) => self.post(server, path, &[(parameter, token)]).await,
            Revocation::Call(call) => self.ask(server, token, &call(token)).await.unwrap(),
        }
    }

    /// The access token in a response, and the token that renews it.
    pub(crate) fn tokens(&self, response: &Response) -> (String, String) {
        let body = response.json();
        let issued = body.pointer(self.issued).unwrap_or(&Value::Null);
        let text = |name: &str| issued[name].as_str().unwrap_or_default().to_owned();
        let renewal = if self.renewal == Renewal::RefreshToken { "refresh_token" } else { "access_token" };
        assert!(!text("access_token").is_empty(), "{body}");
        (text("access_token"), text(renewal))
    }

    /// The tokens of a new consent to the first account.
    pub(crate) async fn connect(&self, server: &TestServer) -> (String, String) {
        self.connect_to(server, &[]).await
    }

    /// The tokens of a new consent to some accounts.
    pub(crate) async fn connect_to(&self, server: &TestServer, accounts: &[&str]) -> (String, String) {
        let code = self.code(server, &[], accounts).await;
        let tokens = self.tokens(&self.exchange(server, &code, &[]).await);
        if let Renewal::AccessToken(_) = self.renewal {
            return self.tokens(&self.refresh(server, &tokens.0).await);
        }
        tokens
    }

    /// Calls the API with an access token.
    pub(crate) async fn ask(&self, server: &TestServer, token: &str, call: &Call) -> Option<Response> {
        let token = if self.token_header == "authorization" { format!("Bearer {token}") } else { token.to_owned() };
        let headers = [&[(self.token_header, token.as_str()), JSON], self.headers, call.headers].concat();
        let body = if call.body.is_null() { String::new() } else { call.body.to_string() };
        server.send(call.method, &call.path, &headers, &body).await
    }

    /// Sends JSON, or no body for null, with an access token.
    pub(crate) async fn call(
        &self,
        server: &TestServer,
        method: &'static str,
        token: &str,
        path: &str,
        body: &Value,
    ) -> Option<Response> {
        self.ask(server, token, &Call { method, path: path.to_owned(), headers: &[], body: body.clone() }).await
    }

    pub(crate) async fn get(&self, server: &TestServer, token: &str, path: &str) -> Response {
        self.call(server, "GET", token, path, &Value::Null).await.unwrap()
    }

    /// Sets a fault for the next request of an operation.
    pub(crate) async fn set_fault(&self, server: &TestServer, operation: &str, fault: &str) {
        let fault = json!({ "platform": self.platform, "operation": operation, "fault": fault, "times": 1 });
        assert_eq!(server.control("faults", fault).await.status, 200);
    }
}
