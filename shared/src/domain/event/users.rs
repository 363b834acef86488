//! The events of users: a user has another label, is paused, or resumed (D168).

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

/// The former value of a user: one, because nothing changes both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserBefore {
    /// Whether it was paused.
    IsPaused(bool),
    /// Its label.
    Label(Option<String>),
}

impl Event {
    /// The event of a user that is paused or resumed, or has another label; `None` if it is none of them. Another limit has
    /// none, and neither has another attempt at the same pause.
    pub fn of_user(before: &User, after: &User, occurrence: Occurrence) -> Option<Event> {
        let [was_paused, is_paused] = [before, after].map(|user| user.paused_at().is_some());
        let (external_ref, label) = (after.external_ref.clone(), after.label.clone());
        let (kind, previous) = match (was_paused, is_paused) {
            (false, true) => (EventKind::UserPaused, UserBefore::IsPaused(false)),
            (true, false) => (EventKind::UserResumed, UserBefore::IsPaused(true)),
            _ if before.label == label => return None,
            _ => (EventKind::UserUpdated, UserBefore::Label(before.label.clone())),
        };
        let name = match (kind, occurrence.request) {
            // Two requests may change it at one time.
            (EventKind::UserUpdated, Some(request)) => format!("{external_ref}#{request}"),
            _ => external_ref.to_string(),
        };
        let user = Box::new(UserSnapshot { external_ref, label, is_paused });
        Some(Event::new(occurrence, kind, &name, Subject::User { user, previous }))
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
    fn a_pause_its_end_and_another_label_have_an_event_each() {
        let told = |before: &User, after: &User| {
            let occurrence = Occurrence { customer: CustomerId(Uuid::nil()), request: None, at: Timestamp::UNIX_EPOCH };
            let event = Event::of_user(before, after, occurrence)?;
            match event.subject {
                Subject::User { user, previous } => Some((event.kind, user.label.clone(), user.is_paused, previous)),
                other => panic!("{other:?}"),
            }
        };
        let label = |label: &str| Some(label.to_owned());
        let (runs, paused) = (user("a", None), user("a", Some(1)));
        let (began, ended) = (UserBefore::IsPaused(false), UserBefore::IsPaused(true));
        assert_eq!(told(&runs, &paused), Some((EventKind::UserPaused, label("a"), true, began)));
        assert_eq!(told(&paused, &runs), Some((EventKind::UserResumed, label("a"), false, ended)));
        assert_eq!(
            told(&User { spending: None, ..runs.clone() }, &paused).map(|(kind, ..)| kind),
            Some(EventKind::UserPaused)
        );
        assert_eq!(told(&paused, &user("a", Some(2))), None, "another attempt at the same pause");
        let spending = runs.spending.as_ref().map(|spending| spending.limited_to(Some(SpendingLimit::zero())));
        assert_eq!(told(&runs, &User { spending: spending.clone(), ..user("a", None) }), None, "a limit");
        let named = told(&runs, &User { spending, ..user("b", None) });
        assert_eq!(named, Some((EventKind::UserUpdated, label("b"), false, UserBefore::Label(label("a")))));
        let none = told(&paused, &User { label: None, ..user("a", Some(1)) });
        assert_eq!(none, Some((EventKind::UserUpdated, None, true, UserBefore::Label(label("a")))));
    }

    #[test]
    fn two_requests_that_change_a_label_at_one_time_have_two_events() {
        let id = |request| {
            let (customer, at) = (CustomerId(Uuid::nil()), Timestamp::UNIX_EPOCH);
            let occurrence = Occurrence { customer, request: Some(Uuid::from_u128(request)), at };
            Event::of_user(&user("a", None), &user("b", None), occurrence).unwrap().id
        };
        assert!(id(1) != id(2) && id(1) == id(1));
    }
}
