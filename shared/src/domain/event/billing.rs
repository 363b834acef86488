//! The events of billing.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{BillingStatus, Plan, SubscriptionStatus};

/// The status of a subscription whose payment has failed.
const PAST_DUE: &str = "past_due";

/// The former values of the fields of the billing status that have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BillingBefore {
    pub plan: Option<Plan>,
    pub status: Option<SubscriptionStatus>,
}

impl Event {
    /// The events of a billing status that follows another plan or status. A change of the usage has none.
    pub fn of_billing(
        plan: Plan,
        status: &SubscriptionStatus,
        after: &BillingStatus,
        occurrence: Occurrence,
    ) -> Vec<Event> {
        let previous = BillingBefore {
            plan: Some(plan).filter(|plan| *plan != after.plan),
            status: Some(status.clone()).filter(|status| *status != after.status),
        };
        let mut kinds = Vec::new();
        if previous.plan.is_some() {
            kinds.push(EventKind::BillingPlanChanged);
        }
        if previous.status.is_some() && after.status.as_str() == PAST_DUE {
            kinds.push(EventKind::BillingPastDue);
        }
        let name = format!("{}#{}", after.plan.as_str(), after.status.as_str());
        let event = |kind| {
            let (billing, previous) = (Box::new(after.clone()), previous.clone());
            Event::new(occurrence, kind, &name, Subject::Billing { billing, previous })
        };
        kinds.into_iter().map(event).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CustomerId, Usage};
    use jiff::Timestamp;
    use uuid::Uuid;

    #[test]
    fn another_plan_and_a_failed_payment_have_events() {
        let told = |(plan, status), (plan_after, status_after)| {
            let usage = Usage::of_month(Timestamp::UNIX_EPOCH);
            let after = BillingStatus { plan: plan_after, status: SubscriptionStatus::new(status_after), usage };
            let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH };
            let events = Event::of_billing(plan, &SubscriptionStatus::new(status), &after, occurrence);
            let parts = events.into_iter().map(|event| match event.subject {
                Subject::Billing { previous: BillingBefore { plan, status }, .. } => {
                    (event.kind, plan, status.map(|status| status.as_str().to_owned()))
                }
                other => panic!("{other:?}"),
            });
            parts.collect::<Vec<_>>()
        };
        let (changed, past_due) = (EventKind::BillingPlanChanged, EventKind::BillingPastDue);
        let active = || Some("active".to_owned());
        assert_eq!(told((Plan::Pro, "active"), (Plan::Pro, "active")), []);
        assert_eq!(told((Plan::Starter, "active"), (Plan::Pro, "active")), [(changed, Some(Plan::Starter), None)]);
        assert_eq!(told((Plan::Pro, "active"), (Plan::Pro, "past_due")), [(past_due, None, active())]);
        assert_eq!(told((Plan::Pro, "past_due"), (Plan::Pro, "past_due")), []);
        assert_eq!(told((Plan::Pro, "past_due"), (Plan::Pro, "active")), []);
        assert_eq!(told((Plan::Pro, "active"), (Plan::Starter, "canceled")), [(changed, Some(Plan::Pro), active())]);
    }
}
