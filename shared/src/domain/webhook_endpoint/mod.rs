//! Webhook endpoints: the addresses of a customer that receive its events.

mod event_types;
mod secret;

pub use event_types::{EventTypes, EventTypesError};
pub use secret::{EndpointSecrets, PreviousSecret, SECRET_OVERLAP, SealedSecret, WebhookSecret};

use super::variants;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use std::fmt;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Maximum number of webhook endpoints per customer.
pub const MAX_WEBHOOK_ENDPOINTS: i64 = 5;

/// Identifies an endpoint: `we_` and 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndpointId(String);

impl EndpointId {
    /// The id of random bits.
    pub fn of_bits(bits: &[u8; 32]) -> EndpointId {
        EndpointId(format!("we_{}", &hex::encode(bits)[..32]))
    }

    /// Parses an id; `None` for any other text.
    pub fn parse(text: &str) -> Option<EndpointId> {
        let digits = text.strip_prefix("we_")?;
        let is_id = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_id.then(|| EndpointId(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EndpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The address of an endpoint, in the canonical spelling. `UrlPolicy` of the outbound calls has judged it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointUrl(String);

impl EndpointUrl {
    /// An address that was checked, now or before it was stored.
    pub fn of_checked(text: String) -> EndpointUrl {
        EndpointUrl(text)
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An endpoint. Its secrets are encrypted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookEndpoint {
    pub id: EndpointId,
    pub url: EndpointUrl,
    /// The events that it receives.
    pub types: EventTypes,
    /// The shape of the events' payload.
    pub shape: PayloadShape,
    /// The customer's own note.
    pub description: Option<String>,
    pub status: EndpointStatus,
    /// The reason why the service has disabled it; `None` if the customer has.
    pub disabled_reason: Option<String>,
    /// The time of the oldest event that it has refused since its last success, if the service has disabled it: a replay
    /// begins there.
    pub missed_since: Option<Timestamp>,
    pub created_at: Timestamp,
    pub secrets: EndpointSecrets,
}

impl WebhookEndpoint {
    /// Distinguishes the secrets that the endpoint has had. A page may show it.
    pub fn secret_version(&self) -> i64 {
        self.secrets.previous.as_ref().map_or(self.created_at, |previous| previous.until).as_millisecond()
    }
}

/// An endpoint without its secrets, as events contain it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointSnapshot {
    pub id: EndpointId,
    pub url: EndpointUrl,
    pub types: EventTypes,
    pub shape: PayloadShape,
    pub description: Option<String>,
    pub status: EndpointStatus,
    pub disabled_reason: Option<String>,
    pub created_at: Timestamp,
}

impl From<&WebhookEndpoint> for EndpointSnapshot {
    fn from(endpoint: &WebhookEndpoint) -> EndpointSnapshot {
        let WebhookEndpoint {
            id,
            url,
            types,
            shape,
            description,
            status,
            disabled_reason,
            missed_since: _,
            created_at,
            secrets: _,
        } = endpoint.clone();
        EndpointSnapshot { id, url, types, shape, description, status, disabled_reason, created_at }
    }
}

/// Changes of an endpoint by its customer; `None` keeps a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointChanges {
    pub url: Option<EndpointUrl>,
    pub types: Option<EventTypes>,
    pub shape: Option<PayloadShape>,
    /// The new description; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// Enabling also removes the reason why the service has disabled it.
    pub status: Option<EndpointStatus>,
}

/// Whether an endpoint receives events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum EndpointStatus {
    /// It receives events.
    Enabled,
    /// Events are kept, and not sent.
    Disabled,
}

impl EndpointStatus {
    /// Every status.
    pub const ALL: [EndpointStatus; 2] = variants();

    /// The name in the API and in the table.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<EndpointStatus> {
        name.parse().ok()
    }
}

/// The shape of an event's payload: the spelling of goals, statuses and platforms, as the API has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum PayloadShape {
    Flat,
    Enveloped,
}

impl PayloadShape {
    /// Every shape.
    pub const ALL: [PayloadShape; 2] = variants();

    /// The name in the API and in the table.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the name.
    pub fn parse(name: &str) -> Option<PayloadShape> {
        name.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_a_round_trip_and_other_texts_are_none() {
        let id = EndpointId::of_bits(&[0xa7; 32]);
        assert_eq!(EndpointId::parse(id.as_str()), Some(id.clone()));
        let (upper, longer) = (id.as_str().to_uppercase(), format!("{id}0"));
        for other in ["", "we_", "we_0", "key_00112233445566778899aabbccddeeff", &upper, &longer] {
            assert_eq!(EndpointId::parse(other), None, "{other}");
        }
    }
}
