//! What the plan of a customer does not include, and payments.

use super::Statement;
use crate::domain::{Plan, SubscriptionStatus};
use std::fmt;

/// What the plan does not include, or why no plan was bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStatement {
    /// All connections are used. `larger` has more.
    Connections { plan: Plan, most: usize, larger: Plan },
    /// No more authorizations can be in progress.
    Authorizations { plan: Plan, most: usize },
    /// A create is in one ad account. `larger` has creates in several.
    Targets { plan: Plan, larger: Plan },
    /// The customer has this plan.
    Had { plan: Plan, status: SubscriptionStatus },
    /// The customer has a subscription, and would pay for a second one.
    Subscribed(SubscriptionStatus),
    /// The payment provider repeats this failure for the same `Idempotency-Key`.
    Repeated(Statement),
}

impl fmt::Display for PlanStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanStatement::Connections { plan, most, larger } => write!(
                f,
                "Plan {} allows {most} connections, and all are used: remove one with DELETE /v1/connections/{{id}}, or \
                 change to plan {}.",
                plan.as_str(),
                larger.as_str()
            ),
            PlanStatement::Authorizations { plan, most } => write!(
                f,
                "Plan {} allows {most} authorizations in progress. Finish one, remove one with DELETE \
                 /v1/connections/{{id}}, or retry after the seconds in the Retry-After header.",
                plan.as_str()
            ),
            PlanStatement::Targets { plan, larger } => write!(
                f,
                "Plan {} does not include targets: change to plan {}, or send one create for each ad account.",
                plan.as_str(),
                larger.as_str()
            ),
            PlanStatement::Had { plan, status } => write!(
                f,
                "You already have the plan {} ({}). Manage the subscription in the portal: POST /v1/billing/portal.",
                plan.as_str(),
                status.as_str()
            ),
            PlanStatement::Subscribed(status) => write!(
                f,
                "You already have a subscription ({}) and would pay for a second one as well. Change or cancel it in the \
                 portal: POST /v1/billing/portal.",
                status.as_str()
            ),
            PlanStatement::Repeated(failure) => write!(
                f,
                "{failure} The payment provider has stored this failure under the Idempotency-Key; use a new key."
            ),
        }
    }
}
