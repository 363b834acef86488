//! Names of operations and fault kinds at `/_sandbox/faults`.

/// The two types of imitated services. They take different faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ServiceKind {
    AdPlatform,
    Payments,
}

/// An operation that faults can be set on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

const OPERATIONS: &[(&str, Operation)] = &[
    ("create", Operation::Create),
    ("list", Operation::List),
    ("get", Operation::Get),
    ("update", Operation::Update),
    ("delete", Operation::Delete),
    ("token", Operation::Token),
    ("refresh", Operation::Refresh),
    ("revoke", Operation::Revoke),
    ("accounts", Operation::Accounts),
    ("report", Operation::Report),
    ("any", Operation::Any),
];

const STRIPE_OPERATIONS: &[(&str, Operation)] = &[
    ("checkout", Operation::Checkout),
    ("portal", Operation::Portal),
    ("customer", Operation::Customer),
    ("subscription", Operation::Subscription),
    ("webhook", Operation::Webhook),
    ("any", Operation::Any),
];

const KINDS: &[(&str, Kind)] = &[
    ("error", Kind::Error),
    ("drop", Kind::Drop),
    ("drop_after", Kind::DropAfter),
    ("throttle", Kind::Throttle),
    ("revoked", Kind::Revoked),
    ("slow", Kind::Slow),
    ("late", Kind::Late),
    ("garbage", Kind::Garbage),
    ("front", Kind::Front),
    ("answer", Kind::Answer),
];

/// Kinds for changes and removals of campaigns alone: a confirmed create names its campaign.
const CHANGE_KINDS: &[(&str, Kind)] = &[("ignored", Kind::Ignored)];

/// Kinds for the payment provider. There is no `revoked`: a secret key is not a grant.
const STRIPE_KINDS: &[(&str, Kind)] = &[
    ("error", Kind::Error),
    ("drop", Kind::Drop),
    ("drop_after", Kind::DropAfter),
    ("throttle", Kind::Throttle),
    ("slow", Kind::Slow),
    ("late", Kind::Late),
    ("garbage", Kind::Garbage),
];

const WEBHOOK_KINDS: &[(&str, Kind)] =
    &[("duplicate", Kind::Duplicate), ("reorder", Kind::Reorder), ("delay", Kind::Delay), ("loss", Kind::Loss)];

impl Operation {
    /// Parses a name. The error lists the names of this service's operations.
    pub(crate) fn parse(service: ServiceKind, name: &str) -> Result<Self, String> {
        let table = match service {
            ServiceKind::AdPlatform => OPERATIONS,
            ServiceKind::Payments => STRIPE_OPERATIONS,
        };
        find(table, "operation", name)
    }

    pub(crate) fn as_str(self) -> &'static str {
        name_of(&[OPERATIONS, STRIPE_OPERATIONS], self)
    }

    /// True if the operation changes nothing.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::List | Self::Get | Self::Accounts | Self::Report)
    }
}

impl Kind {
    /// Parses a name. The error lists the names of this operation's faults.
    pub(crate) fn parse(service: ServiceKind, operation: Operation, name: &str) -> Result<Self, String> {
        let table = match (operation, service) {
            (Operation::Webhook, _) => WEBHOOK_KINDS.to_vec(),
            (_, ServiceKind::Payments) => STRIPE_KINDS.to_vec(),
            (Operation::Update | Operation::Delete, ServiceKind::AdPlatform) => [KINDS, CHANGE_KINDS].concat(),
            (_, ServiceKind::AdPlatform) => KINDS.to_vec(),
        };
        find(&table, "fault", name)
    }

    pub(crate) fn as_str(self) -> &'static str {
        name_of(&[KINDS, CHANGE_KINDS, WEBHOOK_KINDS], self)
    }
}

fn find<T: Copy>(table: &[(&str, T)], field: &str, name: &str) -> Result<T, String> {
    let found = table.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<_> = table.iter().map(|(known, _)| *known).collect();
        format!("{field} \"{name}\" is unknown; it is one of {}", names.join(", "))
    })
}

fn name_of<T: PartialEq + Copy>(tables: &[&'static [(&'static str, T)]], value: T) -> &'static str {
    tables.iter().copied().flatten().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}
