//! What an event is about, in either shape: `data` as the GET of each record answers, and `previous` with the old values.

use crate::domain::event::{BillingBefore, ConnectionBefore, KeyBefore, KeySnapshot, UserBefore};
use crate::domain::spending::Spender;
use crate::domain::{
    CampaignDefaults, Change, Connection, EndpointStatus, ExternalRef, ReadCampaign, Subject, SubscriptionStatus,
    UserSnapshot,
};
use crate::envelope::billing::status_body;
use crate::envelope::campaign_defaults::WireDefaults;
use crate::envelope::changes::{CampaignAtEvent, WireChange, at_event};
use crate::envelope::connections::WireConnection;
use crate::envelope::spending_limits::WireRefusal;
use crate::envelope::webhook_endpoints::WireEndpoint;
use crate::envelope::wire::{iso_millis, iso_seconds};
use crate::envelope::{RenderContext, Shape};
use serde_json::{Map, Value, json};

/// `data` and `previous`.
pub(super) fn parts(subject: &Subject, context: &RenderContext) -> (Value, Option<Value>) {
    match subject {
        Subject::Change { change, previous, campaign } => (
            change_value(change, campaign.as_deref(), context),
            previous.map(|previous| json!({ "change": { "state": previous.as_str() } })),
        ),
        Subject::Connection { connection, previous } => (
            json!({ "connection": connection_value(connection, context.shape) }),
            previous.as_ref().map(|before| json!({ "connection": connection_before(before, connection) })),
        ),
        Subject::ApiKey { key, previous } => (
            json!({ "api_key": key_value(key) }),
            previous.as_ref().map(|before| json!({ "api_key": key_before(before) })),
        ),
        Subject::User { user, previous } => {
            (json!({ "user": user_value(user) }), Some(json!({ "user": user_before(previous) })))
        }
        Subject::Limit { refusal, count } => {
            let mut value = json!({ "spending_limit": WireRefusal::from(refusal.as_ref()), "count": count });
            match &refusal.of {
                Spender::Key(key) => value["api_key"] = json!({ "id": key.0 }),
                Spender::User(user) => value["user"] = json!({ "external_ref": user.as_str() }),
            }
            (value, None)
        }
        Subject::Quota { plan, usage } => {
            let quota = json!({
                "plan": plan.as_str(),
                "requests_used": usage.requests_used,
                "requests_limit": plan.limits().requests_per_period,
                "period_start": iso_seconds(usage.period_start),
                "period_end": iso_seconds(usage.period_end),
            });
            (json!({ "quota": quota }), None)
        }
        Subject::Billing { billing, previous } => {
            (json!({ "billing": status_body(billing) }), Some(json!({ "billing": billing_before(previous) })))
        }
        Subject::Endpoint(endpoint) => (
            json!({ "webhook_endpoint": WireEndpoint::from(endpoint.as_ref().clone()) }),
            Some(json!({ "webhook_endpoint": { "status": EndpointStatus::Enabled.as_str() } })),
        ),
    }
}

/// A change and its campaign, and what a person decides on if the change waits for one.
fn change_value(change: &Change, campaign: Option<&ReadCampaign>, context: &RenderContext) -> Value {
    let mut value = json!({
        "change": WireChange::new(change, context),
        "campaign": CampaignAtEvent::new(change, campaign, context.shape),
    });
    if let Some(review) = at_event(change, context) {
        value["review"] = review;
    }
    value
}

fn connection_value(connection: &Connection, shape: Shape) -> Value {
    let mut value = json!(WireConnection::from(connection));
    if shape == Shape::Enveloped {
        value["platform"] = json!(connection.platform.as_upper());
    }
    value
}

/// The former values of changed fields.
fn connection_before(before: &ConnectionBefore, now: &Connection) -> Value {
    let ConnectionBefore { status, reason, label, external_ref, campaign_defaults } = before;
    let old = [
        ("status", *status != now.status, json!(status.as_str())),
        ("status_reason", *reason != now.reason, json!(reason)),
        ("label", *label != now.label, json!(label)),
        ("external_ref", *external_ref != now.external_ref, json!(external_ref.as_ref().map(ExternalRef::as_str))),
        (
            CampaignDefaults::NAME,
            *campaign_defaults != now.campaign_defaults,
            json!(campaign_defaults.as_ref().map(WireDefaults::from)),
        ),
    ];
    let changed = old.into_iter().filter(|(_, is_other, _)| *is_other);
    Value::Object(changed.map(|(name, _, value)| (name.to_owned(), value)).collect())
}

fn key_value(key: &KeySnapshot) -> Value {
    let KeySnapshot { id, name, prefix, scopes, created_at, expires_at, last_used_at, stopped_at } = key;
    json!({
        "id": id.0,
        "name": name,
        "prefix": prefix,
        "scopes": scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
        "created_at": iso_millis(*created_at),
        "expires_at": expires_at.map(iso_millis),
        "last_used_at": last_used_at.map(iso_millis),
        "stopped_at": stopped_at.map(iso_millis),
    })
}

fn user_value(user: &UserSnapshot) -> Value {
    let UserSnapshot { external_ref, label, is_paused } = user;
    json!({ "external_ref": external_ref.as_str(), "label": label, "is_paused": is_paused })
}

fn user_before(before: &UserBefore) -> Value {
    match before {
        UserBefore::IsPaused(was_paused) => json!({ "is_paused": was_paused }),
        UserBefore::Label(label) => json!({ "label": label }),
    }
}

fn key_before(before: &KeyBefore) -> Value {
    match before {
        KeyBefore::Secret { prefix, created_at } => json!({ "prefix": prefix, "created_at": iso_millis(*created_at) }),
        KeyBefore::NotStopped => json!({ "stopped_at": null }),
    }
}

fn billing_before(before: &BillingBefore) -> Value {
    let BillingBefore { plan, status } = before;
    let mut value = Map::new();
    value.extend(plan.map(|plan| ("plan".to_owned(), json!(plan.as_str()))));
    value.extend(status.as_ref().map(|status| ("status".to_owned(), json!(SubscriptionStatus::as_str(status)))));
    Value::Object(value)
}
