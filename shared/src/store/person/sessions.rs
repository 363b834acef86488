//! Sessions of the dashboard, in the partition of their customer.

use crate::domain::{CustomerId, Person, PersonId, Role, Session};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::transactions::{delete_write, put_write, update_write};
use crate::store::{Account, Item, Store, Values, from_item, number, table_keys, text, to_item};
use aws_sdk_dynamodb::types::TransactWriteItem;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Sessions that end in one transaction, which has at most 100 writes.
const SESSIONS_AT_ONCE: usize = 100;
/// Transactions in flight.
const CONCURRENT_TRANSACTIONS: usize = 8;

/// A person who is signed in.
pub struct SignedInPerson {
    pub account: Account,
    pub session: Session,
    /// The role that the person has now.
    pub role: Role,
    /// The people of the account, in the order in which they joined.
    pub people: Vec<Person>,
}

#[derive(Serialize, Deserialize)]
struct SessionItem {
    #[serde(flatten, with = "SessionAttributes")]
    session: Session,
    #[serde(with = "second::required")]
    expires_at: Timestamp,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Session")]
struct SessionAttributes {
    #[serde(rename = "session")]
    hash: String,
    person: PersonId,
    email: Option<String>,
    #[serde(with = "second::required")]
    created_at: Timestamp,
    #[serde(with = "second::required")]
    seen_at: Timestamp,
    #[serde(default, with = "second::optional")]
    authenticated_at: Option<Timestamp>,
    browser: String,
}

impl Store {
    /// Stores a new session of a person. `false` if the person does not belong to the customer: a removal in the same
    /// moment leaves no session behind.
    pub async fn begin_session(&self, customer: CustomerId, session: &Session) -> Result<bool, Error> {
        let writes = vec![self.sign_in_write(customer, session)?, self.session_write(customer, session)?];
        Ok(self.transact(writes).await?.is_empty())
    }

    /// Records a sign-in at the person, if there is one. A removal that has not seen it starts again.
    fn sign_in_write(&self, customer: CustomerId, session: &Session) -> Result<TransactWriteItem, Error> {
        let signs_in = self
            .update_item(&table_keys::person_of(customer, &session.person))
            .condition_expression("attribute_exists(pk)")
            .values([(":now", text(session.created_at.to_string())), (":session", text(&session.hash))]);
        let set = "SET signed_in_at = :now, last_session = :session";
        update_write(match &session.email {
            Some(email) => signs_in.update_expression(format!("{set}, email = :email")).value(":email", text(email)),
            None => signs_in.update_expression(set),
        })
    }

    /// A session that has not ended and the account of its customer, in one round trip.
    pub async fn session(
        &self,
        customer: CustomerId,
        hash: &str,
        now: Timestamp,
    ) -> Result<Option<(Account, Session)>, Error> {
        let (account, item) = self.account_and(customer, table_keys::session(customer, hash), now).await?;
        let session = item.map(parse_session).transpose()?;
        Ok(account.zip(session.filter(|session| session.is_valid(now))))
    }

    /// The person of a session that has not ended, with the role of this moment: no session keeps one. All is read at once.
    /// `None` for a person who does not belong to the customer any more.
    pub async fn signed_in(
        &self,
        customer: CustomerId,
        hash: &str,
        now: Timestamp,
    ) -> Result<Option<SignedInPerson>, Error> {
        let (found, people) = tokio::join!(self.session(customer, hash, now), self.people(customer));
        let Some((account, session)) = found? else { return Ok(None) };
        let people = people?;
        let role = people.iter().find(|person| person.id == session.person).map(|person| person.role);
        Ok(role.map(|role| SignedInPerson { account, session, role, people }))
    }

    /// Records a request of a session. `false` if the session has ended meanwhile.
    pub async fn touch_session(&self, customer: CustomerId, session: &Session, now: Timestamp) -> Result<bool, Error> {
        let seen = Session { seen_at: now, ..session.clone() };
        let update = self
            .update_item(&table_keys::session(customer, &session.hash))
            .update_expression("SET seen_at = :now, expires_at = :end")
            .condition_expression("attribute_exists(pk)")
            .values([(":now", number(now.as_second())), (":end", number(seen.ends_at().as_second()))]);
        conditional_update(update).await
    }

    /// The sessions of a customer's people, or of one of them, that have not ended, newest request first.
    pub async fn sessions(
        &self,
        customer: CustomerId,
        person: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<Vec<Session>, Error> {
        let items = self.read_prefix(customer, table_keys::SESSION_PREFIX).await?;
        let mut sessions = items.into_iter().map(parse_session).collect::<Result<Vec<_>, _>>()?;
        sessions.retain(|session| person.is_none_or(|person| session.person == *person) && session.is_valid(now));
        sessions.sort_by_key(|session| std::cmp::Reverse(session.seen_at));
        Ok(sessions)
    }

    /// Ends a session.
    pub async fn delete_session(&self, customer: CustomerId, hash: &str) -> Result<(), Error> {
        self.delete(&table_keys::session(customer, hash)).await
    }

    /// Ends all sessions of a customer's people, or of one of them, and returns them.
    pub async fn end_sessions(
        &self,
        customer: CustomerId,
        person: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<Vec<Session>, Error> {
        let sessions = self.sessions(customer, person, now).await?;
        self.delete_sessions(customer, &sessions).await.map(|()| sessions)
    }

    /// Ends these sessions. A person may have thousands, so a request for each would take longer than a response may.
    pub(super) async fn delete_sessions(&self, customer: CustomerId, sessions: &[Session]) -> Result<(), Error> {
        let delete = |sessions: &[Session]| {
            let keys = sessions.iter().map(|session| table_keys::session(customer, &session.hash));
            let writes: Result<Vec<_>, _> = keys.map(|key| delete_write(self.delete_item(&key))).collect();
            async move { self.transact(writes?).await.map(drop) }
        };
        // One that fails must not keep the others.
        let all = stream::iter(sessions.chunks(SESSIONS_AT_ONCE).map(delete));
        let ended: Vec<Result<(), Error>> = all.buffer_unordered(CONCURRENT_TRANSACTIONS).collect().await;
        ended.into_iter().collect()
    }

    /// A session as part of a transaction.
    pub(super) fn session_write(&self, customer: CustomerId, session: &Session) -> Result<TransactWriteItem, Error> {
        put_write(self.put_item(session_item(customer, session)?))
    }
}

fn session_item(customer: CustomerId, session: &Session) -> Result<Item, Error> {
    let item = SessionItem { session: session.clone(), expires_at: session.ends_at() };
    to_item(&table_keys::session(customer, &session.hash), &item)
}

fn parse_session(item: Item) -> Result<Session, Error> {
    from_item(item).map(|SessionItem { session, .. }| session)
}

#[cfg(test)]
#[test]
fn a_session_is_stored_as_ever_and_read_as_it_was() {
    let now = Timestamp::constant(1_790_000_000, 0);
    let all = Session {
        hash: "hash".to_owned(),
        person: PersonId("ab12".to_owned()),
        email: Some("ada@example.com".to_owned()),
        created_at: now,
        seen_at: now,
        authenticated_at: Some(now),
        browser: "Firefox".to_owned(),
    };
    let sessions = [all.clone(), Session { email: None, authenticated_at: None, ..all }];
    let customer = CustomerId(uuid::Uuid::nil());
    let items = sessions.clone().map(|session| session_item(customer, &session).unwrap());
    crate::store::stored::assert_stored("session", items.clone());
    assert_eq!(items.map(|item| parse_session(item).unwrap()), sessions);
}
