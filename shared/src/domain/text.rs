//! Ids, names and times that serialize as their text.

use super::delivery::DeliveryStatus;
use super::spending::LimitName;
use super::{
    BulkId, CampaignId, ChangeId, ChangeKind, ChangeStatus, EndpointId, EndpointStatus, EventId, EventKind, Executor,
    ExternalRef, Moment, PayloadShape, Plan, Reference, Role, Scope,
};
use rust_decimal::Decimal;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::{DeserializeAs, SerializeAs};

/// Serializes types as the text that `Display` writes and that `parse` reads.
macro_rules! serialize_as_text {
    ($($type:ty),+ $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                <$type>::parse(&text).ok_or_else(|| D::Error::custom(concat!("not a valid ", stringify!($type))))
            }
        }
    )+};
}

serialize_as_text!(BulkId, CampaignId, ChangeId, EndpointId, EventId, ExternalRef, Moment, Reference);
serialize_as_text!(ChangeKind, ChangeStatus, DeliveryStatus, EndpointStatus, EventKind, Executor, LimitName);
serialize_as_text!(PayloadShape, Plan, Role, Scope);

/// Serializes an amount as text with all its digits, because a number of DynamoDB may lose some.
pub(crate) struct AmountAsText;

impl SerializeAs<Decimal> for AmountAsText {
    fn serialize_as<S: Serializer>(amount: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(amount)
    }
}

impl<'de> DeserializeAs<'de, Decimal> for AmountAsText {
    fn deserialize_as<D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        Decimal::from_str_exact(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
