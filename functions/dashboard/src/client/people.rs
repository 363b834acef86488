//! The people of the account, as pages name them, and what only an owner may do.

use crate::client::api::Refusal;
use crate::client::session::SignedIn;
use shared::domain::{Person, PersonId, Role};
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// Characters of an id that name a person without an address.
const SHORT_ID: usize = 8;

/// The name of a person: the e-mail address, or the begin of the id without one.
pub(crate) fn name(email: Option<&str>, id: &PersonId) -> String {
    let short = || format!("Person {}", id.0.chars().take(SHORT_ID).collect::<String>());
    email.filter(|email| !email.is_empty()).map_or_else(short, str::to_owned)
}

/// The name of a person of the account.
pub(crate) fn name_of(person: &Person) -> String {
    name(person.email.as_deref(), &person.id)
}

/// A role in words.
pub(crate) fn role_word(role: Role) -> &'static str {
    match role {
        Role::Owner => "Owner",
        Role::Member => "Member",
    }
}

/// The people of the account, oldest first.
pub(crate) async fn all(request: &WebRequest, person: &SignedIn) -> Result<Vec<Person>, Error> {
    request.app.store.people(person.customer()).await
}

/// The owners whom a member asks; `None` for an owner.
pub(crate) async fn owners_to_ask(request: &WebRequest, person: &SignedIn) -> Result<Option<String>, Error> {
    Ok(to_ask(&all(request, person).await?, &person.session.person))
}

/// Refuses what only an owner may do. `what` names it: `change the plan`.
pub(crate) async fn owner_only(request: &WebRequest, person: &SignedIn, what: &str) -> Result<(), Refusal> {
    match owners_to_ask(request, person).await {
        Ok(None) => Ok(()),
        Ok(Some(owners)) => {
            let message = format!("Only an owner of this account may {what}. Ask {owners}.");
            Err(Refusal::of(&Error::new(Kind::Forbidden, message), request))
        }
        Err(error) => Err(Refusal::of(&error, request)),
    }
}

fn to_ask(people: &[Person], asker: &PersonId) -> Option<String> {
    let owners = || people.iter().filter(|person| person.is_owner());
    if owners().any(|owner| owner.id == *asker) {
        return None;
    }
    Some(owners().map(name_of).collect::<Vec<_>>().join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str, email: Option<&str>, role: Role) -> Person {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        Person::new(PersonId(id.to_owned()), email.map(str::to_owned), role, now)
    }

    #[test]
    fn a_person_without_an_address_has_a_name() {
        let id = PersonId("0123456789abcdef".to_owned());
        assert_eq!(name(Some("ada@example.com"), &id), "ada@example.com");
        assert_eq!(
            (name(None, &id), name(Some(""), &id)),
            ("Person 01234567".to_owned(), "Person 01234567".to_owned())
        );
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
