//! People as pages name them.

use shared::domain::{Person, PersonId, Role};

/// Characters of an id that name a person without an address.
const SHORT_ID: usize = 8;

/// The name of a person: the e-mail address, or the beginning of the id without one.
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
        Role::Viewer => "Viewer",
    }
}

/// What a person with a role does, in one line after its name.
pub(crate) fn role_meaning(role: Role) -> &'static str {
    match role {
        Role::Owner => "works on everything, and changes roles, the plan and its payment",
        Role::Member => "works on campaigns, ad accounts and keys, and invites others",
        Role::Viewer => "sees every page, and changes nothing",
    }
}

/// A person with a role: `an owner`.
pub(crate) fn with_role(role: Role) -> &'static str {
    match role {
        Role::Owner => "an owner",
        Role::Member => "a member",
        Role::Viewer => "a viewer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_without_an_address_has_a_name() {
        let id = PersonId("0123456789abcdef".to_owned());
        assert_eq!(name(Some("ada@example.com"), &id), "ada@example.com");
        assert_eq!(
            (name(None, &id), name(Some(""), &id)),
            ("Person 01234567".to_owned(), "Person 01234567".to_owned())
        );
    }
}
