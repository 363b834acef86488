//! Operations and fault kinds at `/_sandbox/faults`, by the names of their variants in `snake_case`.

use serde::Serialize;

/// The two types of imitated services. They take different faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceKind {
    AdPlatform,
    Payments,
}

/// An operation that faults can be set on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operation {
    Create,
    List,
    Get,
    Update,
    Delete,
    Token,
    Refresh,
    Revoke,
    Accounts,
    /// What the user has granted and declined, where a call says so.
    Permissions,
    /// The ads of campaigns, and what a review said about them.
    Ads,
    /// A report of insights or of spend.
    Report,
    Checkout,
    Portal,
    Customer,
    Subscription,
    /// Delivery of an event to the webhook endpoint.
    Webhook,
    Any,
}

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The platform responds with an internal error and does nothing.
    Error,
    /// The connection closes; nothing is done.
    Drop,
    /// The request is executed, then the connection closes.
    DropAfter,
    /// The platform responds with its rate limit and does nothing.
    Throttle,
    /// The grant in use is revoked first.
    Revoked,
    /// The request is executed at once; its response is late.
    Slow,
    /// The request is executed late; its response follows.
    Late,
    /// Status 200 with half an HTML page; nothing is done.
    Garbage,
    /// A gateway in front of the platform responds with an HTML page and any status from 400 on; nothing is done.
    Front,
    /// The platform answers with a status and a JSON body of the test's choice; nothing is done.
    Answer,
    /// The platform confirms a change or a removal and does not make it: the answer shows the campaign as it was, or
    /// only says success.
    Ignored,
    /// An event arrives twice at the same time.
    Duplicate,
    /// An event arrives after the next one.
    Reorder,
    /// An event arrives late.
    Delay,
    /// An event never arrives.
    Loss,
}

const OPERATIONS: &[Operation] = &[
    Operation::Create,
    Operation::List,
    Operation::Get,
    Operation::Update,
    Operation::Delete,
    Operation::Token,
    Operation::Refresh,
    Operation::Revoke,
    Operation::Accounts,
    Operation::Permissions,
    Operation::Ads,
    Operation::Report,
    Operation::Any,
];

const STRIPE_OPERATIONS: &[Operation] = &[
    Operation::Checkout,
    Operation::Portal,
    Operation::Customer,
    Operation::Subscription,
    Operation::Webhook,
    Operation::Any,
];

const KINDS: &[Kind] = &[
    Kind::Error,
    Kind::Drop,
    Kind::DropAfter,
    Kind::Throttle,
    Kind::Revoked,
    Kind::Slow,
    Kind::Late,
    Kind::Garbage,
    Kind::Front,
    Kind::Answer,
];

/// Kinds for changes and removals of campaigns alone: a confirmed create names its campaign.
const CHANGE_KINDS: &[Kind] = &[Kind::Ignored];

/// Kinds for the payment provider. There is no `revoked`: a secret key is not a grant.
const STRIPE_KINDS: &[Kind] =
    &[Kind::Error, Kind::Drop, Kind::DropAfter, Kind::Throttle, Kind::Slow, Kind::Late, Kind::Garbage];

const WEBHOOK_KINDS: &[Kind] = &[Kind::Duplicate, Kind::Reorder, Kind::Delay, Kind::Loss];

impl Operation {
    /// Parses a name. The error lists the names of this service's operations.
    pub(crate) fn parse(service: ServiceKind, name: &str) -> Result<Self, String> {
        let known = match service {
            ServiceKind::AdPlatform => OPERATIONS,
            ServiceKind::Payments => STRIPE_OPERATIONS,
        };
        find(known, "operation", name)
    }

    /// True if the operation changes nothing.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::List | Self::Get | Self::Accounts | Self::Permissions | Self::Ads | Self::Report)
    }
}

impl Kind {
    /// Parses a name. The error lists the names of this operation's faults.
    pub(crate) fn parse(service: ServiceKind, operation: Operation, name: &str) -> Result<Self, String> {
        let known = match (operation, service) {
            (Operation::Webhook, _) => WEBHOOK_KINDS.to_vec(),
            (_, ServiceKind::Payments) => STRIPE_KINDS.to_vec(),
            (Operation::Update | Operation::Delete, ServiceKind::AdPlatform) => [KINDS, CHANGE_KINDS].concat(),
            (_, ServiceKind::AdPlatform) => KINDS.to_vec(),
        };
        find(&known, "fault", name)
    }
}

fn find<T: Copy + Serialize>(known: &[T], field: &str, name: &str) -> Result<T, String> {
    let found = known.iter().find(|value| name_of(value) == name);
    found.copied().ok_or_else(|| {
        let names: Vec<String> = known.iter().map(name_of).collect();
        format!("{field} \"{name}\" is unknown; it is one of {}", names.join(", "))
    })
}

fn name_of(value: &impl Serialize) -> String {
    let name = serde_json::to_value(value).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}
