//! The OAuth client of a platform: consent, tokens and calls.

use crate::client::{REDIRECT, Response, TestServer, basic, form_with};
use serde_json::{Value, json};

pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

type Pairs = &'static [(&'static str, &'static str)];

/// The way in which a client proves its secret.
pub(crate) enum ClientAuthentication {
    /// The header `Authorization: Basic`.
    Basic,
    /// The parameters `client_id` and `client_secret`.
    Body,
}

/// The client that a platform knows, and the platform's OAuth addresses.
pub(crate) struct OAuthClient {
    pub(crate) platform: &'static str,
    pub(crate) authorize: &'static str,
    pub(crate) token: &'static str,
    pub(crate) authentication: ClientAuthentication,
    /// Parameters of an authorization request besides the client, the redirect URI, the response type and the state.
    pub(crate) consent: Pairs,
    /// Parameters of a code exchange besides the code, the redirect URI and the client.
    pub(crate) exchange: Pairs,
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
            ("client_id", self.registered().id),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("state", "st&te"),
        ];
        format!("{}?{}", self.authorize, form_with(&[&usual, self.consent].concat(), changes))
    }

    /// Approves on the consent page and returns the code.
    pub(crate) async fn code(&self, server: &TestServer, changes: &[(&str, &str)], accounts: &[&str]) -> String {
        server.approve_at(&self.authorize(changes), accounts).await.remove("code").unwrap()
    }

    /// Posts a form as this client. Later pairs replace earlier ones and the client's; an empty value removes one.
    pub(crate) async fn post(&self, server: &TestServer, path: &str, pairs: &[(&str, &str)]) -> Response {
        let client = self.registered();
        let authorization = basic(self.platform, client.secret);
        let mut headers = [&[FORM], self.headers].concat();
        let body = match self.authentication {
            ClientAuthentication::Basic => {
                headers.push(("authorization", authorization.as_str()));
                form_with(&[], pairs)
            }
            ClientAuthentication::Body => {
                form_with(&[("client_id", client.id), ("client_secret", client.secret)], pairs)
            }
        };
        server.send("POST", path, &headers, &body).await.unwrap()
    }

    /// Exchanges a code with changed parameters.
    pub(crate) async fn exchange(&self, server: &TestServer, code: &str, changes: &[(&str, &str)]) -> Response {
        let usual = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", REDIRECT)];
        self.post(server, self.token, &[&usual, self.exchange, changes].concat()).await
    }

    pub(crate) async fn refresh(&self, server: &TestServer, token: &str) -> Response {
        self.post(server, self.token, &[("grant_type", "refresh_token"), ("refresh_token", token)]).await
    }

    /// The access and refresh token of a new consent to the first account.
    pub(crate) async fn connect(&self, server: &TestServer) -> (String, String) {
        self.exchange(server, &self.code(server, &[], &[]).await, &[]).await.tokens()
    }

    /// Sends JSON, or no body for null, with an access token.
    pub(crate) async fn call(
        &self,
        server: &TestServer,
        method: &str,
        token: &str,
        path: &str,
        body: &Value,
    ) -> reqwest::Result<Response> {
        let bearer = format!("Bearer {token}");
        let own = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        server.send(method, path, &[&own, self.headers].concat(), &body).await
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
