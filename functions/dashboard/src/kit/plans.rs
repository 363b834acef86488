//! The plans in the words of the pages.

use shared::domain::Plan;
use shared::store::Account;

/// The name of a plan for people: `Pro`.
pub(crate) fn name(plan: Plan) -> &'static str {
    match plan {
        Plan::Starter => "Starter",
        Plan::Pro => "Pro",
        Plan::Enterprise => "Enterprise",
    }
}

/// What to do where the plan has no room for another connection; `None` where it has.
pub(crate) fn no_room(account: &Account) -> Option<String> {
    let plan = account.customer.plan;
    let most = plan.limits().connections.filter(|most| account.connections >= *most)?;
    let larger = Plan::smallest_with(|limits| limits.connections.is_none_or(|other| other > most));
    Some(format!("All {most} connections of plan {} are used. Remove one, or upgrade to {}.", name(plan), name(larger)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{Customer, CustomerId};
    use uuid::Uuid;

    fn account(plan: Plan, connections: usize) -> Account {
        let id = CustomerId(Uuid::nil());
        let created_at = "2026-11-01T00:00:00Z".parse().unwrap();
        let customer = Customer { id, email: String::new(), plan, created_at, disabled: false };
        Account { connections, ..Account::without_key(customer) }
    }

    #[test]
    fn a_full_plan_names_the_next_one() {
        let full = no_room(&account(Plan::Starter, 3));
        let words = "All 3 connections of plan Starter are used. Remove one, or upgrade to Pro.";
        assert_eq!(full.as_deref(), Some(words));
        assert!(no_room(&account(Plan::Pro, 25)).is_some_and(|text| text.ends_with("upgrade to Enterprise.")));
        assert_eq!(no_room(&account(Plan::Starter, 2)), None);
        assert_eq!(no_room(&account(Plan::Enterprise, 2_000)), None);
    }
}
