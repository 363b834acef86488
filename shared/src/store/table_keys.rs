//! The layout of the one table: every partition and sort key there is.
//!
//! | record | pk | sk |
//! |---|---|---|
//! | account, with the key's hash, the rate and the period's count | `CUSTOMER#{customer}` | `ACCOUNT` |
//! | connection | `CUSTOMER#{customer}` | `LINK#CONNECTION#{platform}#{ad account}` |
//! | PENDING connection | `CUSTOMER#{customer}` | `LINK#PENDING#{connection}` |
//! | grant (tokens) | `CUSTOMER#{customer}` | `LINK#GRANT#{grant}` |
//! | what we know of a campaign | `CUSTOMER#{customer}` | `CAMPAIGN#{campaign}` |
//! | what a create wants in one ad account | `CUSTOMER#{customer}` | `INTENT#{first request}#{place}` |
//! | a retry under an `Idempotency-Key` | `CUSTOMER#{customer}` | `RETRY#{request}` |
//! | what became of an `Idempotency-Key` | `CUSTOMER#{customer}` | `IDEMPOTENCY#{SHA-256 of the key}` |
//! | creates of one name that are not settled | `AD_ACCOUNT#{platform}#{ad account}` | `NAME#{SHA-256 of the name}` |
//! | which create a campaign came of | `AD_ACCOUNT#{platform}#{ad account}` | `MADE#{id there}` |
//! | redirect URI | `CUSTOMER#{customer}` | `REDIRECT_URI#{id}` |
//! | how many of them there are | `CUSTOMER#{customer}` | `REDIRECT_URIS` |
//! | entry of the usage log | `USAGE#{customer}` | `{milliseconds}#{request}` |
//! | how the customer stands at the payment provider | `CUSTOMER#{customer}` | `BILLING` |
//! | whose a customer of the payment provider is | `PAYMENT_CUSTOMER#{id}` | `PAYMENT_CUSTOMER` |
//! | an event of the payment provider that was taken | `PAYMENT_EVENT#{id}` | `PAYMENT_EVENT` |
//! | authorization under way | `STATE#{SHA-256 of state}` | `STATE` |
//!
//! An index beside the table, `due`, leads to what needs attention at some time: grants, PENDING connections, and
//! intents of which it is not known what became.
//!
//! The account is keyed by the customer id that the API key carries, so authentication is one update; all `LINK#`
//! records come with one query beside it.

use crate::digest::sha256_hex;
use crate::domain::{CampaignId, ConnectionId, CustomerId, GrantId, IntentId, Platform, RedirectUriId, UsagePosition};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;
use uuid::Uuid;

/// Name of the partition key attribute.
pub const PARTITION: &str = "pk";
/// Name of the sort key attribute.
pub const SORT: &str = "sk";
/// Name of the attribute that the store's own expiry reads, in seconds since 1970.
pub const EXPIRES_AT: &str = "expires_at";
/// What the sort keys of connections and grants begin with.
pub const LINK_PREFIX: &str = "LINK#";
const CUSTOMER_PREFIX: &str = "CUSTOMER#";
/// What the sort keys of grants begin with.
pub(super) const GRANT_PREFIX: &str = "LINK#GRANT#";
const PENDING_PREFIX: &str = "LINK#PENDING#";
const INTENT_PREFIX: &str = "INTENT#";

/// Name of the index of what needs attention at some time, by [`DUE_KIND`] and [`DUE_AT`]. Only records that have
/// both are in it, and it holds nothing but keys.
pub const DUE_INDEX: &str = "due";
/// What kind of attention a record needs.
pub const DUE_KIND: &str = "due_kind";
/// When it needs it, in seconds since 1970.
pub const DUE_AT: &str = "due_at";
/// [`DUE_KIND`] of a grant.
pub const DUE_GRANT: &str = "GRANT";
/// [`DUE_KIND`] of a PENDING connection.
pub const DUE_PENDING: &str = "PENDING";
/// [`DUE_KIND`] of an intent.
pub const DUE_INTENT: &str = "INTENT";
/// What the sort keys of redirect URIs begin with.
pub const REDIRECT_URI_PREFIX: &str = "REDIRECT_URI#";

/// The key of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
}

impl Key {
    /// The key as the store wants it.
    pub fn attributes(&self) -> HashMap<String, AttributeValue> {
        HashMap::from([
            (PARTITION.to_owned(), AttributeValue::S(self.pk.clone())),
            (SORT.to_owned(), AttributeValue::S(self.sk.clone())),
        ])
    }
}

/// The partition of a customer.
pub fn customer(id: CustomerId) -> String {
    format!("{CUSTOMER_PREFIX}{id}")
}

/// The customer of a partition.
pub fn parse_customer_pk(pk: &str) -> Option<CustomerId> {
    pk.strip_prefix(CUSTOMER_PREFIX)?.parse().ok().map(CustomerId)
}

/// The grant of a sort key.
pub fn parse_grant_sk(sk: &str) -> Option<GrantId> {
    Some(GrantId(sk.strip_prefix(GRANT_PREFIX)?.to_owned()))
}

/// The PENDING connection of a sort key.
pub fn parse_pending_sk(sk: &str) -> Option<ConnectionId> {
    Some(ConnectionId(sk.strip_prefix(PENDING_PREFIX)?.to_owned()))
}

/// The intent of a sort key.
pub fn parse_intent_sk(sk: &str) -> Option<IntentId> {
    IntentId::parse(sk.strip_prefix(INTENT_PREFIX)?)
}

/// A customer's account.
pub fn account(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "ACCOUNT".to_owned() }
}

/// The connection of an ad account: one per account, whoever connects it how often.
pub fn connection(id: CustomerId, platform: Platform, account_id: &str) -> Key {
    Key { pk: customer(id), sk: format!("{LINK_PREFIX}CONNECTION#{platform}#{account_id}") }
}

/// A connection whose user has not come back yet.
pub fn pending(id: CustomerId, connection: &ConnectionId) -> Key {
    Key { pk: customer(id), sk: format!("{PENDING_PREFIX}{connection}") }
}

/// A grant.
pub fn grant(id: CustomerId, grant: &GrantId) -> Key {
    Key { pk: customer(id), sk: format!("{GRANT_PREFIX}{}", grant.0) }
}

/// What we know of a campaign.
pub fn campaign(id: CustomerId, campaign: &CampaignId) -> Key {
    Key { pk: customer(id), sk: format!("CAMPAIGN#{campaign}") }
}

/// What a create wants in one ad account.
pub fn intent(id: CustomerId, intent: IntentId) -> Key {
    Key { pk: customer(id), sk: format!("{INTENT_PREFIX}{intent}") }
}

/// What the sort keys of a request's intents begin with.
pub fn intents_prefix(request: Uuid) -> String {
    format!("{INTENT_PREFIX}{request}#")
}

/// A request that took up what an earlier one with the same `Idempotency-Key` had left.
pub fn retry(id: CustomerId, request: Uuid) -> Key {
    Key { pk: customer(id), sk: format!("RETRY#{request}") }
}

/// What became of an `Idempotency-Key`.
pub fn idempotency(id: CustomerId, key: &str) -> Key {
    idempotency_by_digest(id, &key_digest(key))
}

/// The same by the key's digest.
pub fn idempotency_by_digest(id: CustomerId, digest: &str) -> Key {
    Key { pk: customer(id), sk: format!("IDEMPOTENCY#{digest}") }
}

/// The digest of an `Idempotency-Key`. The table has no more of the key: its text is the caller's.
pub fn key_digest(key: &str) -> String {
    sha256_hex(key)
}

/// The partition of an ad account, whoever has connected it: two customers may have.
fn ad_account(platform: Platform, account_id: &str) -> String {
    format!("AD_ACCOUNT#{platform}#{account_id}")
}

/// Creates of one name in one ad account that are not settled.
pub fn concurrent_creates(platform: Platform, account_id: &str, name: &str) -> Key {
    Key { pk: ad_account(platform, account_id), sk: format!("NAME#{}", sha256_hex(name)) }
}

/// Which create a campaign came of.
pub fn campaign_owner(platform: Platform, account_id: &str, remote_id: &str) -> Key {
    Key { pk: ad_account(platform, account_id), sk: format!("MADE#{remote_id}") }
}

/// A redirect URI. Its id follows from the URI, so that the same URI is the same item.
pub fn redirect_uri(id: CustomerId, uri: &RedirectUriId) -> Key {
    Key { pk: customer(id), sk: format!("{REDIRECT_URI_PREFIX}{uri}") }
}

/// How many redirect URIs there are.
pub fn redirect_uri_count(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "REDIRECT_URIS".to_owned() }
}

/// The partition of a customer's usage log. Not the customer's own: whatever reads that one would wade through it.
pub fn usage_log(id: CustomerId) -> String {
    format!("USAGE#{id}")
}

/// An entry of a usage log, in the order of time.
pub fn usage_entry(id: CustomerId, position: &UsagePosition) -> Key {
    Key { pk: usage_log(id), sk: position.to_string() }
}

/// How a customer stands at the payment provider.
pub fn billing(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "BILLING".to_owned() }
}

/// Whose a customer of the payment provider is.
pub fn payment_customer(payment_customer: &str) -> Key {
    Key { pk: format!("PAYMENT_CUSTOMER#{payment_customer}"), sk: "PAYMENT_CUSTOMER".to_owned() }
}

/// An event of the payment provider that was taken.
pub fn payment_event(id: &str) -> Key {
    Key { pk: format!("PAYMENT_EVENT#{id}"), sk: "PAYMENT_EVENT".to_owned() }
}

/// An authorization under way.
pub fn authorization(state_hash: &str) -> Key {
    Key { pk: format!("STATE#{state_hash}"), sk: "STATE".to_owned() }
}
