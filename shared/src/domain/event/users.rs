//! The events of users: a user is paused, or resumed (D168).

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{ExternalRef, User};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A user as `listUsers` returns it, without its spending limit.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserSnapshot {
    pub external_ref: ExternalRef,
    pub label: Option<String>,
    pub is_paused: bool,
}

impl Event {
    /// The event of a user that is paused or resumed; `None` if it is neither. One of label or limit has none, and neither
    /// has another attempt at the same pause.
    pub fn of_user(before: &User, after: &User, occurrence: Occurrence) -> Option<Event> {
        let [was_paused, is_paused] = [before, after].map(|user| user.paused_at().is_some());
        let kind = if is_paused { EventKind::UserPaused } else { EventKind::UserResumed };
        let (external_ref, label) = (after.external_ref.clone(), after.label.clone());
        let name = external_ref.to_string();
        let subject = Subject::User(Box::new(UserSnapshot { external_ref, label, is_paused }));
        (was_paused != is_paused).then(|| Event::new(occurrence, kind, &name, subject))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::spending::Spender;
    use crate::domain::{CustomerId, Spending, SpendingLimit};
    use jiff::Timestamp;
    use uuid::Uuid;

    fn user(label: &str, paused_at: Option<i64>) -> User {
        let external_ref = ExternalRef::parse("shop42").unwrap();
        let stopped_at = paused_at.map(|second| Timestamp::from_second(second).unwrap());
        let spending = Spending { stopped_at, ..Spending::none(Spender::User(external_ref.clone())) };
        User { external_ref, label: Some(label.to_owned()), spending: Some(spending), erasure: None }
    }

    #[test]
    fn a_pause_and_its_end_have_an_event_each_and_nothing_else_has() {
        let told = |before: &User, after: &User| {
            let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH };
            let event = Event::of_user(before, after, occurrence)?;
            match event.subject {
                Subject::User(user) => Some((event.kind, user.label.clone(), user.is_paused)),
                other => panic!("{other:?}"),
            }
        };
        let (runs, paused) = (user("a", None), user("b", Some(1)));
        assert_eq!(told(&runs, &paused), Some((EventKind::UserPaused, Some("b".to_owned()), true)));
        assert_eq!(told(&paused, &runs), Some((EventKind::UserResumed, Some("a".to_owned()), false)));
        assert_eq!(
            told(&User { spending: None, ..runs.clone() }, &paused).map(|(kind, ..)| kind),
            Some(EventKind::UserPaused)
        );
        assert_eq!(told(&paused, &user("b", Some(2))), None, "another attempt at the same pause");
        let spending = runs.spending.as_ref().map(|spending| spending.limited_to(Some(SpendingLimit::zero())));
        assert_eq!(told(&runs, &User { spending, ..user("c", None) }), None, "a label and a limit");
    }
}
