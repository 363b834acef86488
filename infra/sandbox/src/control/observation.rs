//! Control addresses that show what a platform received, holds and issued.

use super::{parse_service, query_filter, selected_platforms};
use crate::fields::ControlResult;
use crate::http::Request;
use crate::registry;
use crate::state::State;
use jiff::Timestamp;
use serde_json::{Value, json};

/// `GET requests`.
pub(super) fn requests(state: &State, request: &Request) -> ControlResult {
    Ok((200, state.request_log.json(query_filter(request, parse_service)?)))
}

/// `GET campaigns`, each with the states of its ads and with its hold.
pub(super) fn campaigns(state: &mut State, request: &Request, now: Timestamp) -> ControlResult {
    let mut campaigns = Vec::new();
    for name in selected_platforms(request)? {
        let Some(platform) = state.platforms.ad_platform_mut(name) else { continue };
        let mut rows = platform.campaigns(now);
        let ads = platform.ads();
        for row in &mut rows {
            let id = row["id"].as_str().unwrap_or_default().to_owned();
            row["ads"] = ads.stored(&id).iter().map(|ad| json!(ad.state)).collect();
            row["hold"] = json!(ads.campaign_hold(&id));
        }
        campaigns.append(&mut rows);
    }
    Ok((200, json!({ "campaigns": campaigns })))
}

/// `GET clients`: the OAuth client that each platform knows.
pub(super) fn clients(request: &Request) -> ControlResult {
    let client = |name| {
        let client = registry::client(name)?;
        Some(json!({ "platform": name, "client_id": client.id, "client_secret": client.secret }))
    };
    let clients: Vec<Value> = selected_platforms(request)?.filter_map(client).collect();
    Ok((200, json!({ "clients": clients })))
}

/// `GET secrets`: every secret of this run, revoked and expired ones too, so that tests can search for leaks. Secrets
/// that clients made (states, PKCE verifiers) are in the request log.
pub(super) fn secrets(state: &mut State, request: &Request) -> ControlResult {
    let mut rows = Vec::new();
    for name in selected_platforms(request)? {
        let mut add = |kind: &str, value: &str| rows.push(json!({ "platform": name, "kind": kind, "value": value }));
        if let Some(client) = registry::client(name) {
            add("client_secret", client.secret);
        }
        let issued = state.platforms.ad_platform_mut(name).map(|platform| platform.grants().issued());
        issued.unwrap_or_default().iter().for_each(|(kind, value)| add(kind, value));
    }
    Ok((200, json!({ "secrets": rows })))
}
