//! Keys of the DynamoDB table, and a glossary of its records.
//!
//! | record | pk | sk |
//! |---|---|---|
//! | account | `CUSTOMER#{customer}` | `ACCOUNT` |
//! | connection | `CUSTOMER#{customer}` | `LINK#CONNECTION#{platform}#{ad account}` |
//! | PENDING connection | `CUSTOMER#{customer}` | `LINK#PENDING#{connection}` |
//! | connection id | `CUSTOMER#{customer}` | `CONNECTION_ID#{connection}` |
//! | grant | `CUSTOMER#{customer}` | `LINK#GRANT#{grant}` |
//! | remaining checks | `CUSTOMER#{customer}` | `CHECKS` |
//! | campaign record | `CUSTOMER#{customer}` | `CAMPAIGN#{campaign}` |
//! | intent | `CUSTOMER#{customer}` | `INTENT#{first request}#{target}` |
//! | retry | `CUSTOMER#{customer}` | `RETRY#{request}` |
//! | idempotency key | `CUSTOMER#{customer}` | `IDEMPOTENCY#{SHA-256 of the key}` |
//! | open creates of a name | `AD_ACCOUNT#{platform}#{ad account}` | `NAME#{SHA-256 of the name}` |
//! | campaign owner | `AD_ACCOUNT#{platform}#{ad account}` | `MADE#{id on the platform}` |
//! | redirect URI | `CUSTOMER#{customer}` | `REDIRECT_URI#{id}` |
//! | redirect URI count | `CUSTOMER#{customer}` | `REDIRECT_URIS` |
//! | usage log entry | `USAGE#{customer}` | `{milliseconds}#{request}` |
//! | billing | `CUSTOMER#{customer}` | `BILLING` |
//! | payment customer | `PAYMENT_CUSTOMER#{id}` | `PAYMENT_CUSTOMER` |
//! | checkout session | `CHECKOUT#{id}` | `CHECKOUT` |
//! | processed payment event | `PAYMENT_EVENT#{id}` | `PAYMENT_EVENT` |
//! | authorization | `STATE#{SHA-256 of state}` | `STATE` |
//! | authorization count | `CUSTOMER#{customer}` | `AUTHORIZATIONS` |
//! | sign-in | `SIGN_IN#{SHA-256 of state}` | `SIGN_IN` |
//! | person | `PERSON#{SHA-256 of issuer and subject}` | `PERSON` |
//! | person of a customer | `CUSTOMER#{customer}` | `PERSON#{SHA-256 of issuer and subject}` |
//! | invitation | `CUSTOMER#{customer}` | `INVITATION#{SHA-256 of the invitation}` |
//! | session | `CUSTOMER#{customer}` | `SESSION#{SHA-256 of the cookie}` |
//!
//! - **Account**: the customer, its API keys, the counters of rate limit and quota, the **slots** of its requests in
//!   flight, and the number of its connections. An API key contains the customer id, so authentication is one update.
//! - **Connection**: an ad account of a customer. It is PENDING until the user finishes the consent. The prefix `LINK#`
//!   lets one query read all connections and grants.
//! - **Connection id**: the sort key of the connection with this id. The transactions that add or remove a connection
//!   keep it, and the counts in the account and the grant.
//! - **Grant**: the sealed tokens of one OAuth consent, and the number of connections that use it. A **lease** lets one
//!   process at a time refresh it, and the lease's **fencing token** rejects late writes of earlier holders.
//! - **Remaining checks**: the grant at which maintenance continues a sync that had no time for all grants.
//! - **Campaign record**: the requested goal and budget period, which platforms do not store, and times of changes.
//! - **Intent**: a campaign create in one ad account, stored before it is sent. While its outcome is unknown,
//!   maintenance **reconciles** it: it searches for the campaign at the platform.
//! - **Retry**: links a request to the first one with the same `Idempotency-Key`.
//! - **Idempotency key**: the request that holds the key under a lease, and then its final response.
//! - **Open creates** (`NAME#`): the intents of one campaign name that have no outcome yet. A campaign found by a
//!   search may belong to any of them. Their number is bounded.
//! - **Campaign owner** (`MADE#`): the intent that has claimed a campaign. Two intents never report the same campaign.
//! - **Billing**: the payment customer and the subscription state. The **payment customer** record leads from a webhook
//!   to the customer, and a **processed event** is not applied twice. The record of a **checkout session** leads from
//!   the return page to the customer; sessions without one never reach the payment provider.
//! - **Authorization**: an OAuth consent in progress. The **authorization count** is the number of those that a customer
//!   ever began: a new one begins only if none has begun since its request read the PENDING connections.
//! - **Sign-in**: a sign-in to the dashboard in progress, bound to the browser that began it.
//! - **Person**: leads from the issuer's name for a person to the customer, and a **person of a customer** is the entry
//!   in the customer's list. The **invitation** of an operator lets one person join an existing customer; its link
//!   contains the customer id.
//! - **Session**: a browser in which a person has signed in. The cookie contains the customer id, so a page costs one
//!   read of session and account.
//!
//! The index `due` contains the records that maintenance handles at a given time: grants, PENDING connections,
//! intents with an unknown outcome, and remaining checks.

use crate::digest::sha256_hex;
use crate::domain::{
    CampaignId, ConnectionId, CustomerId, GrantId, IntentId, PersonId, Platform, RedirectUriId, UsagePosition,
};
use aws_sdk_dynamodb::types::AttributeValue;
use std::collections::HashMap;
use uuid::Uuid;

/// Name of the partition key attribute.
pub const PARTITION: &str = "pk";
/// Name of the sort key attribute.
pub const SORT: &str = "sk";
/// Name of the attribute of DynamoDB's time to live, in seconds since 1970.
pub const EXPIRES_AT: &str = "expires_at";
/// Prefix of the sort keys of connections and grants.
pub const LINK_PREFIX: &str = "LINK#";
const CUSTOMER_PREFIX: &str = "CUSTOMER#";
const AD_ACCOUNT_PREFIX: &str = "AD_ACCOUNT#";
const USAGE_PREFIX: &str = "USAGE#";
const PAYMENT_CUSTOMER_PREFIX: &str = "PAYMENT_CUSTOMER#";
const PAYMENT_EVENT_PREFIX: &str = "PAYMENT_EVENT#";
const CHECKOUT_PREFIX: &str = "CHECKOUT#";
const STATE_PREFIX: &str = "STATE#";
const SIGN_IN_PREFIX: &str = "SIGN_IN#";
/// Prefix of the partition keys of people, and of the sort keys of a customer's people.
pub(super) const PERSON_PREFIX: &str = "PERSON#";
/// Prefix of the sort keys of invitations.
pub(super) const INVITATION_PREFIX: &str = "INVITATION#";
/// Prefixes of all partition keys. The roles in `template.yaml` limit access by them.
pub const PARTITION_PREFIXES: [&str; 9] = [
    CUSTOMER_PREFIX,
    AD_ACCOUNT_PREFIX,
    USAGE_PREFIX,
    PAYMENT_CUSTOMER_PREFIX,
    PAYMENT_EVENT_PREFIX,
    CHECKOUT_PREFIX,
    STATE_PREFIX,
    SIGN_IN_PREFIX,
    PERSON_PREFIX,
];
/// Prefix of the sort keys of connections, apart from PENDING ones.
pub(super) const CONNECTION_PREFIX: &str = "LINK#CONNECTION#";
/// Prefix of the sort keys of grants. They follow those of connections.
pub(super) const GRANT_PREFIX: &str = "LINK#GRANT#";
/// Prefix of the sort keys of PENDING connections.
pub(super) const PENDING_PREFIX: &str = "LINK#PENDING#";
const CONNECTION_ID_PREFIX: &str = "CONNECTION_ID#";
/// The start of the sort key of campaign records.
pub(super) const CAMPAIGN_PREFIX: &str = "CAMPAIGN#";
const INTENT_PREFIX: &str = "INTENT#";
const REMAINING_CHECKS: &str = "CHECKS";

/// Name of the index of due records, by [`DUE_KIND`] and [`DUE_AT`]. It contains the keys of the records that have
/// both.
pub const DUE_INDEX: &str = "due";
/// Name of the attribute with the kind of a due record.
pub const DUE_KIND: &str = "due_kind";
/// Name of the attribute with the time at which a record is due, in seconds since 1970.
pub const DUE_AT: &str = "due_at";
/// [`DUE_KIND`] of a grant.
pub const DUE_GRANT: &str = "GRANT";
/// [`DUE_KIND`] of a grant whose refresh token rotates.
pub const DUE_ROTATING: &str = "ROTATING";
/// [`DUE_KIND`] of a PENDING connection.
pub const DUE_PENDING: &str = "PENDING";
/// [`DUE_KIND`] of an intent, before `#` and the number of its shard.
pub const DUE_INTENT: &str = "INTENT";
/// [`DUE_KIND`] of remaining checks.
pub const DUE_CHECKS: &str = "CHECKS";
/// Prefix of the sort keys of redirect URIs.
pub const REDIRECT_URI_PREFIX: &str = "REDIRECT_URI#";
/// Prefix of the sort keys of sessions.
pub const SESSION_PREFIX: &str = "SESSION#";

/// The key of one item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Partition key.
    pub pk: String,
    /// Sort key.
    pub sk: String,
}

impl Key {
    /// The key as attributes.
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

/// Parses the partition key of a customer.
pub fn parse_customer_pk(pk: &str) -> Option<CustomerId> {
    pk.strip_prefix(CUSTOMER_PREFIX)?.parse().ok().map(CustomerId)
}

/// Parses the sort key of a grant.
pub fn parse_grant_sk(sk: &str) -> Option<GrantId> {
    Some(GrantId(sk.strip_prefix(GRANT_PREFIX)?.to_owned()))
}

/// Parses the sort key of a PENDING connection.
pub fn parse_pending_sk(sk: &str) -> Option<ConnectionId> {
    Some(ConnectionId(sk.strip_prefix(PENDING_PREFIX)?.to_owned()))
}

/// Parses the sort key of an intent.
pub fn parse_intent_sk(sk: &str) -> Option<IntentId> {
    IntentId::parse(sk.strip_prefix(INTENT_PREFIX)?)
}

/// A customer's account.
pub fn account(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "ACCOUNT".to_owned() }
}

/// The connection of an ad account. Connecting the account again keeps it.
pub fn connection(id: CustomerId, platform: Platform, account_id: &str) -> Key {
    Key { pk: customer(id), sk: format!("{}{account_id}", connections_of(platform)) }
}

/// Prefix of the sort keys of a platform's connections.
pub(super) fn connections_of(platform: Platform) -> String {
    format!("{CONNECTION_PREFIX}{platform}#")
}

/// The sort key of a connection, by its id.
pub fn connection_id(id: CustomerId, connection: &str) -> Key {
    Key { pk: customer(id), sk: format!("{CONNECTION_ID_PREFIX}{connection}") }
}

/// Parses the sort key of a connection id.
pub(super) fn parse_connection_id_sk(sk: &str) -> Option<&str> {
    sk.strip_prefix(CONNECTION_ID_PREFIX)
}

/// A PENDING connection.
pub fn pending(id: CustomerId, connection: &ConnectionId) -> Key {
    pending_by_id(id, &connection.0)
}

/// A PENDING connection, by an id from a request.
pub(super) fn pending_by_id(id: CustomerId, connection: &str) -> Key {
    Key { pk: customer(id), sk: format!("{PENDING_PREFIX}{connection}") }
}

/// A grant.
pub fn grant(id: CustomerId, grant: &GrantId) -> Key {
    Key { pk: customer(id), sk: format!("{GRANT_PREFIX}{}", grant.0) }
}

/// The number of authorizations that a customer has begun.
pub fn authorization_count(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "AUTHORIZATIONS".to_owned() }
}

/// The remaining checks of a customer's grants.
pub fn remaining_checks(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: REMAINING_CHECKS.to_owned() }
}

/// Parses the sort key of remaining checks.
pub(super) fn parse_remaining_checks_sk(sk: &str) -> Option<()> {
    (sk == REMAINING_CHECKS).then_some(())
}

/// A campaign record.
pub fn campaign(id: CustomerId, campaign: &CampaignId) -> Key {
    Key { pk: customer(id), sk: format!("{CAMPAIGN_PREFIX}{campaign}") }
}

/// An intent.
pub fn intent(id: CustomerId, intent: IntentId) -> Key {
    Key { pk: customer(id), sk: format!("{INTENT_PREFIX}{intent}") }
}

/// Prefix of the sort keys of a request's intents.
pub fn intents_prefix(request: Uuid) -> String {
    format!("{INTENT_PREFIX}{request}#")
}

/// A retry.
pub fn retry(id: CustomerId, request: Uuid) -> Key {
    Key { pk: customer(id), sk: format!("RETRY#{request}") }
}

/// An idempotency key.
pub fn idempotency(id: CustomerId, key: &str) -> Key {
    idempotency_by_digest(id, &key_digest(key))
}

/// An idempotency key by its digest.
pub fn idempotency_by_digest(id: CustomerId, digest: &str) -> Key {
    Key { pk: customer(id), sk: format!("IDEMPOTENCY#{digest}") }
}

/// The digest of an `Idempotency-Key`. The table does not store the key itself.
pub fn key_digest(key: &str) -> String {
    sha256_hex(key)
}

/// The partition of an ad account. Several customers may have connected it.
fn ad_account(platform: Platform, account_id: &str) -> String {
    format!("{AD_ACCOUNT_PREFIX}{platform}#{account_id}")
}

/// The open creates of a name in an ad account.
pub fn concurrent_creates(platform: Platform, account_id: &str, name: &str) -> Key {
    Key { pk: ad_account(platform, account_id), sk: format!("NAME#{}", sha256_hex(name)) }
}

/// The owner of a campaign.
pub fn campaign_owner(platform: Platform, account_id: &str, remote_id: &str) -> Key {
    Key { pk: ad_account(platform, account_id), sk: format!("MADE#{remote_id}") }
}

/// A redirect URI. Its id derives from the URI, so a URI is one item.
pub fn redirect_uri(id: CustomerId, uri: &RedirectUriId) -> Key {
    Key { pk: customer(id), sk: format!("{REDIRECT_URI_PREFIX}{uri}") }
}

/// The count of redirect URIs.
pub fn redirect_uri_count(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "REDIRECT_URIS".to_owned() }
}

/// The partition of a customer's usage log, apart from the customer's other records to keep their queries small.
pub fn usage_log(id: CustomerId) -> String {
    format!("{USAGE_PREFIX}{id}")
}

/// A usage log entry. Sort keys are in the order of time.
pub fn usage_entry(id: CustomerId, position: &UsagePosition) -> Key {
    Key { pk: usage_log(id), sk: position.to_string() }
}

/// The billing record of a customer.
pub fn billing(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "BILLING".to_owned() }
}

/// The customer of a payment customer.
pub fn payment_customer(payment_customer: &str) -> Key {
    Key { pk: format!("{PAYMENT_CUSTOMER_PREFIX}{payment_customer}"), sk: "PAYMENT_CUSTOMER".to_owned() }
}

/// A checkout session that this service created.
pub fn checkout(session: &str) -> Key {
    Key { pk: format!("{CHECKOUT_PREFIX}{session}"), sk: "CHECKOUT".to_owned() }
}

/// A processed event of the payment provider.
pub fn payment_event(id: &str) -> Key {
    Key { pk: format!("{PAYMENT_EVENT_PREFIX}{id}"), sk: "PAYMENT_EVENT".to_owned() }
}

/// An authorization in progress.
pub fn authorization(state_hash: &str) -> Key {
    Key { pk: format!("{STATE_PREFIX}{state_hash}"), sk: "STATE".to_owned() }
}

/// A sign-in in progress.
pub fn sign_in(state_hash: &str) -> Key {
    Key { pk: format!("{SIGN_IN_PREFIX}{state_hash}"), sk: "SIGN_IN".to_owned() }
}

/// A person.
pub fn person(person: &PersonId) -> Key {
    Key { pk: format!("{PERSON_PREFIX}{}", person.0), sk: "PERSON".to_owned() }
}

/// A person in the list of the customer.
pub fn person_of(id: CustomerId, person: &PersonId) -> Key {
    Key { pk: customer(id), sk: format!("{PERSON_PREFIX}{}", person.0) }
}

/// An invitation.
pub fn invitation(id: CustomerId, hash: &str) -> Key {
    Key { pk: customer(id), sk: format!("{INVITATION_PREFIX}{hash}") }
}

/// A session.
pub fn session(id: CustomerId, hash: &str) -> Key {
    Key { pk: customer(id), sk: format!("{SESSION_PREFIX}{hash}") }
}
