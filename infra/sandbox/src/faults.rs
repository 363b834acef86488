//! Faults that people and tests order, and the requests that use them up.

use serde_json::{Value, json};

use crate::http::{Pairs, Request};

/// What a request is about, for matching it with faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// The consent page; no fault touches it.
    Consent,
    /// One of the operations that faults are set on.
    Known(Operation),
    /// Anything else; only faults on `any` touch it.
    Other,
}

impl Call {
    /// What a request of a token address is about, by its grant type: faults tell the two apart.
    pub(crate) fn exchange(request: &Request) -> Self {
        match Pairs::parse(&request.body).get("grant_type") {
            Some("authorization_code") => Self::Known(Operation::Token),
            Some("refresh_token") => Self::Known(Operation::Refresh),
            _ => Self::Other,
        }
    }

    /// Whether the request cannot change what the platform holds.
    pub(crate) fn reads(self) -> bool {
        let Self::Known(operation) = self else { return false };
        matches!(operation, Operation::List | Operation::Get | Operation::Accounts)
    }
}

/// The two kinds of imitated services, which take different faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    AdPlatform,
    Payments,
}

/// What a fault can be set on.
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
    Checkout,
    Portal,
    Customer,
    Subscription,
    /// An event on its way to the webhook endpoint.
    Webhook,
    Any,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The platform answers that it is broken; nothing is done.
    Error,
    /// The connection closes; nothing is done.
    Drop,
    /// The connection closes after it was done.
    DropAfter,
    /// The platform answers that there are too many requests; nothing is done.
    Throttle,
    /// The grant in use dies first.
    Revoked,
    /// Done at once, answered late.
    Slow,
    /// Done late, answered then.
    Late,
    /// Status 200 with half an HTML page; nothing is done.
    Garbage,
    /// An event arrives twice, at the same time.
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
];

/// Those of a platform without the grant, which a secret key is none.
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
    /// By name; the error lists the names that this service has.
    pub(crate) fn named(service: Service, name: &str) -> Result<Self, String> {
        let table = match service {
            Service::AdPlatform => OPERATIONS,
            Service::Payments => STRIPE_OPERATIONS,
        };
        find(table, "operation", name)
    }

    fn name(self) -> &'static str {
        name_of(&[OPERATIONS, STRIPE_OPERATIONS], self)
    }
}

impl Kind {
    /// By name; the error lists the names that this operation has.
    pub(crate) fn named(service: Service, operation: Operation, name: &str) -> Result<Self, String> {
        let table = match (operation, service) {
            (Operation::Webhook, _) => WEBHOOK_KINDS,
            (_, Service::Payments) => STRIPE_KINDS,
            (_, Service::AdPlatform) => KINDS,
        };
        find(table, "fault", name)
    }

    fn name(self) -> &'static str {
        name_of(&[KINDS, WEBHOOK_KINDS], self)
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

/// One order: `times` requests of `operation` go wrong this way.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) platform: &'static str,
    pub(crate) operation: Operation,
    pub(crate) kind: Kind,
    pub(crate) times: u64,
    pub(crate) ms: u64,
}

/// The orders that are not used up, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn set(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Forgets what was set on this platform and operation, of one kind or of all.
    pub(crate) fn clear(&mut self, platform: &str, operation: Operation, kind: Option<Kind>) {
        self.0.retain(|fault| {
            fault.platform != platform || fault.operation != operation || kind.is_some_and(|kind| kind != fault.kind)
        });
    }

    /// The oldest fault that meets this call, one time of it used up.
    pub(crate) fn take(&mut self, platform: &str, call: Call) -> Option<Fault> {
        let meets = |fault: &Fault| match call {
            Call::Consent => false,
            Call::Known(Operation::Webhook) => fault.operation == Operation::Webhook,
            Call::Known(operation) => matches!(fault.operation, Operation::Any) || fault.operation == operation,
            Call::Other => fault.operation == Operation::Any,
        };
        let at = self.0.iter().position(|fault| fault.platform == platform && meets(fault))?;
        let fault = self.0.get_mut(at)?;
        fault.times = fault.times.saturating_sub(1);
        let taken = fault.clone();
        if taken.times == 0 {
            self.0.remove(at);
        }
        Some(taken)
    }

    /// The orders as the control address shows them.
    pub(crate) fn show(&self) -> Value {
        let shown = self.0.iter().map(|fault| {
            json!({
                "platform": fault.platform,
                "operation": fault.operation.name(),
                "fault": fault.kind.name(),
                "times": fault.times,
                "ms": fault.ms,
            })
        });
        json!({ "faults": shown.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(operation: Operation, kind: Kind, times: u64) -> Fault {
        Fault { platform: "alpha_ads", operation, kind, times, ms: 0 }
    }

    #[test]
    fn faults_are_used_in_the_order_they_were_set_and_as_often_as_told() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Create, Kind::Error, 2));
        faults.set(fault(Operation::Any, Kind::Drop, 1));
        let create = Call::Known(Operation::Create);
        let mut taken = || faults.take("alpha_ads", create).map(|fault| fault.kind);
        assert_eq!(taken(), Some(Kind::Error));
        assert_eq!(taken(), Some(Kind::Error));
        assert_eq!(taken(), Some(Kind::Drop));
        assert_eq!(taken(), None);
    }

    #[test]
    fn a_fault_on_any_spares_the_consent_page_and_other_platforms() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Any, Kind::Error, 1));
        assert!(faults.take("alpha_ads", Call::Consent).is_none());
        assert!(faults.take("beta_ads", Call::Other).is_none());
        assert!(faults.take("alpha_ads", Call::Other).is_some());
    }

    #[test]
    fn clearing_one_kind_leaves_the_other() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Get, Kind::Error, 1));
        faults.set(fault(Operation::Get, Kind::Slow, 1));
        faults.clear("alpha_ads", Operation::Get, Some(Kind::Error));
        let left = faults.take("alpha_ads", Call::Known(Operation::Get));
        assert_eq!(left.map(|fault| fault.kind), Some(Kind::Slow));
    }
}
