//! A person with a browser, and the program on the person's computer that becomes an assistant by signing in.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, StatusCode};
use serde_json::{Value, json};
use shared::outbound::{Outbound, OutboundRequest, OutboundResponse};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use url::Url;
use url::form_urlencoded::Serializer;

pub(crate) const CONSENT: &str = "/dashboard/connect/consent";
pub(crate) const AGENTS: &str = "/dashboard/agents";
pub(crate) const TOKEN: &str = "/v1/oauth2/token";
pub(crate) const REVOKE: &str = "/v1/oauth2/revoke";
/// RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const NAME: &str = "My agent";
/// Where the program listens for the answer.
const REDIRECT: &str = "http://127.0.0.1:50001/callback";
/// What the person fills in, beside the first ad account.
const FILLED_IN: &str = "may=campaigns&currency=USD&daily=120.50&creates_per_day=3&approve_activation=yes&lifetime=\
                         &per_change=&approve_above=&decision=allow";
const TIMEOUT: Duration = Duration::from_secs(60);

/// The person, with the cookies of the browser.
pub(crate) struct Person {
    http: Outbound,
    gateway: String,
    pub(crate) cookies: BTreeMap<String, String>,
    /// All answers of the gateway.
    pub(crate) heard: Vec<OutboundResponse>,
}

/// The tokens of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Person {
    /// A person who is signed in with the account of the demo customer.
    pub(crate) async fn signed_in(gateway: &str) -> Person {
        let http = Outbound::new().unwrap();
        let mut person = Person { http, gateway: gateway.to_owned(), cookies: BTreeMap::new(), heard: Vec::new() };
        let page = location(&person.post("/dashboard/sign-in", "").await);
        let form = format!("email={}", sandbox::OIDC_EMAIL.replace('@', "%40"));
        let at_issuer = request(Method::POST, page, &[FORM], form);
        let back = location(&person.http.send(at_issuer, Instant::now() + TIMEOUT).await.unwrap());
        let path = back.strip_prefix(&person.gateway).unwrap().to_owned();
        assert_eq!(location(&person.get(&path).await), "/dashboard");
        person
    }

    /// From now on the service has another address, since another process answers.
    pub(crate) fn move_to(&mut self, gateway: &str) {
        gateway.clone_into(&mut self.gateway);
    }

    /// Opens an address of the service.
    pub(crate) async fn get(&mut self, path: &str) -> OutboundResponse {
        self.browse(Method::GET, path, "").await.unwrap()
    }

    /// Sends a form of a page.
    pub(crate) async fn post(&mut self, path: &str, form: &str) -> OutboundResponse {
        self.browse(Method::POST, path, form).await.unwrap()
    }

    /// A page.
    pub(crate) async fn page(&mut self, path: &str) -> String {
        let shown = self.get(path).await;
        assert_eq!(shown.status, StatusCode::OK, "{path}: {}", text(&shown));
        text(&shown)
    }

    /// Sends a form: as the program does to the token endpoints, or as the browser does. `None` if the process has died
    /// before it answered.
    pub(crate) async fn send(&mut self, path: &str, form: &str) -> Option<OutboundResponse> {
        if path.starts_with("/dashboard") {
            return self.browse(Method::POST, path, form).await;
        }
        self.exchange(request(Method::POST, format!("{}{path}", self.gateway), &[FORM], form.to_owned())).await
    }

    async fn browse(&mut self, method: Method, path: &str, form: &str) -> Option<OutboundResponse> {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (cookies, origin) = (cookies.join("; "), self.gateway.clone());
        let headers = [FORM, ("cookie", &cookies), ("origin", &origin), ("sec-fetch-site", "same-origin")];
        let answer = self.exchange(request(method, format!("{origin}{path}"), &headers, form.to_owned())).await?;
        for cookie in answer.headers.get_all("set-cookie") {
            let (pair, attributes) = cookie.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
            if attributes.ends_with("Max-Age=0") {
                self.cookies.remove(name);
            }
        }
        Some(answer)
    }

    async fn exchange(&mut self, request: OutboundRequest) -> Option<OutboundResponse> {
        let answer = self.http.send(request, Instant::now() + TIMEOUT).await.ok()?;
        self.heard.push(answer.clone());
        Some(answer)
    }

    /// The form that the person is about to send to allow what the program asks: for a new assistant, or to connect the one
    /// with a key anew.
    pub(crate) async fn asked(&mut self, anew: Option<&str>) -> String {
        let query = encoded(&[
            ("response_type", "code"),
            ("client_id", &client_id()),
            ("redirect_uri", REDIRECT),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "state-1"),
            ("scope", "campaigns"),
        ]);
        assert_eq!(location(&self.get(&format!("/dashboard/connect?{query}")).await), CONSENT);
        let page = self.page(CONSENT).await;
        let anew = anew.map(|key| format!("anew={key}&")).unwrap_or_default();
        let account = page.split("name=\"connections\" value=\"").nth(1).unwrap().split('"').next().unwrap();
        let hidden = hidden_fields(&page, CONSENT, "value=\"allow\"");
        format!("{hidden}{anew}{FILLED_IN}&connections={account}")
    }

    /// Allows what the program asks; returns the code that it gets.
    pub(crate) async fn allow(&mut self, anew: Option<&str>) -> String {
        let form = self.asked(anew).await;
        code(&self.post(CONSENT, &form).await)
    }

    /// Sends a form of the program that leads to tokens.
    pub(crate) async fn tokens(&mut self, form: &str) -> Tokens {
        let answer = self.send(TOKEN, form).await.unwrap();
        Tokens::of(&answer).unwrap_or_else(|| panic!("{}", text(&answer)))
    }

    /// The status of a tool call with an access token.
    pub(crate) async fn call(&mut self, access: &str) -> StatusCode {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "list_accounts", "arguments": {}}});
        let bearer = format!("Bearer {access}");
        let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
        loop {
            let url = format!("{}/v1/mcp", self.gateway);
            let answer = self.exchange(request(Method::POST, url, &headers, message.to_string())).await.unwrap();
            if answer.status != StatusCode::TOO_MANY_REQUESTS {
                return answer.status;
            }
            sleep(Duration::from_millis(300)).await;
        }
    }
}

impl Tokens {
    /// The tokens of an answer that has some.
    pub(crate) fn of(answer: &OutboundResponse) -> Option<Tokens> {
        let body: Value = serde_json::from_slice(&answer.body).ok()?;
        let text = |name: &str| Some(body[name].as_str()?.to_owned());
        Some(Tokens { access: text("access_token")?, refresh: text("refresh_token")? })
    }
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn request(method: Method, url: String, headers: &[(&str, &str)], body: String) -> OutboundRequest {
    let header = |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
    let headers = headers.iter().map(header).collect::<HeaderMap>();
    OutboundRequest { method, url, headers, body: Bytes::from(body) }
}

fn encoded(fields: &[(&str, &str)]) -> String {
    Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The registration of the program.
fn client_id() -> String {
    format!("dcr.{}", URL_SAFE_NO_PAD.encode(json!({"n": NAME, "r": [REDIRECT]}).to_string()))
}

/// The form with which the program exchanges a code.
pub(crate) fn exchange_form(code: &str) -> String {
    encoded(&[
        ("grant_type", "authorization_code"),
        ("client_id", &client_id()),
        ("code", code),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ])
}

/// The form with which the program refreshes its tokens.
pub(crate) fn refresh_form(token: &str) -> String {
    encoded(&[("grant_type", "refresh_token"), ("client_id", &client_id()), ("refresh_token", token)])
}

/// The hidden fields of the form of a page that has an action and a text, each with `&` behind it.
fn hidden_fields(page: &str, action: &str, text: &str) -> String {
    let forms = page.split("<form ").skip(1).map(|form| form.split("</form>").next().unwrap());
    let mut forms = forms.filter(|form| form.contains(&format!("action=\"{action}\"")) && form.contains(text));
    let form = forms.next().unwrap_or_else(|| panic!("no form {action} in {page}"));
    let hidden = form.split("<input type=\"hidden\" name=\"").skip(1).map(|field| {
        let (name, rest) = field.split_once("\" value=\"").unwrap();
        format!("{name}={}&", rest.split('"').next().unwrap())
    });
    hidden.collect()
}

/// The address of a redirect.
pub(crate) fn location(answer: &OutboundResponse) -> String {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", text(answer));
    answer.headers["location"].to_str().unwrap().to_owned()
}

/// The code of the answer to a consent.
pub(crate) fn code(answer: &OutboundResponse) -> String {
    let to = location(answer);
    assert!(to.starts_with(REDIRECT), "{to}");
    let pairs = Url::parse(&to).unwrap();
    let code = pairs.query_pairs().find(|(name, _)| name == "code").map(|(_, value)| value.into_owned());
    code.unwrap_or_else(|| panic!("{to}"))
}

/// The body of an answer.
pub(crate) fn text(answer: &OutboundResponse) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}
