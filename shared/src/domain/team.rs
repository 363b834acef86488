//! The people of a customer as a team: their roles, and who may change whom. At least one of them is an owner.

use super::{Person, PersonId};
use strum::{EnumString, IntoStaticStr};

/// What a person may do (D176). A member does everything but change roles, remove an owner and change the plan. A viewer
/// sees what a member sees, and changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum Role {
    Owner,
    Member,
    Viewer,
}

impl Role {
    /// Every role, from the one that may do most.
    pub const ALL: [Role; 3] = [Role::Owner, Role::Member, Role::Viewer];

    /// Whether a person with the role may change anything of the account. The one place that decides it: the API asks
    /// it for each request of a person, the dashboard for each of its actions, and the store for each invitation.
    pub fn may_change(self) -> bool {
        match self {
            Role::Owner | Role::Member => true,
            Role::Viewer => false,
        }
    }

    /// The name in the table and in forms.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The role of a name.
    pub fn parse(name: &str) -> Option<Role> {
        name.parse().ok()
    }
}

/// Why a change of the team is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeamRefusal {
    /// Who asks does not belong to the customer any more.
    AskerGone,
    /// The person to change does not belong to the customer.
    PersonUnknown,
    /// Only an owner may do it.
    OwnersOnly,
    /// Who asks only looks.
    OnlyLooks,
    /// The customer would have no owner.
    LastOwner,
}

/// An allowed change of a person.
#[derive(Debug, PartialEq, Eq)]
pub struct TeamChange<'a> {
    pub person: &'a Person,
    /// Whose role allows the change: it must be the same when the change is written, or two owners who demote each other
    /// at once would leave none. `None` if the change needs nobody.
    pub rests_on: Option<&'a Person>,
}

/// Makes the heir of the people their owner if they have none: before roles there were only people, and the operator
/// may remove every owner. The people are in the order in which they joined.
pub fn with_owner(people: &mut [Person]) {
    if people.iter().any(Person::is_owner) {
        return;
    }
    if let Some(heir) = heir(people).and_then(|at| people.get_mut(at)) {
        heir.role = Role::Owner;
    }
}

/// The place of the person who owns an account without an owner: the oldest who may change something, or else the
/// oldest. The people are in the order in which they joined.
pub fn heir(people: &[Person]) -> Option<usize> {
    let oldest = people.iter().position(|person| person.role.may_change());
    oldest.or_else(|| (!people.is_empty()).then_some(0))
}

/// The change of a person's role; `None` if the person has it already.
pub fn role_change<'a>(
    people: &'a [Person],
    asker: &PersonId,
    person: &PersonId,
    role: Role,
) -> Result<Option<TeamChange<'a>>, TeamRefusal> {
    let asker = find(people, asker).ok_or(TeamRefusal::AskerGone)?;
    if !asker.is_owner() {
        return Err(TeamRefusal::OwnersOnly);
    }
    let person = find(people, person).ok_or(TeamRefusal::PersonUnknown)?;
    if person.role == role {
        return Ok(None);
    }
    let rests_on = if person.id == asker.id { another_owner(people, asker)? } else { asker };
    Ok(Some(TeamChange { person, rests_on: Some(rests_on) }))
}

/// The removal of a person, who may be the one who asks.
pub fn removal<'a>(people: &'a [Person], asker: &PersonId, person: &PersonId) -> Result<TeamChange<'a>, TeamRefusal> {
    let asker = find(people, asker).ok_or(TeamRefusal::AskerGone)?;
    let person = find(people, person).ok_or(TeamRefusal::PersonUnknown)?;
    let leaves = person.id == asker.id;
    let rests_on = match person.role {
        Role::Owner if leaves => Some(another_owner(people, asker)?),
        Role::Owner if !asker.is_owner() => return Err(TeamRefusal::OwnersOnly),
        Role::Member | Role::Viewer if leaves => None,
        Role::Member | Role::Viewer if !asker.role.may_change() => return Err(TeamRefusal::OnlyLooks),
        Role::Owner | Role::Member | Role::Viewer => Some(asker),
    };
    Ok(TeamChange { person, rests_on })
}

fn find<'a>(people: &'a [Person], id: &PersonId) -> Option<&'a Person> {
    people.iter().find(|person| person.id == *id)
}

fn another_owner<'a>(people: &'a [Person], than: &Person) -> Result<&'a Person, TeamRefusal> {
    people.iter().find(|person| person.is_owner() && person.id != than.id).ok_or(TeamRefusal::LastOwner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use TeamRefusal::{AskerGone, LastOwner, OnlyLooks, OwnersOnly, PersonUnknown};

    fn id(name: &str) -> PersonId {
        PersonId(name.to_owned())
    }

    /// People of whom those with a capital letter are owners, and those with a question mark only look.
    fn team(names: &[&str]) -> Vec<Person> {
        let role = |name: &str| match name {
            name if name.ends_with('?') => Role::Viewer,
            name if name == name.to_lowercase() => Role::Member,
            _ => Role::Owner,
        };
        let now = "2026-11-22T12:00:00Z".parse().unwrap();
        names.iter().map(|name| Person::new(id(name), None, role(name), now)).collect()
    }

    /// The name on which a change rests.
    fn ground<'a>(change: &TeamChange<'a>) -> &'a str {
        change.rests_on.map_or("", |person| person.id.0.as_str())
    }

    #[test]
    fn only_owners_change_roles_and_one_stays() {
        let role = |people: &[&str], asker, person, role| {
            let people = team(people);
            let change = role_change(&people, &id(asker), &id(person), role);
            change.map(|change| change.map(|change| ground(&change).to_owned()))
        };
        let on = |name: &str| Ok(Some(name.to_owned()));
        assert_eq!(role(&["Ada", "bob"], "Ada", "bob", Role::Owner), on("Ada"));
        assert_eq!(role(&["Ada", "Bob"], "Ada", "Bob", Role::Member), on("Ada"));
        assert_eq!(role(&["Ada", "Bob"], "Ada", "Ada", Role::Member), on("Bob"));
        assert_eq!(role(&["Ada", "bob"], "Ada", "Ada", Role::Member), Err(LastOwner));
        assert_eq!(role(&["Ada", "bob"], "Ada", "bob", Role::Member), Ok(None));
        assert_eq!(role(&["Ada", "bob"], "bob", "bob", Role::Owner), Err(OwnersOnly));
        assert_eq!(role(&["Ada", "bob"], "bob", "Ada", Role::Member), Err(OwnersOnly));
        assert_eq!(role(&["Ada", "bob"], "eve", "bob", Role::Owner), Err(AskerGone));
        assert_eq!(role(&["Ada", "bob"], "Ada", "eve", Role::Owner), Err(PersonUnknown));
        assert_eq!(role(&["Ada", "bob"], "Ada", "bob", Role::Viewer), on("Ada"));
        assert_eq!(role(&["Ada", "bob?"], "Ada", "bob?", Role::Member), on("Ada"));
        assert_eq!(role(&["Ada", "bob?"], "bob?", "bob?", Role::Member), Err(OwnersOnly));
        assert_eq!(role(&["Ada", "bob"], "Ada", "Ada", Role::Viewer), Err(LastOwner));
    }

    #[test]
    fn members_are_removed_by_anyone_and_owners_by_owners() {
        let remove = |people: &[&str], asker, person| {
            let people = team(people);
            removal(&people, &id(asker), &id(person)).map(|change| ground(&change).to_owned())
        };
        let on = |name: &str| Ok(name.to_owned());
        assert_eq!(remove(&["Ada", "bob", "cyd"], "bob", "cyd"), on("bob"));
        assert_eq!(remove(&["Ada", "bob"], "bob", "bob"), on(""), "leaving needs nobody");
        assert_eq!(remove(&["Ada", "bob"], "bob", "Ada"), Err(OwnersOnly));
        assert_eq!(remove(&["Ada", "Bob"], "Bob", "Ada"), on("Bob"));
        assert_eq!(remove(&["Ada", "Bob"], "Bob", "Bob"), on("Ada"));
        assert_eq!(remove(&["Ada", "bob"], "Ada", "Ada"), Err(LastOwner));
        assert_eq!(remove(&["Ada"], "eve", "Ada"), Err(AskerGone));
        assert_eq!(remove(&["Ada"], "Ada", "eve"), Err(PersonUnknown));
    }

    #[test]
    fn a_viewer_removes_nobody_else_and_is_removed_by_a_member() {
        let remove = |asker, person| {
            let people = team(&["Ada", "bob", "cyd?", "dee?"]);
            removal(&people, &id(asker), &id(person)).map(|change| ground(&change).to_owned())
        };
        assert_eq!(remove("cyd?", "cyd?"), Ok(String::new()), "leaving needs nobody");
        assert_eq!(remove("bob", "cyd?"), Ok("bob".to_owned()));
        for person in ["bob", "dee?"] {
            assert_eq!(remove("cyd?", person), Err(OnlyLooks));
        }
        assert_eq!(remove("cyd?", "Ada"), Err(OwnersOnly));
    }

    #[test]
    fn every_role_but_that_of_a_viewer_may_change_something() {
        assert_eq!(Role::ALL.map(Role::may_change), [true, true, false]);
        assert_eq!(Role::ALL.map(|role| Role::parse(role.as_str())), Role::ALL.map(Some));
    }

    #[test]
    fn the_oldest_is_the_owner_of_people_without_one() {
        for (people, owners) in [
            (vec!["ada", "bob"], vec!["ada"]),
            (vec!["ada", "Bob"], vec!["Bob"]),
            (vec!["ada?", "bob", "cyd"], vec!["bob"]),
            (vec!["ada?", "bob?"], vec!["ada?"]),
            (vec![], vec![]),
        ] {
            let mut people = team(&people);
            with_owner(&mut people);
            let named: Vec<&str> = people.iter().filter(|one| one.is_owner()).map(|one| one.id.0.as_str()).collect();
            assert_eq!(named, owners);
        }
    }
}
