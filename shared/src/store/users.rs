//! Users of a customer. A user exists if a record says so, or a connection that has it. The label is in the record of the
//! user, and the limit in that of its spending: every change writes the second, and nobody reads the first for it.

use super::erasure::StoredErasure;
use super::event::occurrence;
use super::table_keys::{self, EXTERNAL_REF_PREFIX, USER_PREFIX};
use super::transactions::{back_off, contended, update_write};
use super::{Item, Store, Values, from_item, number, store_error, text};
use crate::domain::spending::Spender;
use crate::domain::{CustomerId, Event, ExternalRef, Spending, User, UserUpdate};
use crate::error::Error;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::second;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Attempts to change a user against changes of its campaigns.
const MAX_ATTEMPTS: u64 = 40;
/// Records of connections read for a page of users, for each user of it: most users have few connections.
const RECORDS_PER_USER: i32 = 4;

/// What the record of a user has.
#[derive(Default, Deserialize)]
pub(super) struct UserItem {
    label: Option<String>,
    pub(super) erasure: Option<StoredErasure>,
    /// When its erasure is due.
    #[serde(default, with = "second::optional")]
    pub(super) due_at: Option<Timestamp>,
}

/// A page of users.
#[derive(Debug)]
pub struct UserPage {
    /// In the order of their names.
    pub users: Vec<User>,
    /// The user after which the next page begins.
    pub next: Option<ExternalRef>,
}

impl Store {
    /// Reads what is stored of users, in this order, in one round trip: for each whether it has a record, and the user.
    async fn stored_users(&self, customer: CustomerId, names: &[ExternalRef]) -> Result<Vec<(bool, User)>, Error> {
        let keys = names.iter().flat_map(|name| {
            [table_keys::user(customer, name), table_keys::spending(customer, &Spender::User(name.clone()))]
        });
        let (mut records, mut spendings) = (BTreeMap::<String, UserItem>::new(), Vec::new());
        for item in self.batch_read(&keys.collect::<Vec<_>>()).await? {
            match name_of(&item) {
                Some(name) => drop(records.insert(name.as_str().to_owned(), from_item::<UserItem>(item)?)),
                None => spendings.push(self.parse_spending(item)?),
            }
        }
        let user = |name: &ExternalRef| {
            let record = records.get(name.as_str());
            let is_own = |spending: &&Spending| spending.spender.user() == Some(name);
            let spending = spendings.iter().find(is_own).cloned();
            let user = User {
                external_ref: name.clone(),
                label: record.and_then(|record| record.label.clone()),
                spending,
                erasure: record.and_then(|record| record.erasure.as_ref()).map(|stored| stored.0.clone()),
            };
            (record.is_some(), user)
        };
        Ok(names.iter().map(user).collect())
    }

    /// Reads a user, and whether something is stored of it. Without, it exists if a connection has it.
    pub async fn user(&self, customer: CustomerId, name: &ExternalRef) -> Result<(bool, User), Error> {
        let mut found = self.stored_users(customer, std::slice::from_ref(name)).await?;
        let (has_record, user) = found.pop().ok_or_else(|| Error::internal("a user is missing in its own read"))?;
        Ok((has_record || user.spending.is_some(), user))
    }

    /// Reads a user; `None` for one that neither a record nor a connection names.
    pub async fn known_user(&self, customer: CustomerId, name: &ExternalRef) -> Result<Option<User>, Error> {
        let (stored, connected) = tokio::join!(self.user(customer, name), self.connection_ids_of_user(customer, name));
        let ((is_stored, user), connected) = (stored?, connected?);
        Ok(Some(user).filter(|_| is_stored || !connected.connections.is_empty()))
    }

    /// Sets what an update names of a user, and makes the user if there is none. Returns the user as it is then.
    pub async fn put_user(
        &self,
        customer: CustomerId,
        name: &ExternalRef,
        update: &UserUpdate,
        now: Timestamp,
    ) -> Result<User, Error> {
        let set = |user: &User, spending: &Spending| {
            require_staying(user)?;
            Ok(match &update.spending_limit {
                None => spending.clone(),
                Some(limit) => spending.limited_to(limit.clone()),
            })
        };
        self.move_user(customer, name, update.label.as_ref(), now, set).await
    }

    /// Pauses the spending of a user at a time. What is reserved at the same moment and not stored yet loses its condition.
    /// A user that is paused already stays as it is, unless `again` names the time of that pause.
    pub async fn pause_user(
        &self,
        customer: CustomerId,
        name: &ExternalRef,
        again: Option<Timestamp>,
        at: Timestamp,
    ) -> Result<User, Error> {
        let paused = |_: &User, spending: &Spending| {
            let is_new = spending.stopped_at.is_none() || spending.stopped_at == again;
            Ok(Spending { stopped_at: if is_new { Some(at) } else { spending.stopped_at }, ..spending.clone() })
        };
        self.move_user(customer, name, None, at, paused).await
    }

    /// Ends the pause of a user that began at a time. One that began at another time stays.
    pub async fn resume_user(
        &self,
        customer: CustomerId,
        name: &ExternalRef,
        paused_at: Timestamp,
        now: Timestamp,
    ) -> Result<User, Error> {
        let resumed = |user: &User, spending: &Spending| {
            require_staying(user)?;
            let stopped_at = spending.stopped_at.filter(|at| *at != paused_at);
            Ok(Spending { stopped_at, ..spending.clone() })
        };
        self.move_user(customer, name, None, now, resumed).await
    }

    /// Writes the record of a user and moves its spending, with the event of a pause, its end or another label, in one
    /// transaction, and again if the spending, or the label that is replaced, has changed since it was read.
    async fn move_user(
        &self,
        customer: CustomerId,
        name: &ExternalRef,
        label: Option<&Option<String>>,
        now: Timestamp,
        moved: impl Fn(&User, &Spending) -> Result<Spending, Error>,
    ) -> Result<User, Error> {
        for attempt in 0..MAX_ATTEMPTS {
            let (_, user) = self.user(customer, name).await?;
            let before = user.spending.clone().unwrap_or_else(|| Spending::none(Spender::User(name.clone())));
            let after = moved(&user, &before)?;
            let mut writes = vec![update_write(self.user_update(customer, &user, label, now))?];
            if after != before {
                writes.extend(self.spending_writes(customer, &[after.clone()].into_iter().collect())?);
            }
            let spending = if after == before { user.spending.clone() } else { Some(after.written()) };
            let label = label.cloned().unwrap_or_else(|| user.label.clone());
            let moved = User { label, spending, ..user.clone() };
            if let Some(event) = Event::of_user(&user, &moved, occurrence(customer, now)) {
                writes.push(self.event_write(&event)?);
            }
            if self.transact(writes).await?.is_empty() {
                return Ok(moved);
            }
            back_off(attempt).await;
        }
        Err(contended())
    }

    fn user_update(
        &self,
        customer: CustomerId,
        read: &User,
        label: Option<&Option<String>>,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let key = table_keys::user(customer, &read.external_ref);
        let update = self.update_item(&key).value(":now", number(now.as_millisecond()));
        let update = match (label, &read.label) {
            (None, _) => update,
            (Some(_), None) => update.condition_expression("attribute_not_exists(label)"),
            (Some(_), Some(was)) => update.condition_expression("label = :was").value(":was", text(was)),
        };
        match label {
            None => update.update_expression("SET updated_at = :now"),
            Some(None) => update.update_expression("SET updated_at = :now REMOVE label"),
            Some(Some(label)) => {
                update.update_expression("SET updated_at = :now, label = :label").value(":label", text(label))
            }
        }
    }

    /// Users in the order of their names, after one of them: those with a record, and those that a connection has. A page
    /// may be short: a user with many connections fills it. Its cost follows from its size.
    pub async fn users(
        &self,
        customer: CustomerId,
        after: Option<&ExternalRef>,
        limit: i32,
    ) -> Result<UserPage, Error> {
        let (records, connected) = tokio::join!(
            self.user_names(customer, USER_PREFIX, after, limit),
            self.user_names(customer, EXTERNAL_REF_PREFIX, after, limit.saturating_mul(RECORDS_PER_USER))
        );
        let (records, connected) = (records?, connected?);
        // Beyond the last name of a query that has more, the other query may know users that this one does not.
        let ends = [&records, &connected].map(|(names, has_more)| names.last().filter(|_| *has_more).cloned());
        let end = ends.into_iter().flatten().min();
        let mut names: BTreeSet<String> = records.0.into_iter().chain(connected.0).collect();
        names.retain(|name| end.as_ref().is_none_or(|end| name <= end));
        let most = usize::try_from(limit).map_err(Error::internal)?;
        let has_more = end.is_some() || names.len() > most;
        let names: Vec<ExternalRef> = names.iter().take(most).filter_map(|name| ExternalRef::parse(name)).collect();
        let users = self.stored_users(customer, &names).await?.into_iter().map(|(_, user)| user).collect();
        Ok(UserPage { users, next: names.last().filter(|_| has_more).cloned() })
    }

    /// The names of users whose records have this prefix, and whether there are more. Each once.
    async fn user_names(
        &self,
        customer: CustomerId,
        prefix: &str,
        after: Option<&ExternalRef>,
        limit: i32,
    ) -> Result<(Vec<String>, bool), Error> {
        // No character of a name is between these two: all records of the user itself are before.
        let from = after.map_or_else(|| prefix.to_owned(), |after| format!("{prefix}{after}$"));
        let query = self
            .query()
            .key_condition_expression("pk = :customer AND sk BETWEEN :from AND :to")
            .values([
                (":customer", text(table_keys::customer(customer))),
                (":from", text(from)),
                (":to", text(format!("{prefix}\u{7f}"))),
            ])
            .consistent_read(true)
            .limit(limit);
        let page = query.send().await.map_err(store_error)?;
        let has_more = page.last_evaluated_key.is_some();
        let mut names: Vec<String> =
            page.items.unwrap_or_default().iter().filter_map(name_of).map(|name| name.as_str().to_owned()).collect();
        names.dedup();
        Ok((names, has_more))
    }
}

/// Refuses to set what is about to be erased.
fn require_staying(user: &User) -> Result<(), Error> {
    if user.erasure.is_none() { Ok(()) } else { Err(Error::user_leaves()) }
}

/// The user that a record is about; `None` for another record.
fn name_of(item: &Item) -> Option<ExternalRef> {
    table_keys::parse_user_sk(item.get(table_keys::SORT)?.as_s().ok()?)
}
