//! The change of plan and period that a new subscription state causes.

use crate::domain::{Plan, SubscriptionState, Usage};
use jiff::Timestamp;

/// Change of an account by a new subscription state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlanChange {
    /// New plan, if the subscription began, changed or ended. In between the operator may set another plan.
    pub(super) plan: Option<Plan>,
    /// New period, unless it has ended.
    pub(super) period: Option<(Timestamp, Timestamp)>,
    /// `true` if another period restarts the request count: it does if a payment begins, renews or ends. The smallest
    /// plan may be free, so starting and ending it must not restart the count.
    pub(super) restarts_count: bool,
}

impl PlanChange {
    pub(super) fn of(before: Option<&SubscriptionState>, state: &SubscriptionState, now: Timestamp) -> PlanChange {
        let had = before.is_some_and(|before| before.status.grants_access());
        let has = state.status.grants_access();
        let plan_before = before.map_or(Plan::Starter, |before| before.plan);
        let is_another = before.is_none_or(|before| before.subscription_id != state.subscription_id);
        let plan = (state.plan != plan_before || (has && is_another)).then_some(state.plan);
        let period = if has { Some((state.period_start, state.period_end)) } else { None };
        let period = period.or_else(|| had.then(|| month_of(now)));
        let is_paid = (has && state.plan != Plan::Starter) || (had && plan_before != Plan::Starter);
        let renews = before.is_some_and(|before| !is_another && before.period_start < state.period_start);
        PlanChange { plan, period: period.filter(|(_, end)| *end > now), restarts_count: is_paid || (has && renews) }
    }
}

fn month_of(now: Timestamp) -> (Timestamp, Timestamp) {
    let month = Usage::of_month(now);
    (month.period_start, month.period_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SubscriptionStatus;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn subscription_state(subscription: &str, status: &str, plan: Plan) -> SubscriptionState {
        SubscriptionState {
            subscription_id: subscription.to_owned(),
            status: SubscriptionStatus::new(status),
            plan,
            period_start: moment("2026-11-20T12:00:00Z"),
            period_end: moment("2026-12-20T12:00:00Z"),
            cancel_at_period_end: false,
        }
    }

    fn plan_after(before: Option<&SubscriptionState>, state: &SubscriptionState) -> Option<Plan> {
        PlanChange::of(before, state, moment("2026-11-25T00:00:00Z")).plan
    }

    #[test]
    fn the_plan_is_set_when_a_subscription_begins_changes_or_ends() {
        let (pro, ent) =
            (subscription_state("a", "active", Plan::Pro), subscription_state("a", "active", Plan::Enterprise));
        let (late, ended) =
            (subscription_state("a", "past_due", Plan::Pro), subscription_state("a", "canceled", Plan::Starter));
        let starter = subscription_state("b", "active", Plan::Starter);
        for (before, after, plan) in [
            (None, &pro, Some(Plan::Pro)),
            (None, &starter, Some(Plan::Starter)),
            (None, &ended, None),
            (Some(&pro), &pro, None),
            (Some(&pro), &late, None),
            (Some(&pro), &ent, Some(Plan::Enterprise)),
            (Some(&late), &ended, Some(Plan::Starter)),
            (Some(&ended), &ended, None),
            (Some(&ended), &starter, Some(Plan::Starter)),
        ] {
            assert_eq!(plan_after(before, after), plan, "{before:?} {after:?}");
        }
    }

    #[test]
    fn starting_and_ending_a_free_plan_restarts_no_count() {
        let now = moment("2026-11-25T00:00:00Z");
        let (free, ended) =
            (subscription_state("a", "active", Plan::Starter), subscription_state("a", "canceled", Plan::Starter));
        let (pro, again) =
            (subscription_state("b", "active", Plan::Pro), subscription_state("c", "active", Plan::Starter));
        for (before, after, restarts_count) in [
            (None, &free, false),
            (Some(&free), &ended, false),
            (Some(&ended), &again, false),
            (Some(&ended), &pro, true),
            (Some(&pro), &ended, true),
        ] {
            assert_eq!(PlanChange::of(before, after, now).restarts_count, restarts_count, "{before:?} {after:?}");
        }
        let renewed = SubscriptionState {
            period_start: free.period_end,
            period_end: moment("2027-02-01T00:00:00Z"),
            ..free.clone()
        };
        assert!(PlanChange::of(Some(&free), &renewed, now).restarts_count);
    }

    #[test]
    fn the_period_is_the_paid_one_and_then_the_month() {
        let now = moment("2026-11-25T00:00:00Z");
        let (pro, ended) =
            (subscription_state("a", "active", Plan::Pro), subscription_state("a", "canceled", Plan::Starter));
        assert_eq!(PlanChange::of(None, &pro, now).period, Some((pro.period_start, pro.period_end)));
        assert_eq!(PlanChange::of(Some(&pro), &ended, now).period, Some(month_of(now)));
        assert_eq!(PlanChange::of(Some(&ended), &ended, now).period, None);
        assert_eq!(PlanChange::of(None, &pro, moment("2027-01-01T00:00:00Z")).period, None);
    }
}
