//! The index page: the platforms, their ad accounts, the control addresses, and a form that lets campaigns deliver.

use crate::account::AccountSummary;
use crate::control;
use crate::html;
use crate::http::{Pairs, Request, Response};
use crate::oauth::OAuthClient;
use crate::oidc::CLIENT as OIDC_CLIENT;
use crate::registry::PLATFORMS;
use crate::state::{Sandbox, State};
use crate::stripe::Overview;
use askama::Template;
use serde_json::{Value, json};

/// The choice of all platforms in the form.
const ALL: &str = "all";

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    title: &'static str,
    /// The outcome of the form.
    outcome: Option<String>,
    platforms: Vec<PlatformSection>,
    payments: Overview<'a>,
    issuer_client: OAuthClient,
}

/// A platform with its ad accounts.
struct PlatformSection {
    name: &'static str,
    title: &'static str,
    accounts: Vec<AccountSummary>,
}

/// Handles a request for the index page, or of its form.
pub(crate) fn handle(sandbox: &Sandbox, request: &Request) -> Response {
    match request.method.as_str() {
        "GET" | "HEAD" => page(200, &sandbox.lock(), outcome(&Pairs::parse(&request.query))),
        "POST" => deliver(sandbox, &Pairs::parse(&request.body)),
        _ => Response::new(405, "text/plain", "this page takes GET and POST").with("allow", "GET, HEAD, POST"),
    }
}

fn page(status: u16, state: &State, outcome: Option<String>) -> Response {
    let section = |name: &&'static str| {
        let platform = state.platforms.ad_platform(name)?;
        Some(PlatformSection { name, title: platform.title(), accounts: platform.accounts() })
    };
    let page = IndexPage {
        title: "Ad platform sandbox",
        outcome,
        platforms: PLATFORMS.iter().filter_map(section).collect(),
        payments: Overview::new(&state.platforms.stripe),
        issuer_client: OIDC_CLIENT,
    };
    // Without a referrer, browsers would send `Origin: null` with the form.
    html::page(status, &page).with("referrer-policy", "same-origin")
}

/// Lets the campaigns of a platform, or of all, deliver from a seed.
fn deliver(sandbox: &Sandbox, form: &Pairs) -> Response {
    let platform = form.get("platform").unwrap_or(ALL);
    let (mut campaigns, mut days) = (0, 0);
    for name in PLATFORMS.iter().copied().filter(|name| platform == ALL || platform == *name) {
        let body = json!({ "platform": name, "seed": number(form, "seed"), "days": number(form, "days") });
        let response = control::handle(sandbox, &control_request("delivery", &body));
        let answer: Value = serde_json::from_str(&response.body).unwrap_or_default();
        if response.status >= 300 {
            let message = answer["error"].as_str().unwrap_or("That did not work.").to_owned();
            return page(response.status, &sandbox.lock(), Some(message));
        }
        campaigns += answer["campaigns"].as_u64().unwrap_or(0);
        days += answer["days"].as_u64().unwrap_or(0);
    }
    Response::see_other(&format!("/?campaigns={campaigns}&days={days}"))
}

/// A control request as a program would send it.
fn control_request(name: &str, body: &Value) -> Request {
    let (method, path) = ("POST".to_owned(), format!("/_sandbox/{name}"));
    Request { method, path, body: body.to_string(), ..Request::default() }
}

/// A number of the form. Another text stays one, so that the control address says what is wrong with it.
fn number(form: &Pairs, name: &str) -> Value {
    let text = form.get(name).unwrap_or_default().trim();
    text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// What the form did, after the redirect.
fn outcome(query: &Pairs) -> Option<String> {
    let number = |name| query.get(name)?.parse::<u64>().ok();
    let (campaigns, days) = (number("campaigns")?, number("days")?);
    Some(if campaigns == 0 {
        "There is no campaign yet, so nothing was delivered. Create one first.".to_owned()
    } else {
        format!("Delivered: campaigns {campaigns}, days with impressions {days}.")
    })
}
