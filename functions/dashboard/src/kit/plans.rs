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

/// The room of a plan for ad accounts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// `Your plan has 3 ad accounts, 2 are connected.`
    pub(crate) words: String,
    /// The name of the plan with more room, if this one is full.
    pub(crate) larger: Option<&'static str>,
}

/// The room of the account's plan; `None` for a plan without a limit.
pub(crate) fn room(account: &Account) -> Option<Room> {
    let plan = account.customer.plan;
    let most = plan.limits().connections?;
    let connected = match account.connections {
        0 => "none is connected".to_owned(),
        1 => "1 is connected".to_owned(),
        count => format!("{count} are connected"),
    };
    let larger = || name(Plan::smallest_with(|limits| limits.connections.is_none_or(|other| other > most)));
    Some(Room {
        words: format!("Your plan has {most} ad accounts, {connected}."),
        larger: (account.connections >= most).then(larger),
    })
}

/// What to do where the plan has no room for another connection; `None` where it has.
pub(crate) fn no_room(account: &Account) -> Option<String> {
    let Room { words, larger } = room(account)?;
    larger.map(|larger| format!("{words} Remove one, or upgrade to {larger}."))
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
        let words = "Your plan has 3 ad accounts, 3 are connected. Remove one, or upgrade to Pro.";
        assert_eq!(full.as_deref(), Some(words));
        assert!(no_room(&account(Plan::Pro, 25)).is_some_and(|text| text.ends_with("upgrade to Enterprise.")));
        assert_eq!(no_room(&account(Plan::Starter, 2)), None);
        assert_eq!(no_room(&account(Plan::Enterprise, 2_000)), None);
    }

    #[test]
    fn a_plan_says_beforehand_how_much_room_is_left() {
        let told = |plan, connections| room(&account(plan, connections)).map(|room| (room.words, room.larger));
        let words = |words: &str, larger| Some((words.to_owned(), larger));
        assert_eq!(told(Plan::Starter, 0), words("Your plan has 3 ad accounts, none is connected.", None));
        assert_eq!(told(Plan::Starter, 1), words("Your plan has 3 ad accounts, 1 is connected.", None));
        assert_eq!(told(Plan::Starter, 3), words("Your plan has 3 ad accounts, 3 are connected.", Some("Pro")));
        assert_eq!(told(Plan::Enterprise, 3), None);
    }
}
