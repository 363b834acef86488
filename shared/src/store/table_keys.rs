//! Keys of the DynamoDB table. "Table records" in docs/architecture.md lists the records, and a test compares the two.

use crate::domain::spending::{LimitName, Spender};
use crate::domain::{
    BulkId, CampaignId, Change, ChangeFilters, ChangeId, ChangeState, ConnectionId, CustomerId, EndpointId,
    EventFilters, EventId, Executor, ExternalRef, GrantId, KeyId, PersonId, Platform, RedirectUriId, Reference,
    Requester, UsagePosition, WaitingChange, sha256_hex,
};
use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use std::collections::HashMap;
use std::fmt::Display;
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
/// Prefix of the sort keys of the connections of users.
pub(super) const EXTERNAL_REF_PREFIX: &str = "EXTERNAL_REF#";
/// Prefix of the sort keys of users.
pub(super) const USER_PREFIX: &str = "USER#";
/// The start of the sort key of campaign records.
pub(super) const CAMPAIGN_PREFIX: &str = "CAMPAIGN#";
const CHANGE_PREFIX: &str = "CHANGE#";
/// Prefix of the sort keys of bulk changes.
pub(super) const BULK_PREFIX: &str = "BULK#";
const SPENDING_PREFIX: &str = "LIMIT#";
const STOP_PREFIX: &str = "STOP#";
/// The sort key of the keys of assistants.
pub(super) const ASSISTANT_KEYS: &str = "ASSISTANT_KEYS";
/// Prefix of the sort keys of assistants.
pub(super) const ASSISTANT_PREFIX: &str = "ASSISTANT#";
const EVENT_PREFIX: &str = "EVENT#";
const DELIVERY_PREFIX: &str = "DELIVERY#";
/// Prefix of the sort keys of what the dashboard keeps of the ad accounts.
pub(super) const OVERVIEW_PREFIX: &str = "OVERVIEW#";
/// Prefix of the sort keys of endpoints' health.
pub(super) const ENDPOINT_HEALTH_PREFIX: &str = "WEBHOOK_HEALTH#";
const REMAINING_CHECKS: &str = "CHECKS";

/// Name of the index of due records, by [`DUE_KIND`] and [`DUE_AT`]. It contains the keys of the records that have
/// both.
pub const DUE_INDEX: &str = "due";
/// Name of the index of a campaign's changes, by [`CAMPAIGN_KEY`] and sort key. It contains keys only.
pub const CAMPAIGN_INDEX: &str = "campaign";
/// Name of the attribute with the customer and the campaign of a change.
pub const CAMPAIGN_KEY: &str = "campaign_key";
/// Name of the index of the changes that wait for their time, by [`OPEN_KEY`] and [`OPEN_SORT`]. It contains keys only.
pub const OPEN_INDEX: &str = "open";
/// Name of the attribute with the customer of a waiting change.
pub const OPEN_KEY: &str = "open_key";
/// End of [`OPEN_KEY`] of the waiting changes that the customer has not scheduled.
pub const OPEN_OTHERS: &str = "#OTHERS";
/// End of [`OPEN_SORT`] of the changes that wait for a person.
pub const OPEN_APPROVAL: &str = "#APPROVAL";
/// End of [`OPEN_SORT`] of the changes that wait although their time is over, which an event has reported.
pub const OPEN_LATE: &str = "#LATE";
/// What precedes the user in [`OPEN_SORT`].
const OPEN_USER: &str = "#USER:";
/// Name of the attribute with the campaign, the id and the key of a waiting change.
pub const OPEN_SORT: &str = "open_sort";
/// Name of the index of the changes with a reference, by [`REFERENCE_KEY`] and sort key. It contains keys only.
pub const REFERENCE_INDEX: &str = "reference";
/// Name of the attribute with the customer and the reference of a change.
pub const REFERENCE_KEY: &str = "reference_key";
/// Name of the index of the changes under an `Idempotency-Key`, by [`IDEMPOTENCY_KEY`] and sort key. It contains keys
/// only.
pub const IDEMPOTENCY_INDEX: &str = "idempotency";
/// Name of the attribute with the customer of a change and the digest of its `Idempotency-Key`.
pub const IDEMPOTENCY_KEY: &str = "idempotency_key";
/// Name of the index of the changes and events of a user of a customer, by [`USER_KEY`] and sort key. It contains keys
/// only.
pub const USER_INDEX: &str = "user";
/// Name of the attribute with the customer and the user of a change or an event.
pub const USER_KEY: &str = "user_key";
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
/// [`DUE_KIND`] of a change without an outcome, before `#` and the number of its shard.
pub const DUE_CHANGE: &str = "CHANGE";
/// [`DUE_KIND`] of a change that waits for its time, before `#` and the number of its shard.
pub const DUE_SCHEDULED: &str = "SCHEDULED";
/// [`DUE_KIND`] of a bulk change whose ad account is not listed yet.
pub const DUE_BULK: &str = "BULK";
/// [`DUE_KIND`] of the stop of a key with a phase left.
pub const DUE_STOP: &str = "STOP";
/// [`DUE_KIND`] of a user that is being erased.
pub const DUE_ERASURE: &str = "ERASURE";
/// [`DUE_KIND`] of a campaign record with a monthly budget.
pub const DUE_MONTHLY_BUDGETS: &str = "PACING";
/// [`DUE_KIND`] of an event whose deliveries are not stored yet, before `#` and the number of its shard.
pub const DUE_EVENT: &str = "EVENT";
/// [`DUE_KIND`] of a delivery, before `#` and the number of its shard.
pub const DUE_DELIVERY: &str = "DELIVERY";
/// [`DUE_KIND`] of remaining checks.
pub const DUE_CHECKS: &str = "CHECKS";
/// Prefix of the sort keys of redirect URIs.
pub const REDIRECT_URI_PREFIX: &str = "REDIRECT_URI#";
/// Prefix of the sort keys of webhook endpoints, their health and their count.
pub(super) const WEBHOOK_PREFIX: &str = "WEBHOOK_";
/// Prefix of the sort keys of webhook endpoints.
pub const WEBHOOK_ENDPOINT_PREFIX: &str = "WEBHOOK_ENDPOINT#";
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

/// Parses the sort key of a change.
pub fn parse_change_sk(sk: &str) -> Option<ChangeId> {
    ChangeId::parse(sk.strip_prefix(CHANGE_PREFIX)?)
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

/// A user's record of a connection: the sort key of that connection.
pub fn external_ref(id: CustomerId, user: &ExternalRef, connection: &ConnectionId) -> Key {
    Key { pk: customer(id), sk: format!("{}{connection}", external_ref_prefix(user)) }
}

/// The prefix of a user's records. It ends with a character that no user name contains.
pub(super) fn external_ref_prefix(user: &ExternalRef) -> String {
    format!("{EXTERNAL_REF_PREFIX}{user}#")
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

/// Parses the sort key of a campaign record.
pub(super) fn parse_campaign_sk(sk: &str) -> Option<CampaignId> {
    CampaignId::parse(sk.strip_prefix(CAMPAIGN_PREFIX)?)
}

/// A change. Sort keys are in the order of time.
pub fn change(id: CustomerId, change: ChangeId) -> Key {
    Key { pk: customer(id), sk: format!("{CHANGE_PREFIX}{change}") }
}

/// What is left of a change whose user was erased.
pub(super) fn erased_change(id: CustomerId, change: ChangeId) -> Key {
    Key { pk: customer(id), sk: format!("ERASED#{change}") }
}

/// The first and the last sort key of the changes in the time range of filters, both inclusive; `None` if none of them can be
/// after `after`.
pub(super) fn change_range(
    filters: &ChangeFilters,
    after: Option<ChangeId>,
    now: Timestamp,
) -> Option<(String, String)> {
    if let Some(since) = filters.since {
        return since_range(CHANGE_PREFIX, since, after, filters.settled_until(now));
    }
    let first = |at| format!("{CHANGE_PREFIX}{}", ChangeId::first_at(at));
    let from = filters.from.map_or_else(|| CHANGE_PREFIX.to_owned(), first);
    // No change has the first id of a time, whose hash is 0. A tilde follows all ids.
    let to = filters.to.map_or_else(|| format!("{CHANGE_PREFIX}~"), first);
    Some((from, to))
}

/// The sort keys after an id and up to another; `None` if none of them can be after `after`, which may be beyond: the clock
/// of another process may be ahead. A tilde follows the whole id, and no other.
fn since_range<I: Copy + Ord + Display>(
    prefix: &str,
    since: I,
    after: Option<I>,
    until: I,
) -> Option<(String, String)> {
    let begin = after.map_or(since, |after| after.max(since));
    (begin < until).then(|| (format!("{prefix}{since}~"), format!("{prefix}{until}")))
}

/// [`CAMPAIGN_KEY`] of the changes of a campaign. Another customer may have connected the same ad account.
pub fn campaign_key(id: CustomerId, campaign: &CampaignId) -> String {
    format!("{}#{campaign}", customer(id))
}

/// [`REFERENCE_KEY`] of the changes with a reference.
pub(super) fn reference_key(id: CustomerId, reference: &Reference) -> String {
    format!("{}#{reference}", customer(id))
}

/// [`IDEMPOTENCY_KEY`] of the changes under an `Idempotency-Key`, by its digest.
pub(super) fn idempotency_key(id: CustomerId, digest: &str) -> String {
    format!("{}#{digest}", customer(id))
}

/// [`USER_KEY`] of the changes and events of a user.
pub(super) fn user_key(id: CustomerId, user: &ExternalRef) -> String {
    format!("{}#{user}", customer(id))
}

/// [`OPEN_KEY`] of a waiting change. Those that the customer has not scheduled, such as for a date that the service
/// holds, are apart, because they do not count.
pub(super) fn open_key(change: &Change) -> String {
    let is_scheduled = !change.is_held && change.executed_by == Executor::Schedule;
    if is_scheduled || change.state == ChangeState::AwaitingApproval {
        customer(change.customer)
    } else {
        open_key_of_others(change.customer)
    }
}

/// [`OPEN_KEY`] of the waiting changes that the customer has not scheduled.
pub(super) fn open_key_of_others(id: CustomerId) -> String {
    format!("{}{OPEN_OTHERS}", customer(id))
}

/// A bulk change in an ad account.
pub(super) fn bulk_account(id: CustomerId, bulk: BulkId, platform: Platform, account_id: &str) -> Key {
    Key { pk: customer(id), sk: format!("{}{platform}#{account_id}", bulk_prefix(bulk)) }
}

/// Prefix of the sort keys of a bulk change's ad accounts.
pub(super) fn bulk_prefix(bulk: BulkId) -> String {
    format!("{BULK_PREFIX}{bulk}#")
}

/// Parses the sort key of a bulk change in an ad account: it is its own id.
pub(super) fn parse_bulk_sk(sk: &str) -> Option<String> {
    sk.starts_with(BULK_PREFIX).then(|| sk.to_owned())
}

/// [`OPEN_SORT`] of a waiting change. It begins with the ad account and the campaign, so that a query finds those of
/// either. The user and the key that has asked for the change follow, so that the changes of both are counted without reading
/// them.
pub(super) fn open_sort(change: &Change) -> String {
    // A create that waits is found by its ad account.
    let of_account = || CampaignId::new(change.platform, &change.account_id, "");
    let campaign = change.campaign.clone().unwrap_or_else(of_account);
    let end = match change.state {
        ChangeState::AwaitingApproval => OPEN_APPROVAL,
        _ if change.told.late => OPEN_LATE,
        _ => "",
    };
    let key = match &change.requested_by {
        Requester::ApiKey { id, .. } => format!("#{id}"),
        Requester::Person { .. } => String::new(),
    };
    let user = change.external_ref.as_ref().map_or_else(String::new, |user| format!("{OPEN_USER}{user}"));
    format!("{campaign}#{}{user}{key}{end}", change.id)
}

/// Parses [`OPEN_SORT`]: the user and the key that has asked for the change, and whether it waits for a person. A value of
/// an older release names no user, or no key either.
pub(super) fn parse_open_sort(sort: &str) -> WaitingChange {
    let awaits_person = sort.ends_with(OPEN_APPROVAL);
    let rest = sort.strip_suffix(OPEN_APPROVAL).or_else(|| sort.strip_suffix(OPEN_LATE)).unwrap_or(sort);
    let (before, key) = rest.rsplit_once('#').filter(|(_, last)| last.starts_with("key_")).unzip();
    let user = before.unwrap_or(rest).rsplit_once(OPEN_USER).and_then(|(_, user)| ExternalRef::parse(user));
    WaitingChange { key: key.map(|id: &str| KeyId(id.to_owned())), user, awaits_person }
}

/// The spending limit of a key or of a user, and what counts against it.
pub(super) fn spending(id: CustomerId, spender: &Spender) -> Key {
    Key { pk: customer(id), sk: format!("{SPENDING_PREFIX}{}", spender_name(spender)) }
}

/// The part of a sort key that names a key or a user. No id of a key begins with the prefix of a user.
fn spender_name(spender: &Spender) -> String {
    match spender {
        Spender::Key(key) => key.to_string(),
        Spender::User(user) => format!("{USER_PREFIX}{user}"),
    }
}

/// Parses the sort key of a spending.
pub(super) fn parse_spending_sk(sk: &str) -> Option<Spender> {
    let name = sk.strip_prefix(SPENDING_PREFIX)?;
    match name.strip_prefix(USER_PREFIX) {
        Some(user) => ExternalRef::parse(user).map(Spender::User),
        None => Some(Spender::Key(KeyId(name.to_owned()))),
    }
}

/// What the customer has said of a user.
pub(super) fn user(id: CustomerId, user: &ExternalRef) -> Key {
    Key { pk: customer(id), sk: format!("{USER_PREFIX}{user}") }
}

/// Parses the sort key of a user, or of a connection's record under its user: both begin with the name of the user.
pub(super) fn parse_user_sk(sk: &str) -> Option<ExternalRef> {
    let name = sk.strip_prefix(USER_PREFIX).or_else(|| sk.strip_prefix(EXTERNAL_REF_PREFIX)?.split('#').next())?;
    ExternalRef::parse(name)
}

/// The refusals by a limit of a key or of a user.
pub(super) fn refusals(id: CustomerId, spender: &Spender, limit: LimitName) -> Key {
    Key { pk: customer(id), sk: format!("REFUSALS#{}#{}", spender_name(spender), limit.as_str()) }
}

/// The stop of a key.
pub(super) fn stop(id: CustomerId, key: &KeyId) -> Key {
    Key { pk: customer(id), sk: format!("{STOP_PREFIX}{key}") }
}

/// Parses the sort key of a stop.
pub(super) fn parse_stop_sk(sk: &str) -> Option<KeyId> {
    Some(KeyId(sk.strip_prefix(STOP_PREFIX)?.to_owned()))
}

/// An event. Sort keys are in the order of time.
pub fn event(id: CustomerId, event: EventId) -> Key {
    Key { pk: customer(id), sk: format!("{EVENT_PREFIX}{event}") }
}

/// The first and the last sort key of the events from a time on.
pub(super) fn event_range(from: Timestamp) -> (String, String) {
    let first = EventId::first_at(from);
    (format!("{EVENT_PREFIX}{first}"), format!("{EVENT_PREFIX}~"))
}

/// The first and the last sort key of the events that filters list; `None` if none of them can be after `after`.
pub(super) fn listed_events(
    filters: &EventFilters,
    after: Option<EventId>,
    now: Timestamp,
) -> Option<(String, String)> {
    let Some(since) = filters.since else { return Some(event_range(Timestamp::UNIX_EPOCH)) };
    since_range(EVENT_PREFIX, since, after, filters.settled_until(now))
}

/// The delivery of an event to an endpoint.
pub(super) fn delivery(id: CustomerId, endpoint: &EndpointId, event: EventId) -> Key {
    Key { pk: customer(id), sk: format!("{}{event}", delivery_prefix(endpoint)) }
}

/// Prefix of the sort keys of an endpoint's deliveries.
pub(super) fn delivery_prefix(endpoint: &EndpointId) -> String {
    format!("{DELIVERY_PREFIX}{endpoint}#")
}

/// Parses the sort key of a delivery.
pub(super) fn parse_delivery_sk(sk: &str) -> Option<(EndpointId, EventId)> {
    let (endpoint, event) = sk.strip_prefix(DELIVERY_PREFIX)?.split_once('#')?;
    Some((EndpointId::parse(endpoint)?, EventId::parse(event)?))
}

/// The health of an endpoint.
pub(super) fn endpoint_health(id: CustomerId, endpoint: &EndpointId) -> Key {
    Key { pk: customer(id), sk: format!("{ENDPOINT_HEALTH_PREFIX}{endpoint}") }
}

/// Parses the sort key of an endpoint's health.
pub(super) fn parse_endpoint_health_sk(sk: &str) -> Option<EndpointId> {
    EndpointId::parse(sk.strip_prefix(ENDPOINT_HEALTH_PREFIX)?)
}

/// Parses the sort key of an event.
pub(super) fn parse_event_sk(sk: &str) -> Option<EventId> {
    EventId::parse(sk.strip_prefix(EVENT_PREFIX)?)
}

/// A part of the dashboard's latest reading of an ad account.
pub(super) fn overview_part(id: CustomerId, part: &str, connection: &str) -> Key {
    Key { pk: customer(id), sk: format!("{OVERVIEW_PREFIX}{part}#{connection}") }
}

/// The turn of a campaign: which of its changes by keys with a limit is under way.
pub(super) fn turn(id: CustomerId, campaign: &CampaignId) -> Key {
    Key { pk: customer(id), sk: format!("TURN#{campaign}") }
}

/// The record that lists the creates of a request.
pub fn request(id: CustomerId, request: Uuid) -> Key {
    Key { pk: customer(id), sk: format!("REQUEST#{request}") }
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

/// A webhook endpoint.
pub fn webhook_endpoint(id: CustomerId, endpoint: &EndpointId) -> Key {
    Key { pk: customer(id), sk: format!("{WEBHOOK_ENDPOINT_PREFIX}{endpoint}") }
}

/// The count of webhook endpoints.
pub fn webhook_endpoint_count(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: "WEBHOOK_ENDPOINTS".to_owned() }
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

/// The keys of a customer's assistants.
pub(super) fn assistant_keys(id: CustomerId) -> Key {
    Key { pk: customer(id), sk: ASSISTANT_KEYS.to_owned() }
}

/// The assistant of a key.
pub(super) fn assistant(id: CustomerId, key: &KeyId) -> Key {
    Key { pk: customer(id), sk: format!("{ASSISTANT_PREFIX}{key}") }
}

/// A session.
pub fn session(id: CustomerId, hash: &str) -> Key {
    Key { pk: customer(id), sk: format!("{SESSION_PREFIX}{hash}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_change_counts_for_its_user_and_its_key() {
        let counted = |sort| {
            let WaitingChange { key, user, awaits_person } = parse_open_sort(sort);
            (user.map(|user| user.to_string()), key.map(|key| key.0), awaits_person)
        };
        let (user, key) = (Some("shop:42@eu".to_owned()), Some("key_1".to_owned()));
        for (sort, expected) in [
            ("delta_7_1#chg_1#USER:shop:42@eu#key_1#APPROVAL", (user.clone(), key.clone(), true)),
            ("delta_7_1#chg_1#USER:shop:42@eu#key_1#LATE", (user.clone(), key.clone(), false)),
            ("delta_7_1#chg_1#USER:shop:42@eu", (user, None, false)),
            ("delta_7_1#chg_1#USER:key_1#key_1", (Some("key_1".to_owned()), key.clone(), false)),
            ("delta_7_1#chg_1#USER:key_1", (Some("key_1".to_owned()), None, false)),
            ("delta_7_1#chg_1#key_1", (None, key, false)),
            ("delta_7_1#chg_1#APPROVAL", (None, None, true)),
        ] {
            assert_eq!(counted(sort), expected, "{sort}");
        }
    }

    #[test]
    fn a_list_since_a_place_ends_where_it_is_settled() {
        let at = |second| EventId::first_at(Timestamp::from_second(second).unwrap());
        let now = Timestamp::from_second(1_000).unwrap();
        let since = |since| EventFilters { since: Some(at(since)), ..EventFilters::default() };
        let range = Some((format!("EVENT#{}~", at(100)), format!("EVENT#{}", at(880))));
        assert_eq!(listed_events(&since(100), None, now), range);
        assert_eq!(listed_events(&since(100), Some(at(200)), now), range, "a later page");
        assert_eq!(listed_events(&since(880), None, now), None, "a young place");
        // The clock of the process that has told the place was ahead, or somebody has edited the cursor.
        for beyond in [880, 881, 9_000] {
            assert_eq!(listed_events(&since(100), Some(at(beyond)), now), None, "{beyond}");
        }
        let at = |second| ChangeId::first_at(Timestamp::from_second(second).unwrap());
        let since = ChangeFilters { since: Some(at(100)), ..ChangeFilters::default() };
        let range = Some((format!("CHANGE#{}~", at(100)), format!("CHANGE#{}", at(880))));
        assert_eq!(change_range(&since, Some(at(200)), now), range);
        assert_eq!(change_range(&since, Some(at(880)), now), None);
    }
}
