//! A webhook endpoint as pages show it, with how it does.

use crate::kit::addresses;
use crate::kit::text::readable;
use jiff::Timestamp;
use shared::domain::delivery::EndpointHealth;
use shared::domain::{EndpointStatus, EventTypes, PayloadShape, WebhookEndpoint};

/// Types that a row names; it counts the others.
const NAMED_TYPES: usize = 3;

/// An endpoint of a page.
pub(crate) struct EndpointRow {
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) url: String,
    pub(crate) description: String,
    pub(crate) types: String,
    pub(crate) shape: &'static str,
    pub(crate) tone: &'static str,
    pub(crate) status: &'static str,
    pub(crate) reason: String,
    pub(crate) created_at: String,
    pub(crate) is_enabled: bool,
    /// Whether the service has disabled it and knows what it has missed.
    pub(crate) can_resume: bool,
    /// Whether the service has disabled it, or it fails.
    pub(crate) needs_person: bool,
}

impl EndpointRow {
    pub(crate) fn new(endpoint: &WebhookEndpoint, health: &EndpointHealth, now: Timestamp) -> EndpointRow {
        let (tone, status, reason) = state(endpoint, health, now);
        let is_enabled = endpoint.status == EndpointStatus::Enabled;
        EndpointRow {
            id: endpoint.id.to_string(),
            path: addresses::webhook(endpoint.id.as_str()),
            url: endpoint.url.as_str().to_owned(),
            description: endpoint.description.clone().unwrap_or_default(),
            types: types(&endpoint.types),
            shape: match endpoint.shape {
                PayloadShape::Flat => "Flat",
                PayloadShape::Enveloped => "Enveloped",
            },
            tone,
            status,
            reason,
            created_at: readable(endpoint.created_at),
            is_enabled,
            can_resume: !is_enabled && endpoint.missed_since.is_some(),
            // A person who has disabled an endpoint knows it.
            needs_person: if is_enabled { health.failing.is_some() } else { endpoint.disabled_reason.is_some() },
        }
    }
}

/// Tone, word and reason of an endpoint's state.
fn state(endpoint: &WebhookEndpoint, health: &EndpointHealth, now: Timestamp) -> (&'static str, &'static str, String) {
    match (endpoint.status, &endpoint.disabled_reason, &health.failing) {
        (EndpointStatus::Disabled, None, _) => ("plain", "Disabled", "You have disabled it.".to_owned()),
        (EndpointStatus::Disabled, Some(reason), _) => {
            let since = endpoint.missed_since.map(|at| format!(" It misses the events since {}.", readable(at)));
            ("bad", "Disabled by us", format!("{reason}{}", since.unwrap_or_default()))
        }
        (EndpointStatus::Enabled, _, None) => ("good", "Enabled", String::new()),
        (EndpointStatus::Enabled, _, Some(failing)) => {
            let pause = health.pause_end(now).map(|end| format!(" We pause sending until {}.", readable(end)));
            let since = readable(failing.since);
            ("warn", "Failing", format!("It has accepted nothing since {since}.{}", pause.unwrap_or_default()))
        }
    }
}

fn types(types: &EventTypes) -> String {
    if *types == EventTypes::All {
        return "All".to_owned();
    }
    let names = types.names();
    let named = names.iter().take(NAMED_TYPES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED_TYPES) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::EventKind;

    #[test]
    fn a_row_names_a_few_types_and_counts_the_others() {
        let only = |count: usize| types(&EventTypes::Only(EventKind::ALL.into_iter().take(count).collect()));
        assert_eq!(types(&EventTypes::All), "All");
        assert_eq!(only(1), "connection.activated");
        assert_eq!(only(3), "connection.activated, connection.revoked, connection.error");
        assert_eq!(only(26), "connection.activated, connection.revoked, connection.error and 23 more");
    }
}
