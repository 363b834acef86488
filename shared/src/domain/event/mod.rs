//! Events, which are sent to the customer's endpoints. An event is stored in the transaction of the transition that it
//! reports.

mod api_keys;
mod billing;
mod changes;
mod connections;
mod filters;
mod id;
mod kind;
mod quota;
mod users;

pub use api_keys::{KeyBefore, KeySnapshot};
pub use billing::BillingBefore;
pub use connections::ConnectionBefore;
pub use filters::EventFilters;
pub use id::EventId;
pub use kind::EventKind;
pub use quota::{QuotaThreshold, ReportedQuota};
pub use users::{UserBefore, UserSnapshot};

use super::spending::Spender;
use super::webhook_endpoint::{EndpointSnapshot, EndpointStatus, WebhookEndpoint};
use super::{BillingStatus, CampaignValues, Change, ChangeStatus, Connection, CustomerId, LimitRefusal, Plan, Usage};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// For how long an event is listed and can be replayed.
pub const RETENTION: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Its record lives longer: an event that is replayed on its last day is tried for four days.
pub const RECORD_RETENTION: SignedDuration = SignedDuration::from_hours(35 * 24);

/// A list since a record has only records that are older than this. A record has the time at which its request came or its
/// transition began, and is stored a while later, so a younger record may still get one before it.
const SETTLING_TIME: SignedDuration = SignedDuration::from_mins(2);
/// The same of a list that is read by an index. An index usually follows within a second; while its table is throttled or it
/// is filled for the first time, it may be minutes behind.
const INDEX_SETTLING_TIME: SignedDuration = SignedDuration::from_mins(15);

/// The time before which a list since a record has all that there will ever be.
pub(in crate::domain) fn settled_at(now: Timestamp, is_by_index: bool) -> Timestamp {
    now - if is_by_index { INDEX_SETTLING_TIME } else { SETTLING_TIME }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub id: EventId,
    pub customer: CustomerId,
    pub kind: EventKind,
    /// The request that led to it; `None` if none did.
    pub request: Option<Uuid>,
    pub subject: Subject,
}

/// What an event is about, as it was then.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A change, the state that it had before (`None` for a new one, and where the state is the same), and its campaign as
    /// it was read.
    Change { change: Box<Change>, previous: Option<ChangeStatus>, campaign: Option<Box<ReadCampaign>> },
    /// An endpoint that the service has disabled.
    Endpoint(Box<EndpointSnapshot>),
    /// A connection without its grant, and its former values; `None` for a new or a removed one.
    Connection { connection: Box<Connection>, previous: Option<ConnectionBefore> },
    /// A key, and its former values; `None` for a new or a revoked one.
    ApiKey { key: Box<KeySnapshot>, previous: Option<KeyBefore> },
    /// A user, and the former value of what has changed.
    User { user: Box<UserSnapshot>, previous: UserBefore },
    /// The last refusal by a limit of a key or of a user, and the number of refusals since the last event, with this one.
    Limit { refusal: Box<LimitRefusal>, count: u64 },
    /// The use of a plan's quota.
    Quota { plan: Plan, usage: Usage },
    /// The billing status, and the former values of the fields that have changed.
    Billing { billing: Box<BillingStatus>, previous: BillingBefore },
}

/// A campaign as it was read, which may be long before its event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadCampaign {
    pub values: CampaignValues,
    /// About when it was read; for what a change has read after it, when its outcome was known.
    pub read_at: Timestamp,
}

/// Whose event it is, the request that led to it, and when.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    pub customer: CustomerId,
    pub request: Option<Uuid>,
    pub at: Timestamp,
}

impl Event {
    /// An event with a name of its own at its time.
    fn new(occurrence: Occurrence, kind: EventKind, name: &str, subject: Subject) -> Event {
        let Occurrence { customer, request, at } = occurrence;
        let id = EventId::of_name(at, &format!("{customer}#{name}#{}", kind.as_str()));
        Event { id, customer, kind, request, subject }
    }

    /// The time at which it happened, in whole milliseconds.
    pub fn at(&self) -> Timestamp {
        self.id.at()
    }

    /// The event of an endpoint that the service disables.
    pub fn of_disabled(customer: CustomerId, endpoint: &WebhookEndpoint, reason: &str, at: Timestamp) -> Event {
        let (status, disabled_reason) = (EndpointStatus::Disabled, Some(reason.to_owned()));
        let disabled = EndpointSnapshot { status, disabled_reason, ..endpoint.into() };
        let occurrence = Occurrence { customer, request: None, at };
        let subject = Subject::Endpoint(Box::new(disabled));
        Event::new(occurrence, EventKind::WebhookEndpointDisabled, endpoint.id.as_str(), subject)
    }

    /// The event of refusals by one limit of a key or of a user: the last refusal, and their number since the last event.
    pub fn of_refusals(refusal: &LimitRefusal, count: u64, occurrence: Occurrence) -> Event {
        let name = match &refusal.of {
            Spender::Key(key) => format!("{key}#{}", refusal.limit.as_str()),
            Spender::User(user) => format!("user#{user}#{}", refusal.limit.as_str()),
        };
        let subject = Subject::Limit { refusal: Box::new(refusal.clone()), count };
        Event::new(occurrence, EventKind::LimitRefused, &name, subject)
    }

    /// Whether the event is listed and can be replayed.
    pub fn is_shown(&self, now: Timestamp) -> bool {
        now.duration_since(self.at()) < RETENTION
    }

    /// Expiry of the record.
    pub fn expires_at(&self) -> Timestamp {
        self.at().checked_add(RECORD_RETENTION).unwrap_or(Timestamp::MAX)
    }
}
