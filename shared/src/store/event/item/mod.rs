//! The item of an event, and its conversion.

mod api_key;
mod connection;
mod figures;
mod user;

use crate::domain::webhook_endpoint::EndpointSnapshot;
use crate::domain::{Change, ChangeStatus, CustomerId, Event, EventId, EventKind, ReadCampaign, Subject};
use crate::error::Error;
use crate::store::change::ChangeSnapshot;
use crate::store::due::event_kind;
use crate::store::{Item, from_item, table_keys, to_item};
use api_key::ApiKeyAttribute;
use connection::ConnectionAttribute;
use figures::{BillingAttribute, LimitAttribute, QuotaAttribute};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use user::UserAttribute;
use uuid::Uuid;

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct EventItem {
    kind: EventKind,
    request: Option<Uuid>,
    #[serde(flatten)]
    subject: SubjectAttributes,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
    due_kind: Option<String>,
    #[serde(default, with = "second::optional")]
    due_at: Option<Timestamp>,
    /// Key of the index `user`.
    user_key: Option<String>,
}

/// What the event is about: one of them.
#[skip_serializing_none]
#[derive(Default, Serialize, Deserialize)]
struct SubjectAttributes {
    /// The change as it was then.
    change: Option<ChangeSnapshot>,
    /// The state of the change before.
    previous: Option<ChangeStatus>,
    /// The campaign as it was read, if the change does not say the same.
    campaign: Option<ReadCampaign>,
    connection: Option<ConnectionAttribute>,
    api_key: Option<ApiKeyAttribute>,
    user: Option<UserAttribute>,
    limit: Option<LimitAttribute>,
    quota: Option<QuotaAttribute>,
    billing: Option<BillingAttribute>,
    endpoint: Option<EndpointSnapshot>,
}

/// The item of an event, which is due for its deliveries at once.
pub(super) fn item(event: &Event) -> Result<Item, Error> {
    let Event { id, customer, kind, request, subject } = event;
    let item = EventItem {
        kind: *kind,
        request: *request,
        subject: SubjectAttributes::from(subject),
        expires_at: event.expires_at(),
        due_kind: Some(event_kind(*id)),
        due_at: Some(event.at()),
        user_key: subject.external_ref().map(|user| table_keys::user_key(*customer, user)),
    };
    to_item(&table_keys::event(*customer, *id), &item)
}

/// Parses an event. Its id is in the sort key.
pub(super) fn parse(customer: CustomerId, item: Item) -> Result<Event, Error> {
    let id = id_of(&item).ok_or_else(corrupt)?;
    let EventItem { kind, request, subject, expires_at: _, due_kind: _, due_at: _, user_key: _ } = from_item(item)?;
    Ok(Event { id, customer, kind, request, subject: subject.subject(customer)? })
}

/// Parses the id and the type of an event.
pub(super) fn parse_kind(item: Item) -> Result<(EventId, EventKind), Error> {
    let id = id_of(&item).ok_or_else(corrupt)?;
    let kind = item.get("kind").and_then(|kind| EventKind::parse(kind.as_s().ok()?)).ok_or_else(corrupt)?;
    Ok((id, kind))
}

/// The id of an event by the keys of its item.
pub(super) fn id_of(item: &Item) -> Option<EventId> {
    table_keys::parse_event_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}

impl From<&Subject> for SubjectAttributes {
    fn from(subject: &Subject) -> SubjectAttributes {
        let none = SubjectAttributes::default();
        match subject {
            Subject::Change { change, previous, campaign } => SubjectAttributes {
                change: Some(ChangeSnapshot::of(change)),
                previous: *previous,
                campaign: campaign.as_deref().filter(|seen| !is_of(seen, change)).cloned(),
                ..none
            },
            Subject::Connection { connection, previous } => {
                let connection = ConnectionAttribute::of(connection, previous.as_ref());
                SubjectAttributes { connection: Some(connection), ..none }
            }
            Subject::ApiKey { key, previous } => {
                SubjectAttributes { api_key: Some(ApiKeyAttribute::of(key, previous.as_ref())), ..none }
            }
            Subject::User { user, previous } => {
                SubjectAttributes { user: Some(UserAttribute::of(user, previous)), ..none }
            }
            Subject::Limit { refusal, count } => {
                SubjectAttributes { limit: Some(LimitAttribute::of(refusal, *count)), ..none }
            }
            Subject::Quota { plan, usage } => {
                SubjectAttributes { quota: Some(QuotaAttribute::of(*plan, *usage)), ..none }
            }
            Subject::Billing { billing, previous } => {
                SubjectAttributes { billing: Some(BillingAttribute::of(billing, previous)), ..none }
            }
            Subject::Endpoint(endpoint) => {
                SubjectAttributes { endpoint: Some(EndpointSnapshot::clone(endpoint)), ..none }
            }
        }
    }
}

/// Whether a campaign is as its change has read it.
fn is_of(seen: &ReadCampaign, change: &Change) -> bool {
    ReadCampaign::of(change).as_ref() == Some(seen)
}

impl SubjectAttributes {
    fn subject(self, customer: CustomerId) -> Result<Subject, Error> {
        match self {
            SubjectAttributes { change: Some(change), previous, campaign, .. } => {
                let change = change.change(customer);
                let campaign = campaign.or_else(|| ReadCampaign::of(&change)).map(Box::new);
                Ok(Subject::Change { change: Box::new(change), previous, campaign })
            }
            SubjectAttributes { connection: Some(connection), .. } => Ok(connection.subject()),
            SubjectAttributes { api_key: Some(key), .. } => Ok(key.subject()),
            SubjectAttributes { user: Some(user), .. } => Ok(user.subject()),
            SubjectAttributes { limit: Some(limit), .. } => Ok(limit.subject()),
            SubjectAttributes { quota: Some(quota), .. } => Ok(quota.subject()),
            SubjectAttributes { billing: Some(billing), .. } => Ok(billing.subject()),
            SubjectAttributes { endpoint: Some(endpoint), .. } => Ok(Subject::Endpoint(Box::new(endpoint))),
            SubjectAttributes { .. } => Err(corrupt()),
        }
    }
}

fn corrupt() -> Error {
    Error::internal("a corrupt event")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::spending::{LimitName, RefusedAmounts, Spender};
    use crate::domain::webhook_endpoint::EndpointSnapshot;
    use crate::domain::{
        BillingBefore, BillingStatus, CampaignDefaults, Connection, ConnectionBefore, ConnectionId, ConnectionStatus,
        Currency, EndpointId, EndpointStatus, EndpointUrl, EventTypes, ExternalRef, KeyBefore, KeyId, KeySnapshot,
        LimitRefusal, PayloadShape, Plan, Platform, Scope, SubscriptionStatus, Usage, UserBefore, UserSnapshot,
    };
    use crate::store::stored::assert_stored;

    const NOW: Timestamp = Timestamp::constant(1_790_000_000, 123_000_000);

    fn connection() -> Subject {
        let connection = Connection {
            id: ConnectionId("conn_1".to_owned()),
            platform: Platform::Alpha,
            status: ConnectionStatus::Error,
            reason: Some("why".to_owned()),
            label: Some("Main".to_owned()),
            external_ref: ExternalRef::parse("user42"),
            campaign_defaults: Some(CampaignDefaults {
                country: Some("DE".to_owned()),
                language: Some("de".to_owned()),
                special_ad_categories: None,
            }),
            account: None,
            grant_id: None,
            created_at: NOW,
            last_synced_at: Some(NOW),
            paused_until: None,
        };
        let external_ref = ExternalRef::parse("user41");
        let previous = Some(ConnectionBefore {
            status: ConnectionStatus::Active,
            reason: None,
            label: None,
            external_ref,
            campaign_defaults: Some(CampaignDefaults {
                special_ad_categories: Some(Vec::new()),
                ..CampaignDefaults::default()
            }),
        });
        Subject::Connection { connection: Box::new(connection), previous }
    }

    fn key(previous: Option<KeyBefore>) -> Subject {
        let key = KeySnapshot {
            id: KeyId("key_default".to_owned()),
            name: "default".to_owned(),
            prefix: "uak_test_1".to_owned(),
            scopes: Scope::FULL.into(),
            created_at: NOW,
            expires_at: Some(NOW),
            last_used_at: None,
            stopped_at: Some(NOW),
        };
        Subject::ApiKey { key: Box::new(key), previous }
    }

    fn refusal() -> Subject {
        let usd = Currency::from_code("USD").unwrap();
        let amounts = RefusedAmounts { amount: 10.into(), reserved: 4.into(), left: 6.into(), needed: 7.into() };
        let (limit, message) = (LimitName::PerChange, "too much".to_owned());
        let of = Spender::Key(KeyId("key_1".to_owned()));
        let refusal = LimitRefusal { of, limit, currency: Some(usd), amounts: Some(amounts), message };
        Subject::Limit { refusal: Box::new(refusal), count: 3 }
    }

    fn few_of_a_refusal(of: Spender) -> Subject {
        let (limit, message) = (LimitName::Connection, "no".into());
        let refusal = LimitRefusal { of, limit, currency: None, amounts: None, message };
        Subject::Limit { refusal: Box::new(refusal), count: 1 }
    }

    fn user(label: Option<&str>, is_paused: bool, previous: UserBefore) -> Subject {
        let (external_ref, label) = (ExternalRef::parse("user42").unwrap(), label.map(str::to_owned));
        Subject::User { user: Box::new(UserSnapshot { external_ref, label, is_paused }), previous }
    }

    fn few_of_a_connection() -> Subject {
        let Subject::Connection { connection, .. } = connection() else { unreachable!() };
        let connection = Connection {
            status: ConnectionStatus::Active,
            reason: None,
            label: None,
            external_ref: None,
            campaign_defaults: None,
            last_synced_at: None,
            ..*connection
        };
        Subject::Connection { connection: Box::new(connection), previous: None }
    }

    fn endpoint(types: EventTypes) -> Subject {
        let is_all = types == EventTypes::All;
        Subject::Endpoint(Box::new(EndpointSnapshot {
            id: EndpointId::of_bits(&[7; 32]),
            url: EndpointUrl::of_checked("https://example.com/hook".to_owned()),
            types,
            shape: PayloadShape::Flat,
            description: is_all.then(|| "note".to_owned()),
            status: EndpointStatus::Disabled,
            disabled_reason: is_all.then(|| "GONE".to_owned()),
            created_at: NOW,
        }))
    }

    #[test]
    fn an_event_survives_a_round_trip() {
        let (plan, usage, customer) = (Plan::Pro, Usage::of_month(NOW), CustomerId(Uuid::from_u128(7)));
        let status = SubscriptionStatus::new("past_due");
        let billing = Box::new(BillingStatus { plan, status: status.clone(), usage });
        let before = BillingBefore { plan: Some(Plan::Starter), status: Some(status) };
        let mut items = Vec::new();
        for (kind, subject) in [
            (EventKind::ConnectionError, connection()),
            (EventKind::ApiKeyCreated, key(None)),
            (EventKind::ApiKeyStopped, key(Some(KeyBefore::NotStopped))),
            (EventKind::ApiKeyRotated, key(Some(KeyBefore::Secret { prefix: "old".to_owned(), created_at: NOW }))),
            (EventKind::LimitRefused, refusal()),
            (EventKind::Quota80Percent, Subject::Quota { plan, usage }),
            (EventKind::BillingPastDue, Subject::Billing { billing: billing.clone(), previous: before }),
            (
                EventKind::BillingPastDue,
                Subject::Billing { billing, previous: BillingBefore { plan: None, status: None } },
            ),
            (EventKind::LimitRefused, few_of_a_refusal(Spender::Key(KeyId("key_1".to_owned())))),
            (EventKind::LimitRefused, few_of_a_refusal(Spender::User(ExternalRef::parse("user42").unwrap()))),
            (EventKind::UserPaused, user(Some("Shop"), true, UserBefore::IsPaused(false))),
            (EventKind::UserResumed, user(None, false, UserBefore::IsPaused(true))),
            (EventKind::UserUpdated, user(None, true, UserBefore::Label(Some("Shop".to_owned())))),
            (EventKind::UserUpdated, user(Some("Shop"), false, UserBefore::Label(None))),
            (EventKind::ConnectionRemoved, few_of_a_connection()),
            (EventKind::WebhookEndpointDisabled, endpoint(EventTypes::All)),
            (EventKind::WebhookEndpointDisabled, endpoint(EventTypes::Only([EventKind::LimitRefused].into()))),
        ] {
            let id = EventId::of_name(NOW, kind.as_str());
            let event = Event { id, customer, kind, request: Some(Uuid::from_u128(1)), subject };
            let stored = item(&event).unwrap();
            items.push(stored.clone());
            assert_eq!(parse(customer, stored).unwrap(), event);
        }
        assert_stored("event", items);
    }
}
