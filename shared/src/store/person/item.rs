//! People who sign in. One record leads from a person to the customer, and one in the customer's partition lists the
//! person. A transaction keeps both in step.

use crate::domain::{Customer, CustomerId, Person, PersonId, Role, SavedView, Session, team};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::transactions::{delete_write, put_write};
use crate::store::{Account, Item, Store, Values, attribute, from_item, table_keys, text, to_item};
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Leads from the issuer's name for a person to the customer.
#[derive(Serialize, Deserialize)]
struct PersonItem {
    customer_id: CustomerId,
}

/// Lists a person among those of the customer.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct CustomerPersonItem {
    person: PersonId,
    email: Option<String>,
    #[serde(rename = "since")]
    joined_at: Timestamp,
    #[serde(flatten)]
    role: RoleAttributes,
    /// The last sign-in after the one that joined.
    signed_in_at: Option<Timestamp>,
    /// The session of that sign-in.
    last_session: Option<String>,
    #[serde(rename = "saved_views", default, skip_serializing_if = "Vec::is_empty")]
    views: Vec<SavedView>,
}

/// A role as stored. Code from before viewers existed reads one as a member, instead of failing at an unknown word.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct RoleAttributes {
    /// Missing in records from before roles existed; such a person is a member.
    member_role: Option<Role>,
    /// Whether a member only looks. It says nothing of an owner, whom older code may have made of a viewer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    only_looks: bool,
}

impl RoleAttributes {
    pub(super) fn of(role: Role) -> RoleAttributes {
        let (member_role, only_looks) = match role {
            Role::Owner | Role::Member => (role, false),
            Role::Viewer => (Role::Member, true),
        };
        RoleAttributes { member_role: Some(member_role), only_looks }
    }

    /// The word of the attribute `member_role`.
    pub(super) fn word(&self) -> &'static str {
        self.member_role.unwrap_or(Role::Member).as_str()
    }

    pub(super) fn role(&self) -> Role {
        match self.member_role.unwrap_or(Role::Member) {
            Role::Member if self.only_looks => Role::Viewer,
            role => role,
        }
    }
}

/// A person as listed, with the stored role.
pub(super) struct ListedPerson {
    pub(super) person: Person,
    /// The last session that began, by which a removal sees that there is another one.
    pub(super) last_session: Option<String>,
}

/// The index of the person's write in each transaction.
pub(super) const PERSON: usize = 0;

/// The record must not exist yet.
const NEW: &str = "attribute_not_exists(pk)";

impl Store {
    /// The customer of a person; `None` before the first sign-in.
    pub async fn customer_of(&self, person: &PersonId) -> Result<Option<CustomerId>, Error> {
        let Some(item) = self.read(&table_keys::person(person)).await? else { return Ok(None) };
        let PersonItem { customer_id } = from_item(item)?;
        Ok(Some(customer_id))
    }

    /// The people of a customer, in the order in which they joined. One of them is an owner.
    pub async fn people(&self, customer: CustomerId) -> Result<Vec<Person>, Error> {
        let listed = self.listed_people(customer).await?;
        let mut people: Vec<Person> = listed.into_iter().map(|listed| listed.person).collect();
        team::with_owner(&mut people);
        Ok(people)
    }

    /// The people as stored, in the order in which they joined.
    pub(super) async fn listed_people(&self, customer: CustomerId) -> Result<Vec<ListedPerson>, Error> {
        let items = self.read_prefix(customer, table_keys::PERSON_PREFIX).await?;
        let mut people = items.into_iter().map(parse_person).collect::<Result<Vec<_>, _>>()?;
        people.sort_by_key(|listed| listed.person.joined_at);
        Ok(people)
    }

    /// Stores a new customer, its first person and the person's session, or nothing. `false` if the person has a
    /// customer already: of several first sign-ins at the same time one makes the customer.
    pub async fn create_customer_for_person(
        &self,
        person: &Person,
        account: &Account,
        session: &Session,
    ) -> Result<bool, Error> {
        let mut writes = self.owned_account_writes(person, account)?;
        writes.push(self.session_write(account.customer.id, session)?);
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Stores a new customer and gives it to a person, or nothing. `false` if the person has a customer already.
    pub async fn create_owned_account(&self, person: &Person, account: &Account) -> Result<bool, Error> {
        match self.transact(self.owned_account_writes(person, account)?).await? {
            failed if failed.is_empty() => Ok(true),
            failed if failed.contains(&PERSON) => Ok(false),
            _ => Err(Error::internal("a new customer has the id of an old one")),
        }
    }

    /// Gives a person to a customer, whatever customer the person had before. For the operator and the local service.
    pub async fn link_person(&self, person: &Person, customer: CustomerId) -> Result<(), Error> {
        let known = self.customer_of(&person.id).await?;
        if known == Some(customer) {
            return Ok(());
        }
        if let Some(old) = known {
            self.remove_person(old, &person.id).await?;
            self.end_sessions(old, Some(&person.id), person.joined_at).await?;
        }
        self.transact(self.new_person_writes(person, customer)?.into()).await.map(drop)
    }

    /// Stores the views that a person has saved, if they are still those of `known`. `false` if they are not, or the
    /// customer does not have the person any more.
    pub async fn set_views(&self, customer: CustomerId, known: &Person, views: &[SavedView]) -> Result<bool, Error> {
        let update = self.update_item(&table_keys::person_of(customer, &known.id));
        let update = match known.views.as_slice() {
            [] => update.condition_expression("attribute_exists(pk) AND attribute_not_exists(saved_views)"),
            known => update.condition_expression("saved_views = :known").value(":known", attribute(&known)?),
        };
        conditional_update(match views {
            [] => update.update_expression("REMOVE saved_views"),
            views => update.update_expression("SET saved_views = :views").value(":views", attribute(&views)?),
        })
        .await
    }

    /// Takes a person from a customer, also the last owner. `false` if the customer does not have the person. The
    /// person's sessions are ended afterwards: no new one can begin then. For the operator.
    pub async fn remove_person(&self, customer: CustomerId, person: &PersonId) -> Result<bool, Error> {
        let listed = self.delete_item(&table_keys::person_of(customer, person));
        let writes = vec![self.person_delete(customer, person)?, delete_write(listed)?];
        Ok(self.transact(writes).await?.is_empty())
    }

    /// The write of a transaction that deletes the record with the customer of a person.
    pub(super) fn person_delete(&self, customer: CustomerId, person: &PersonId) -> Result<TransactWriteItem, Error> {
        let record = self
            .delete_item(&table_keys::person(person))
            .condition_expression("customer_id = :customer")
            .value(":customer", text(customer.to_string()));
        delete_write(record)
    }

    /// A new person with a new account.
    fn owned_account_writes(&self, person: &Person, account: &Account) -> Result<Vec<TransactWriteItem>, Error> {
        let Customer { id, .. } = account.customer;
        let mut writes = Vec::from(self.new_person_writes(person, id)?);
        writes.extend(self.account_writes(account)?);
        Ok(writes)
    }

    /// A person who has no customer yet. The write that refuses others is [`PERSON`].
    pub(super) fn new_person_writes(
        &self,
        person: &Person,
        customer: CustomerId,
    ) -> Result<[TransactWriteItem; 2], Error> {
        let Person { id, email, role, joined_at, signed_in_at, views } = person;
        let leads = to_item(&table_keys::person(id), &PersonItem { customer_id: customer })?;
        let leads = self.put_item(leads).condition_expression(NEW);
        let listed = CustomerPersonItem {
            person: id.clone(),
            email: email.clone(),
            joined_at: *joined_at,
            role: RoleAttributes::of(*role),
            signed_in_at: *signed_in_at,
            last_session: None,
            views: views.clone(),
        };
        let listed = to_item(&table_keys::person_of(customer, id), &listed)?;
        Ok([put_write(leads)?, put_write(self.put_item(listed))?])
    }
}

fn parse_person(item: Item) -> Result<ListedPerson, Error> {
    let CustomerPersonItem { person: id, email, joined_at, role, signed_in_at, last_session, views } = from_item(item)?;
    let person = Person { id, email, role: role.role(), joined_at, signed_in_at, views };
    Ok(ListedPerson { person, last_session })
}

#[cfg(test)]
#[test]
fn a_role_is_stored_so_that_older_code_reads_it() {
    for (stored, role) in [
        (r"{}", Role::Member),
        (r#"{"member_role":"MEMBER"}"#, Role::Member),
        (r#"{"member_role":"MEMBER","only_looks":true}"#, Role::Viewer),
        (r#"{"member_role":"OWNER"}"#, Role::Owner),
        (r#"{"member_role":"OWNER","only_looks":true}"#, Role::Owner),
    ] {
        assert_eq!(serde_json::from_str::<RoleAttributes>(stored).unwrap().role(), role, "{stored}");
    }
    for role in Role::ALL {
        let stored = serde_json::to_value(RoleAttributes::of(role)).unwrap();
        assert_eq!(serde_json::from_value::<RoleAttributes>(stored.clone()).unwrap().role(), role);
        let known = ["OWNER", "MEMBER"].map(serde_json::Value::from);
        assert!(known.contains(&stored["member_role"]), "older code reads it: {stored}");
    }
}
