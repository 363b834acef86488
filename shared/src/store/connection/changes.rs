//! Writes to connections: status, throttling, removal. Those of label and user are in [`super::users`].

use super::item::parse_connection;
use crate::domain::ConnectionStatus::Revoked;
use crate::domain::{
    Connection, ConnectionBefore, ConnectionId, ConnectionStatus, CustomerId, Event, ExternalRef, Grant,
};
use crate::error::Error;
use crate::store::account::ACCOUNT_EXISTS;
use crate::store::conditional::conditional_update;
use crate::store::event::occurrence;
use crate::store::table_keys::{self, Key};
use crate::store::transactions::{contended, delete_write, update_write};
use crate::store::{Store, Values, attribute, number, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use jiff::Timestamp;

/// Attempts against other changes of the status.
const MAX_ATTEMPTS: usize = 4;

impl Store {
    /// Deletes a PENDING connection.
    pub async fn delete_pending(&self, customer: CustomerId, pending: &ConnectionId) -> Result<(), Error> {
        self.delete(&table_keys::pending(customer, pending)).await
    }

    /// Sets the status of a connection. `false` if it has that status, was removed, or a new authorization has replaced
    /// its grant.
    pub async fn set_connection_status(
        &self,
        customer: CustomerId,
        connection: &Connection,
        status: ConnectionStatus,
        reason: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let set = |known: &Connection| {
            let next = Connection { status, reason: reason.map(str::to_owned), ..known.clone() };
            (known.status != status).then_some(next)
        };
        self.move_connection(customer, connection, set, "SET #status = :status", Vec::new(), at).await
    }

    /// Stores the result of a check: status, account, and time. `false` if the connection was removed or a new
    /// authorization has replaced its grant. `before` is the connection as it was read.
    pub async fn store_check(
        &self,
        customer: CustomerId,
        before: &Connection,
        checked: &Connection,
    ) -> Result<bool, Error> {
        let (Some(account), Some(at)) = (&checked.account, checked.last_synced_at) else { return Ok(false) };
        let values = vec![(":account", attribute(account)?), (":at", text(at.to_string()))];
        let Connection { status, reason, account, last_synced_at, .. } = checked.clone();
        let set = |known: &Connection| {
            let (reason, account) = (reason.clone(), account.clone());
            Some(Connection { status, reason, account, last_synced_at, ..known.clone() })
        };
        let assignments = "SET #status = :status, account = :account, last_synced_at = :at";
        self.move_connection(customer, before, set, assignments, values, at).await
    }

    /// Applies `next` to the stored connection. If the status changes, an event reports it. Only a new authorization
    /// may change REVOKED. `false`, with nothing stored, if it may not be changed, was removed, or a new authorization
    /// has replaced its grant.
    async fn move_connection(
        &self,
        customer: CustomerId,
        seen: &Connection,
        next: impl Fn(&Connection) -> Option<Connection>,
        assignments: &str,
        values: Vec<(&'static str, AttributeValue)>,
        at: Timestamp,
    ) -> Result<bool, Error> {
        let mut known = seen.clone();
        for _ in 0..MAX_ATTEMPTS {
            let next = next(&known).filter(|next| known.status != Revoked || next.status == Revoked);
            let (Some(next), Some(update)) = (next, self.update_as_seen(customer, &known)) else { return Ok(false) };
            let update = with_status(update.values(values.clone()), assignments, next.status, next.reason.as_deref());
            let event = Event::of_change(&next, ConnectionBefore::of(&known), occurrence(customer, at));
            if self.update_with_event(update, event.as_ref()).await? {
                return Ok(true);
            }
            let Some(stored) = self.read_again(customer, &known, at).await? else { return Ok(false) };
            known = stored;
        }
        Err(contended())
    }

    /// Reads a connection again. `None` if it was removed, or a new authorization has replaced its grant.
    async fn read_again(
        &self,
        customer: CustomerId,
        seen: &Connection,
        now: Timestamp,
    ) -> Result<Option<Connection>, Error> {
        let stored = self.read(&connection_key(customer, seen)).await?;
        let stored = stored.map(|item| parse_connection(item, now)).transpose()?.flatten();
        Ok(stored.filter(|stored| stored.id == seen.id && stored.grant_id == seen.grant_id))
    }

    /// Pauses calls to a throttled ad account. `false` if an equal or longer pause is stored, or the connection was
    /// removed.
    pub async fn pause_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        until: Timestamp,
    ) -> Result<bool, Error> {
        let update = self
            .update_item(&connection_key(customer, connection))
            .update_expression("SET paused_until = :until")
            .condition_expression("id = :id AND (attribute_not_exists(paused_until) OR paused_until < :until)")
            .values([(":id", text(&connection.id.0)), (":until", number(until.as_millisecond()))]);
        conditional_update(update).await
    }

    /// Removes a connection, PENDING or not, which was read with its grant. Of several concurrent calls one returns
    /// `true`. `false` also if a new authorization has replaced its grant, or it belongs to another user now. The grant becomes due, so that maintenance
    /// deletes it if this process stops first.
    pub async fn remove_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        grant: Option<&Grant>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut known = connection.clone();
        for _ in 0..MAX_ATTEMPTS {
            if self.remove_as_seen(customer, &known, grant, now).await? {
                return Ok(true);
            }
            match self.read_again(customer, &known, now).await? {
                Some(stored) if stored.external_ref == known.external_ref && stored.status != known.status => {
                    known = stored;
                }
                _ => return Ok(false),
            }
        }
        Err(contended())
    }

    async fn remove_as_seen(
        &self,
        customer: CustomerId,
        connection: &Connection,
        grant: Option<&Grant>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let delete = self.delete_unchanged(customer, connection)?;
        let mut writes = vec![delete];
        if connection.account.is_some() {
            let count = self.change_connection_count(customer, -1).condition_expression(ACCOUNT_EXISTS);
            writes.push(update_write(count)?);
            let id = self.delete_item(&table_keys::connection_id(customer, &connection.id.0));
            writes.push(delete_write(id)?);
            writes.extend(self.leave_user(customer, connection)?);
        }
        let event = Event::of_removal(connection, occurrence(customer, now));
        writes.extend(event.map(|event| self.event_write(&event)).transpose()?);
        let without_grant = writes.clone();
        if let Some(grant) = grant {
            writes.push(self.leave_grant(customer, &grant.id, 1, now)?);
        }
        let grant_index = without_grant.len();
        match self.transact(writes).await?.as_slice() {
            [] => Ok(true),
            // The grant was deleted before.
            [index] if *index == grant_index => Ok(self.transact(without_grant).await?.is_empty()),
            _ => Ok(false),
        }
    }

    /// A transaction write that deletes a connection unless it, its status, its user or its grant was replaced.
    fn delete_unchanged(&self, customer: CustomerId, connection: &Connection) -> Result<TransactWriteItem, Error> {
        let delete = self
            .delete_item(&connection_key(customer, connection))
            .expression_attribute_names("#status", "status")
            .values([(":id", text(&connection.id.0)), (":seen", text(connection.status.as_str()))]);
        let (grant, delete) = match &connection.grant_id {
            Some(grant) => (" AND grant_id = :grant", delete.value(":grant", text(&grant.0))),
            None => ("", delete),
        };
        let (user, delete) = match connection.external_ref.as_ref().map(ExternalRef::as_str) {
            Some(user) => ("external_ref = :user", delete.value(":user", text(user))),
            None => ("attribute_not_exists(external_ref)", delete),
        };
        delete_write(delete.condition_expression(format!("id = :id AND #status = :seen AND {user}{grant}")))
    }

    /// An update of a connection with the condition that grant and status are as they were seen; `None` for a connection
    /// without a grant.
    fn update_as_seen(&self, customer: CustomerId, connection: &Connection) -> Option<UpdateItemFluentBuilder> {
        let grant = connection.grant_id.as_ref()?;
        let update = self
            .update_item(&connection_key(customer, connection))
            .condition_expression("grant_id = :grant AND #status = :seen")
            .values([(":grant", text(&grant.0)), (":seen", text(connection.status.as_str()))]);
        Some(update)
    }
}

fn with_status(
    update: UpdateItemFluentBuilder,
    assignments: &str,
    status: ConnectionStatus,
    reason: Option<&str>,
) -> UpdateItemFluentBuilder {
    let update = update.expression_attribute_names("#status", "status").value(":status", text(status.as_str()));
    match reason {
        Some(reason) => {
            update.update_expression(format!("{assignments}, reason = :reason")).value(":reason", text(reason))
        }
        None => update.update_expression(format!("{assignments} REMOVE reason")),
    }
}

pub(super) fn connection_key(customer: CustomerId, connection: &Connection) -> Key {
    match &connection.account {
        Some(account) => table_keys::connection(customer, connection.platform, &account.id),
        None => table_keys::pending(customer, &connection.id),
    }
}
