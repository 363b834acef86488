//! The choices of filters by who made a request: an API key, or a person.

use crate::kit::choice::{Choice, choices_in_force};
use crate::kit::people;
use shared::domain::{ApiKeyInfo, ExternalRef, Person};

/// The API keys, and the one in force if it is deleted. `name` is its name, if something still has it. A list of one user
/// has no key that is bound to another one.
pub(crate) fn key_choices(
    keys: &[ApiKeyInfo],
    user: Option<&ExternalRef>,
    chosen: &str,
    name: Option<&str>,
) -> Vec<Choice> {
    let may_act = |key: &&ApiKeyInfo| user.is_none() || key.external_ref.is_none() || key.external_ref.as_ref() == user;
    let known = keys.iter().filter(may_act).map(|key| (key.id.0.as_str(), key.name.clone()));
    with_chosen(known.collect(), chosen, || format!("{} (deleted)", name.unwrap_or(chosen)))
}

/// The people of an account, and the one in force if they have left. `name` is their address at that time.
pub(crate) fn person_choices(people: &[Person], chosen: &str, name: Option<&str>) -> Vec<Choice> {
    let known = people.iter().map(|person| (person.id.0.as_str(), people::name_of(person)));
    with_chosen(known.collect(), chosen, || name.unwrap_or("A former member").to_owned())
}

fn with_chosen<'a>(mut known: Vec<(&'a str, String)>, chosen: &'a str, name: impl FnOnce() -> String) -> Vec<Choice> {
    if !chosen.is_empty() && known.iter().all(|(id, _)| *id != chosen) {
        known.push((chosen, name()));
    }
    options(known, chosen)
}

/// The options of a filter, from values and what they say, after one for all.
pub(crate) fn options<'a>(known: impl IntoIterator<Item = (&'a str, String)>, chosen: &str) -> Vec<Choice> {
    let known: Vec<(&str, String)> = [("", "All".to_owned())].into_iter().chain(known).collect();
    let known: Vec<(&str, &str)> = known.iter().map(|(value, text)| (*value, text.as_str())).collect();
    choices_in_force(&known, chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::{ApiKeys, PersonId, Role};

    fn chosen(choices: Vec<Choice>) -> String {
        choices.into_iter().find(|choice| choice.is_chosen).unwrap().text
    }

    #[test]
    fn a_key_that_is_deleted_stays_a_choice_while_it_is_in_force() {
        assert_eq!(chosen(key_choices(&[], None, "", Some("Ada"))), "All");
        assert_eq!(chosen(key_choices(&[], None, "key_1", Some("Nightly"))), "Nightly (deleted)");
        assert_eq!(chosen(key_choices(&[], None, "key_1", None)), "key_1 (deleted)");
    }

    #[test]
    fn a_list_of_a_user_has_no_key_of_another_one() {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let shared = ApiKeys::default_alone("hash", "uac_test_", now).all().to_vec();
        let bound = |user: &str| ApiKeyInfo {
            name: format!("Key of {user}"),
            external_ref: ExternalRef::parse(user),
            ..shared[0].clone()
        };
        let keys = [shared[0].clone(), bound("shop42"), bound("shop43")];
        let texts = |user: Option<&str>| -> Vec<String> {
            let user = user.and_then(ExternalRef::parse);
            key_choices(&keys, user.as_ref(), "", None).into_iter().map(|choice| choice.text).collect()
        };
        assert_eq!(texts(Some("shop42")), ["All", "default", "Key of shop42"]);
        assert_eq!(texts(None), ["All", "default", "Key of shop42", "Key of shop43"]);
    }

    #[test]
    fn people_are_named_by_address_and_who_has_left_is_a_choice_in_force() {
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        let ada = Person::new(PersonId("p".to_owned()), Some("ada@example.com".to_owned()), Role::Owner, now);
        let people = std::slice::from_ref(&ada);
        assert_eq!(chosen(person_choices(people, "", None)), "All");
        assert_eq!(chosen(person_choices(people, "p", None)), "ada@example.com");
        assert_eq!(chosen(person_choices(people, "q", Some("bob@example.com"))), "bob@example.com");
        assert_eq!(
            (chosen(person_choices(&[], "q", None)), person_choices(people, "", None).len()),
            ("A former member".to_owned(), 2)
        );
    }
}
