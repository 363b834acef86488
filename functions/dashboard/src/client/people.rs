//! The people of the account, and what only an owner may do.

use crate::client::api::Refusal;
use crate::client::session::SignedIn;
use crate::kit::people::name_of;
use shared::domain::{Person, PersonId};
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

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
