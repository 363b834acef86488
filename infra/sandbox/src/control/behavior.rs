//! Control addresses that change how a platform behaves: faults, settings, quirks, and their reset.

use super::{bad_request, platform_field, selected_platforms, service_field};
use crate::faults::{Fault, Faults, Kind, Operation, ServiceKind};
use crate::fields::{ControlResult, Fields};
use crate::http::Request;
use crate::quirks;
use crate::registry::find_platform;
use crate::request_log::RequestLog;
use crate::state::State;
use crate::stripe;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// Maximum delay of a fault, and maximum latency: ten minutes.
const MAX_DELAY_MS: u64 = 600_000;
/// Maximum lifetime of access tokens: ten years.
const MAX_TTL_S: u64 = 315_360_000;
/// Delay of a fault without `ms`.
const DEFAULT_DELAY_MS: u64 = 1_000;
/// Statuses of the fault `front`: client and server errors.
const FRONT_STATUSES: RangeInclusive<u64> = 400..=599;
/// Statuses of the fault `answer`: some platforms refuse with a success.
const ANSWER_STATUSES: RangeInclusive<u64> = 200..=599;
/// Status of the faults `front` and `answer` without `status`.
const DEFAULT_STATUS: u64 = 403;
/// Maximum rows per page.
const MAX_PAGE_SIZE: u64 = 10_000;

/// `POST faults`: sets a fault, or with `times` 0 clears it.
pub(super) fn set_fault(state: &mut State, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let platform = service_field(&mut fields)?;
    let service = if platform == stripe::NAME { ServiceKind::Payments } else { ServiceKind::AdPlatform };
    let operation = fields.required("operation").map_err(bad_request)?;
    let operation = Operation::parse(service, &operation).map_err(bad_request)?;
    let kind = fields.text("fault").map_err(bad_request)?;
    let kind = kind.map(|name| Kind::parse(service, operation, &name)).transpose().map_err(bad_request)?;
    let times = fields.number("times", u64::from(u32::MAX)).map_err(bad_request)?;
    let times = times.ok_or_else(|| bad_request("times is missing".to_owned()))?;
    let ms = fields.number("ms", MAX_DELAY_MS).map_err(bad_request)?.unwrap_or(DEFAULT_DELAY_MS);
    let status = status(&mut fields, kind).map_err(bad_request)?;
    let body = fields.text("body").map_err(bad_request)?.unwrap_or_default();
    fields.deny_unknown().map_err(bad_request)?;
    if times == 0 {
        state.faults.clear(platform, operation, kind);
    } else {
        let kind = kind.ok_or_else(|| bad_request("fault is missing".to_owned()))?;
        state.faults.set(Fault { platform, operation, kind, times, ms, status, body });
    }
    Ok((200, state.faults.json()))
}

/// The status that a fault answers with.
fn status(fields: &mut Fields, kind: Option<Kind>) -> Result<u16, String> {
    let statuses = if kind == Some(Kind::Answer) { ANSWER_STATUSES } else { FRONT_STATUSES };
    let status = fields.number("status", *statuses.end())?.unwrap_or(DEFAULT_STATUS);
    let status = Some(status).filter(|status| statuses.contains(status)).and_then(|status| status.try_into().ok());
    status.ok_or_else(|| format!("status has to be from {} to {}", statuses.start(), statuses.end()))
}

/// `POST settings`: changes the settings that the body names.
pub(super) fn set_settings(state: &mut State, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = service_field(&mut fields)?;
    let ttl = fields.number("access_token_ttl_s", MAX_TTL_S).map_err(bad_request)?;
    if ttl.is_some() && find_platform(name).is_none() {
        return Err(bad_request(format!("access_token_ttl_s does not apply to {name}: it has no access tokens")));
    }
    let latency = fields.number("latency_ms", MAX_DELAY_MS).map_err(bad_request)?;
    let page_size = fields.number("page_size", MAX_PAGE_SIZE).map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    if page_size == Some(0) {
        return Err(bad_request("page_size has to be at least 1".to_owned()));
    }
    let settings = state.settings.entry(name).or_default();
    if let Some(seconds) = ttl {
        settings.access_token_ttl_s = i64::try_from(seconds).ok();
    }
    if let Some(latency) = latency {
        settings.latency_ms = latency;
    }
    if let Some(rows) = page_size {
        settings.page_size = usize::try_from(rows).ok();
    }
    let body = json!({
        "platform": name,
        "access_token_ttl_s": settings.access_token_ttl_s,
        "latency_ms": settings.latency_ms,
        "page_size": settings.page_size,
    });
    Ok((200, body))
}

/// `GET quirks`.
pub(super) fn list_quirks(state: &State, request: &Request) -> ControlResult {
    let rows: Vec<Value> = selected_platforms(request)?.flat_map(|name| quirk_rows(state, name)).collect();
    Ok((200, json!({ "quirks": rows })))
}

/// `POST quirks`: switches one quirk of a platform, or all.
pub(super) fn switch_quirk(state: &mut State, body: &str) -> ControlResult {
    let mut fields = Fields::parse(body).map_err(bad_request)?;
    let name = platform_field(&mut fields)?;
    let quirk = fields.required("quirk").map_err(bad_request)?;
    let on = fields.boolean("on").map_err(bad_request)?;
    fields.deny_unknown().map_err(bad_request)?;
    let known = state.platforms.ad_platform(name).map_or(&[][..], |platform| platform.quirks());
    quirks::switch(known, &mut state.settings.entry(name).or_default().quirks, &quirk, on).map_err(bad_request)?;
    Ok((200, json!({ "quirks": quirk_rows(state, name) })))
}

fn quirk_rows(state: &State, name: &str) -> Vec<Value> {
    let active = state.settings.get(name).map(|settings| settings.quirks.clone()).unwrap_or_default();
    state.platforms.ad_platform(name).map_or_else(Vec::new, |platform| quirks::rows(name, platform.quirks(), &active))
}

/// `POST reset`: clears faults, the request log, settings, quirks and mistakes of ID tokens. Accounts, grants,
/// campaigns, ads and holds stay.
pub(super) fn reset(state: &mut State) -> (u16, Value) {
    state.faults = Faults::default();
    state.request_log = RequestLog::default();
    state.settings.clear();
    state.platforms.oidc.reset();
    (200, json!({}))
}
