//! The control addresses under `/_sandbox/`, for tests and people.

mod accounts;
mod ads;
mod behavior;
mod delivery;
mod observation;

use crate::fields::{ControlResult, Fields};
use crate::http::{Pairs, Request, Response};
use crate::oidc;
use crate::registry::{OTHER_SERVICES, PLATFORMS, find_platform, find_service};
use crate::state::{Sandbox, State};
use crate::stripe;
use serde_json::json;

/// The addresses and their methods.
const METHODS: &[(&str, &str)] = &[
    ("requests", "GET"),
    ("campaigns", "GET"),
    ("clients", "GET"),
    ("secrets", "GET"),
    ("accounts", "GET, POST"),
    ("access", "POST"),
    ("spend", "POST"),
    ("delivery", "POST"),
    ("ads", "POST"),
    ("hold", "POST"),
    ("faults", "POST"),
    ("settings", "POST"),
    ("quirks", "GET, POST"),
    ("reset", "POST"),
];

/// Handles a control request. A changed state is on disk before the response.
pub(crate) fn handle(sandbox: &Sandbox, request: &Request) -> Response {
    let name = request.path.strip_prefix("/_sandbox/").unwrap_or_default();
    let mut state = sandbox.lock();
    let Some(outcome) = dispatch(sandbox, &mut state, request, name) else { return not_found(request, name) };
    let (status, body) = outcome.unwrap_or_else(|(status, message)| (status, json!({ "error": message })));
    let is_stored = matches!(name, "accounts" | "access" | "spend" | "delivery" | "ads" | "hold") || name.contains('/');
    if is_stored && request.method == "POST" && status < 300 {
        if let Err(failure) = sandbox.save(&state) {
            return failure;
        }
        sandbox.webhook_signal.notify_one();
    }
    Response::json(status, &body)
}

/// `None` for an unknown address or method.
fn dispatch(sandbox: &Sandbox, state: &mut State, request: &Request, name: &str) -> Option<ControlResult> {
    let method = request.method.as_str();
    let body = request.body.as_str();
    let now = sandbox.now();
    Some(match (method, name) {
        ("GET", "requests") => observation::requests(state, request),
        ("GET", "campaigns") => observation::campaigns(state, request, now),
        ("GET", "clients") => observation::clients(request),
        ("GET", "secrets") => observation::secrets(state, request),
        ("GET", "accounts") => accounts::list(state, request),
        ("POST", "accounts") => accounts::open(state, body),
        ("POST", "access") => accounts::set_access(state, body),
        ("POST", "spend") => accounts::add_spend(state, body, now),
        ("POST", "delivery") => delivery::deliver(state, body, now),
        ("POST", "ads") => ads::set_ads(state, body, now),
        ("POST", "hold") => ads::set_hold(state, body, now),
        ("POST", "faults") => behavior::set_fault(state, body),
        ("POST", "settings") => behavior::set_settings(state, body),
        ("GET", "quirks") => behavior::list_quirks(state, request),
        ("POST", "quirks") => behavior::switch_quirk(state, body),
        ("POST", "reset") => Ok(behavior::reset(state)),
        _ if name.starts_with("oidc/") => return oidc::control(&mut state.platforms.oidc, method, name, body),
        _ => return stripe::control(&mut state.platforms.stripe, method, name, body, now),
    })
}

fn not_found(request: &Request, name: &str) -> Response {
    let methods = METHODS.iter().chain(stripe::METHODS).chain(oidc::METHODS).find(|(known, _)| *known == name);
    let Some((_, methods)) = methods else {
        let message = format!("there is no control address {}; the page / lists them", request.path);
        return Response::json(404, &json!({ "error": message }));
    };
    let message = format!("this control address takes {methods}");
    Response::json(405, &json!({ "error": message })).with("allow", *methods)
}

fn bad_request(message: String) -> (u16, String) {
    (400, message)
}

fn parse_platform(name: &str) -> Result<&'static str, (u16, String)> {
    find_platform(name)
        .ok_or_else(|| bad_request(format!("platform \"{name}\" is unknown; it is one of {}", PLATFORMS.join(", "))))
}

/// An ad platform, the payment provider or the issuer.
fn parse_service(name: &str) -> Result<&'static str, (u16, String)> {
    find_service(name).ok_or_else(|| {
        let names = [PLATFORMS, &OTHER_SERVICES].concat().join(", ");
        bad_request(format!("platform \"{name}\" is unknown; it is one of {names}"))
    })
}

/// Reads the field `platform` of a body.
fn platform_field(fields: &mut Fields) -> Result<&'static str, (u16, String)> {
    parse_platform(&fields.required("platform").map_err(bad_request)?)
}

/// Reads the field `platform` of a body, which may be another service, too.
fn service_field(fields: &mut Fields) -> Result<&'static str, (u16, String)> {
    parse_service(&fields.required("platform").map_err(bad_request)?)
}

/// Reads the query parameter `platform`, the only one there is.
fn query_filter(
    request: &Request,
    parse: fn(&str) -> Result<&'static str, (u16, String)>,
) -> Result<Option<&'static str>, (u16, String)> {
    let query = Pairs::parse(&request.query);
    if let Some(unknown) = query.names().find(|name| *name != "platform") {
        return Err(bad_request(format!("{unknown} is unknown; remove it")));
    }
    query.get("platform").map(parse).transpose()
}

/// The platforms that the query parameter `platform` selects.
fn selected_platforms(request: &Request) -> Result<impl Iterator<Item = &'static str> + use<>, (u16, String)> {
    let wanted = query_filter(request, parse_platform)?;
    Ok(PLATFORMS.iter().copied().filter(move |name| wanted.is_none_or(|wanted| wanted == *name)))
}
