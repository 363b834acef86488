//! A browser of a person: it keeps cookies, follows the sign-in, and submits forms as browsers do.

use crate::in_process::engine::client_over;
use crate::in_process::network::Network;
use crate::in_process::{World, clock, location, respond};
use aws_smithy_runtime_api::client::http::HttpConnector;
use http::{HeaderMap, StatusCode, header};
use lambda_http::{Body, Request};
use serde_json::json;
use shared::app::App;
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The cookie of a session.
pub(super) const SESSION: &str = "__Host-session";
/// The service's own origin.
pub(super) const ORIGIN: &str = "https://service.example";

/// The service with its issuer.
pub(super) struct Site {
    pub(super) world: World,
    pub(super) app: Arc<App>,
}

/// A browser with its cookies.
pub(super) struct Browser<'a> {
    pub(super) site: &'a Site,
    pub(super) cookies: BTreeMap<String, String>,
}

/// A page, or a redirect.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Shown {
    /// The address of a redirect.
    pub(super) fn to(&self) -> &str {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text);
        self.headers[header::LOCATION].to_str().expect("an address")
    }
}

impl Site {
    pub(super) async fn new() -> Site {
        Site::at(clock(1)).await
    }

    /// The same at another time.
    pub(super) async fn at(clock: Clock) -> Site {
        let world = World::new(clock, Plan::Starter).await;
        let app = Arc::new(world.straight());
        Site { world, app }
    }

    /// Another process of the site, with its own connection to the table.
    pub(super) fn over(&self, table: impl HttpConnector + Clone + 'static) -> Site {
        let World { customer, api_key, database, sandbox, clock, receivers } = &self.world;
        let (customer, api_key) = (*customer, api_key.clone());
        let (database, sandbox, clock) = (database.clone(), sandbox.clone(), clock.clone());
        let receivers = receivers.clone();
        let world = World { customer, api_key, database, sandbox, clock, receivers };
        let app = Arc::new(world.app(client_over(table), Arc::new(Network(world.sandbox.clone()))));
        Site { world, app }
    }

    pub(super) fn browser(&self) -> Browser<'_> {
        Browser { site: self, cookies: BTreeMap::new() }
    }

    /// A browser in which a person is signed in.
    pub(super) async fn signed_in(&self, email: &str) -> Browser<'_> {
        let mut browser = self.browser();
        assert_eq!(browser.sign_in(email).await.to(), "/dashboard");
        browser
    }

    /// Gives every ID token a mistake.
    pub(super) async fn token_error(&self, fault: &str) {
        self.world.control("POST", "oidc/id_token", &json!({ "fault": fault })).await;
    }

    /// The number of customers.
    pub(super) async fn customers(&self) -> usize {
        self.app.store.all_accounts(self.app.clock.now()).await.expect("the accounts").len()
    }

    /// Sends a request without an API key.
    pub(super) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Shown {
        let request = http::Request::builder().method(method).uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request: Request = request.body(Body::from(body)).expect("a request");
        let (parts, body) = respond(&self.app, request).await.into_parts();
        let text = String::from_utf8(body.to_vec()).expect("text");
        Shown { status: parts.status, headers: parts.headers, text }
    }

    /// Signs in on the issuer's page; returns the path of the callback.
    pub(super) async fn at_issuer(&self, page: &str, email: &str) -> String {
        let sent_back = self.world.post_form(page, format!("email={}", email.replace('+', "%2B"))).await;
        assert_eq!(sent_back.status, 303, "{}", String::from_utf8_lossy(&sent_back.body));
        location(&sent_back)
    }
}

impl Browser<'_> {
    pub(super) async fn get(&mut self, path: &str) -> Shown {
        self.send("GET", path, &[("sec-fetch-site", "none")], "").await
    }

    /// Submits a form of our own page.
    pub(super) async fn post(&mut self, path: &str, form: &str) -> Shown {
        self.post_with(path, form, &[("sec-fetch-site", "same-origin"), ("origin", ORIGIN)]).await
    }

    /// Submits a form with other headers.
    pub(super) async fn post_with(&mut self, path: &str, form: &str, headers: &[(&str, &str)]) -> Shown {
        let kind = ("content-type", "application/x-www-form-urlencoded");
        self.send("POST", path, &[headers, &[kind]].concat(), form).await
    }

    /// Begins a sign-in; returns the address of the issuer's page.
    pub(super) async fn begin(&mut self, path: &str) -> String {
        self.post(path, "").await.to().to_owned()
    }

    /// Signs in from the sign-in page on.
    pub(super) async fn sign_in(&mut self, email: &str) -> Shown {
        self.sign_in_from("/dashboard/sign-in", email).await
    }

    pub(super) async fn sign_in_from(&mut self, path: &str, email: &str) -> Shown {
        let page = self.begin(path).await;
        let callback = self.site.at_issuer(&page, email).await;
        self.get(&callback).await
    }

    /// The value of the session cookie.
    pub(super) fn session(&self) -> &str {
        &self.cookies[SESSION]
    }

    /// The customer that the session cookie names.
    pub(super) fn customer(&self) -> CustomerId {
        shared::auth::CustomerToken::parse(self.session()).expect("a token").customer()
    }

    /// Whether the browser has a session that the service accepts.
    pub(super) async fn is_signed_in(&mut self) -> bool {
        match self.get("/dashboard").await {
            shown if shown.status == StatusCode::OK => true,
            shown => {
                assert_eq!(shown.to(), "/dashboard/sign-in");
                false
            }
        }
    }

    async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Shown {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let own = [("cookie", cookies.as_str()), ("user-agent", "Browser <b>&1")];
        let shown = self.site.send(method, path, &[&own, headers].concat(), body).await;
        for cookie in shown.headers.get_all(header::SET_COOKIE) {
            self.keep(cookie.to_str().expect("a cookie"));
        }
        shown
    }

    fn keep(&mut self, cookie: &str) {
        let (pair, attributes) = cookie.split_once("; ").expect("attributes");
        let (name, value) = pair.split_once('=').expect("a pair");
        assert!(name.starts_with("__Host-"), "{name}");
        assert!(attributes.starts_with("Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age="), "{attributes}");
        if attributes.ends_with("Max-Age=0") {
            self.cookies.remove(name);
        } else {
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}
