//! Faults that tests and people set, and the requests that they apply to.

mod names;

use crate::http::{Pairs, Request};
pub(crate) use names::{Kind, Operation, ServiceKind};
use serde_json::{Value, json};

/// Class of a request, for matching it with faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    /// A page for people; no fault applies to it.
    Page,
    /// An operation that faults can be set on.
    Operation(Operation),
    /// Any other request; only faults on `any` apply to it.
    Other,
}

impl RequestKind {
    /// Classifies a request to a token endpoint by its grant type.
    pub(crate) fn of_token_request(request: &Request) -> Self {
        match Pairs::parse(&request.body).get("grant_type") {
            Some("authorization_code") => Self::Operation(Operation::Token),
            Some("refresh_token") => Self::Operation(Operation::Refresh),
            _ => Self::Other,
        }
    }

    /// True if the request cannot change the platform's state.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::Operation(operation) if operation.is_read())
    }
}

/// A fault for the next `times` requests of an operation.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) platform: &'static str,
    pub(crate) operation: Operation,
    pub(crate) kind: Kind,
    pub(crate) times: u64,
    /// Delay of `slow`, `late` and `delay` in milliseconds.
    pub(crate) ms: u64,
    /// HTTP status of `front` and `answer`.
    pub(crate) status: u16,
    /// Body of `answer`.
    pub(crate) body: String,
}

/// The faults that are not used up, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn set(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Removes the faults on this platform and operation, of one kind or of all.
    pub(crate) fn clear(&mut self, platform: &str, operation: Operation, kind: Option<Kind>) {
        self.0.retain(|fault| {
            fault.platform != platform || fault.operation != operation || kind.is_some_and(|kind| kind != fault.kind)
        });
    }

    /// Takes one use of the oldest fault that matches this request.
    pub(crate) fn take(&mut self, platform: &str, kind: RequestKind) -> Option<Fault> {
        let matches = |fault: &Fault| match kind {
            RequestKind::Page => false,
            RequestKind::Operation(Operation::Webhook) => fault.operation == Operation::Webhook,
            RequestKind::Operation(operation) => {
                matches!(fault.operation, Operation::Any) || fault.operation == operation
            }
            RequestKind::Other => fault.operation == Operation::Any,
        };
        let at = self.0.iter().position(|fault| fault.platform == platform && matches(fault))?;
        let fault = self.0.get_mut(at)?;
        fault.times = fault.times.saturating_sub(1);
        let taken = fault.clone();
        if taken.times == 0 {
            self.0.remove(at);
        }
        Some(taken)
    }

    /// The faults as the response of `/_sandbox/faults`. The body of an answer is not repeated.
    pub(crate) fn json(&self) -> Value {
        let rows = self.0.iter().map(|fault| {
            json!({
                "platform": fault.platform,
                "operation": fault.operation,
                "fault": fault.kind,
                "times": fault.times,
                "ms": fault.ms,
                "status": fault.status,
            })
        });
        json!({ "faults": rows.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(operation: Operation, kind: Kind, times: u64) -> Fault {
        Fault { platform: "alpha_ads", operation, kind, times, ms: 0, status: 403, body: String::new() }
    }

    #[test]
    fn faults_apply_in_the_order_they_were_set_and_as_often_as_set() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Create, Kind::Error, 2));
        faults.set(fault(Operation::Any, Kind::Drop, 1));
        let create = RequestKind::Operation(Operation::Create);
        let mut taken = || faults.take("alpha_ads", create).map(|fault| fault.kind);
        assert_eq!(taken(), Some(Kind::Error));
        assert_eq!(taken(), Some(Kind::Error));
        assert_eq!(taken(), Some(Kind::Drop));
        assert_eq!(taken(), None);
    }

    #[test]
    fn a_fault_on_any_skips_the_consent_page_and_other_platforms() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Any, Kind::Error, 1));
        assert!(faults.take("alpha_ads", RequestKind::Page).is_none());
        assert!(faults.take("beta_ads", RequestKind::Other).is_none());
        assert!(faults.take("alpha_ads", RequestKind::Other).is_some());
    }

    #[test]
    fn only_a_change_or_a_removal_can_be_ignored() {
        let parse = |operation| Kind::parse(ServiceKind::AdPlatform, operation, "ignored");
        assert_eq!(parse(Operation::Update), Ok(Kind::Ignored));
        assert_eq!(parse(Operation::Delete), Ok(Kind::Ignored));
        assert!(parse(Operation::Create).is_err(), "a confirmed create names its campaign");
        assert!(parse(Operation::Any).is_err());
    }

    #[test]
    fn clearing_one_kind_keeps_the_other() {
        let mut faults = Faults::default();
        faults.set(fault(Operation::Get, Kind::Error, 1));
        faults.set(fault(Operation::Get, Kind::Slow, 1));
        faults.clear("alpha_ads", Operation::Get, Some(Kind::Error));
        let left = faults.take("alpha_ads", RequestKind::Operation(Operation::Get));
        assert_eq!(left.map(|fault| fault.kind), Some(Kind::Slow));
    }
}
