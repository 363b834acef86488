//! Changes of the people of a customer by one of them. What allows a change is a condition of its transaction.

use super::item::{ListedPerson, RoleAttributes};
use crate::domain::team::{self, TeamChange, TeamRefusal};
use crate::domain::{CustomerId, Person, PersonId, Role};
use crate::error::Error;
use crate::store::transactions::{back_off, check_write, contended, delete_write, update_write};
use crate::store::{Store, Values, table_keys, text};
use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, TransactWriteItem};
use jiff::Timestamp;

/// Attempts at a change whose conditions did not hold because somebody else changed the people.
const ATTEMPTS: u64 = 8;
/// Sessions that end in the transaction of a removal, which has at most 100 writes. The others end before it.
const MAX_SESSIONS: usize = 90;
/// Maximum number of other people whose role one transaction can check.
const MAX_OTHERS: usize = 99;

impl Store {
    /// Gives a person another role, for `asker`. The inner error is a refusal: nothing has changed.
    pub async fn set_role(
        &self,
        customer: CustomerId,
        asker: &PersonId,
        person: &PersonId,
        role: Role,
    ) -> Result<Result<(), TeamRefusal>, Error> {
        for attempt in 0..ATTEMPTS {
            let people: Vec<Person> = self.team(customer).await?.into_iter().map(|listed| listed.person).collect();
            let change = match team::role_change(&people, asker, person, role) {
                Ok(Some(change)) => change,
                Ok(None) => return Ok(Ok(())),
                Err(refusal) => return Ok(Err(refusal)),
            };
            if self.transact(self.role_writes(customer, &change, role)?).await?.is_empty() {
                return Ok(Ok(()));
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// Takes a person from a customer and ends the person's sessions, in one transaction, for `asker`. The inner error is
    /// a refusal: nothing has changed.
    pub async fn remove_member(
        &self,
        customer: CustomerId,
        asker: &PersonId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<Result<(), TeamRefusal>, Error> {
        for attempt in 0..ATTEMPTS {
            let listed = self.team(customer).await?;
            let people: Vec<Person> = listed.iter().map(|listed| listed.person.clone()).collect();
            let change = match team::removal(&people, asker, person) {
                Ok(change) => change,
                Err(refusal) => return Ok(Err(refusal)),
            };
            let last = listed.iter().find(|one| one.person.id == *person).and_then(|one| one.last_session.as_deref());
            let writes = self.removal_writes(customer, &change, last, now).await?;
            if self.transact(writes).await?.is_empty() {
                return Ok(Ok(()));
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    /// The people of a customer, one of whom is an owner in the table, too: conditions are about the table.
    async fn team(&self, customer: CustomerId) -> Result<Vec<ListedPerson>, Error> {
        for attempt in 0..ATTEMPTS {
            let listed = self.listed_people(customer).await?;
            if listed.iter().any(|one| one.person.is_owner()) {
                return Ok(listed);
            }
            let people: Vec<Person> = listed.iter().map(|one| one.person.clone()).collect();
            let Some(heir) = team::heir(&people).and_then(|at| people.get(at)) else { return Ok(listed) };
            // The list is no snapshot, so each of the others must still be no owner.
            let mut writes = vec![self.role_write(customer, heir, Role::Owner)?];
            let others = people.iter().filter(|other| other.id != heir.id).take(MAX_OTHERS);
            let others = others.map(|other| self.role_check(customer, other));
            writes.extend(others.collect::<Result<Vec<_>, _>>()?);
            self.transact(writes).await?;
            back_off(attempt).await;
        }
        Err(contended())
    }

    fn role_writes(
        &self,
        customer: CustomerId,
        change: &TeamChange<'_>,
        role: Role,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let change_of_role = self.role_write(customer, change.person, role);
        let check = change.rests_on.map(|person| self.role_check(customer, person));
        std::iter::once(change_of_role).chain(check).collect()
    }

    /// The writes of a removal. Sessions that began after `last` make them fail.
    async fn removal_writes(
        &self,
        customer: CustomerId,
        change: &TeamChange<'_>,
        last: Option<&str>,
        now: Timestamp,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let TeamChange { person, rests_on } = change;
        let sessions = self.sessions(customer, Some(&person.id), now).await?;
        let (last_to_end, before) = sessions.split_at(sessions.len().min(MAX_SESSIONS));
        self.delete_sessions(customer, before).await?;
        let listed =
            self.delete_item(&table_keys::person_of(customer, &person.id)).value(":role", text(word(person.role)));
        let listed = match last {
            Some(last) => listed
                .condition_expression(format!("{} AND last_session = :last", has_role(person.role)))
                .value(":last", text(last)),
            None => {
                listed.condition_expression(format!("{} AND attribute_not_exists(last_session)", has_role(person.role)))
            }
        };
        let mut writes = vec![self.person_delete(customer, &person.id)?, delete_write(listed)?];
        if let Some(ground) = rests_on {
            writes.push(self.role_check(customer, ground)?);
        }
        for session in last_to_end {
            writes.push(delete_write(self.delete_item(&table_keys::session(customer, &session.hash)))?);
        }
        Ok(writes)
    }

    /// Gives a person a role, if theirs is still the one that was read.
    fn role_write(&self, customer: CustomerId, person: &Person, role: Role) -> Result<TransactWriteItem, Error> {
        let update = self
            .update_item(&table_keys::person_of(customer, &person.id))
            .condition_expression(has_role(person.role))
            .values([(":role", text(word(person.role))), (":new", text(word(role)))]);
        update_write(match role {
            Role::Owner | Role::Member => update.update_expression("SET member_role = :new REMOVE only_looks"),
            Role::Viewer => update
                .update_expression("SET member_role = :new, only_looks = :looks")
                .value(":looks", AttributeValue::Bool(true)),
        })
    }

    /// The condition that a person still has the role that was read.
    fn role_check(&self, customer: CustomerId, person: &Person) -> Result<TransactWriteItem, Error> {
        let check = ConditionCheck::builder()
            .table_name(&self.table)
            .set_key(Some(table_keys::person_of(customer, &person.id).attributes()))
            .condition_expression(has_role(person.role))
            .expression_attribute_values(":role", text(word(person.role)));
        check_write(check)
    }
}

/// The value of `:role` in the condition of a role, and of `member_role` in a write.
fn word(role: Role) -> &'static str {
    RoleAttributes::of(role).word()
}

/// The person is there and has the role whose stored word is `:role`. Without a stored one it is that of a member.
fn has_role(role: Role) -> &'static str {
    match role {
        Role::Owner => "member_role = :role",
        Role::Member => {
            "attribute_exists(pk) AND (attribute_not_exists(member_role) OR member_role = :role) \
             AND attribute_not_exists(only_looks)"
        }
        Role::Viewer => "attribute_exists(only_looks) AND (attribute_not_exists(member_role) OR member_role = :role)",
    }
}
