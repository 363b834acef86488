//! The people of the account, what only an owner may do, and what a viewer may not.

use crate::client::api::Refusal;
use crate::client::session::SignedIn;
use crate::kit::people::name_of;
use shared::domain::{Person, PersonId};
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// The people of the account after a change of them, oldest first. Those before it are in [`SignedIn::people`].
pub(crate) async fn all(request: &WebRequest, person: &SignedIn) -> Result<Vec<Person>, Error> {
    request.app.store.people(person.customer()).await
}

/// The refusal of a change, or of a page that is only a form, for a person who only looks (D176). It names who can help.
pub(crate) fn only_looks(person: &SignedIn) -> Error {
    let owners = owners(&person.people);
    let message = format!("You have view-only access. An owner can change your role: {owners}.");
    Error::new(Kind::Forbidden, message)
}

/// The same before such a person has asked for anything.
pub(crate) fn view_only(person: &SignedIn) -> String {
    format!("You only look: you see everything here and change nothing. {} can change that.", owners(&person.people))
}

/// The owners whom a member asks; `None` for an owner.
pub(crate) fn owners_to_ask(person: &SignedIn) -> Option<String> {
    to_ask(&person.people, &person.session.person)
}

/// Refuses what only an owner may do. `what` names it: `change the plan`.
pub(crate) fn owner_only(request: &WebRequest, person: &SignedIn, what: &str) -> Result<(), Refusal> {
    let Some(owners) = owners_to_ask(person) else { return Ok(()) };
    let message = format!("Only an owner of this account may {what}. Ask {owners}.");
    Err(Refusal::of(&Error::new(Kind::Forbidden, message), request))
}

fn to_ask(people: &[Person], asker: &PersonId) -> Option<String> {
    let is_owner = people.iter().any(|person| person.is_owner() && person.id == *asker);
    (!is_owner).then(|| owners(people))
}

fn owners(people: &[Person]) -> String {
    people.iter().filter(|person| person.is_owner()).map(name_of).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::Role;

    fn person(id: &str, email: Option<&str>, role: Role) -> Person {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        Person::new(PersonId(id.to_owned()), email.map(str::to_owned), role, now)
    }

    #[test]
    fn a_member_asks_the_owners() {
        let people = [
            person("1", Some("ada@example.com"), Role::Owner),
            person("2", None, Role::Owner),
            person("3", Some("bob@example.com"), Role::Member),
        ];
        let asks = |id: &str| to_ask(&people, &PersonId(id.to_owned()));
        assert_eq!(asks("3").as_deref(), Some("ada@example.com or Person 2"));
        assert_eq!((asks("1"), asks("2")), (None, None));
    }
}
