//! The connections of one of a customer's users, by their `external_ref` (D78 in docs/decisions.md). Each has a record
//! under the user's name, which is written in the transactions that give a connection its user or take it.

use super::found::Found;
use super::item::{CONNECTION_SK, id_record};
use crate::domain::{Connection, ConnectionUpdate, CustomerId, ExternalRef};
use crate::error::Error;
use crate::store::conditional::conditional_update;
use crate::store::table_keys::{self, Key};
use crate::store::transactions::{delete_write, put_write, update_write};
use crate::store::{Store, Values, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;

impl Store {
    /// Reads the connections of a user, without their grants, and possibly others. Their number decides the cost, not the
    /// number of the customer's connections.
    pub async fn connections_of_user(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        now: Timestamp,
    ) -> Result<Vec<Connection>, Error> {
        if self.has_few_connections(customer) {
            return self.connections(customer, now).await;
        }
        let prefix = table_keys::external_ref_prefix(user);
        let (records, pending) =
            tokio::join!(self.read_prefix(customer, &prefix), self.read_prefix(customer, table_keys::PENDING_PREFIX));
        let pk = table_keys::customer(customer);
        let sort_key = |record: &crate::store::Item| record.get(CONNECTION_SK)?.as_s().ok().cloned();
        let keys = records?.iter().filter_map(sort_key).map(|sk| Key { pk: pk.clone(), sk }).collect::<Vec<_>>();
        let mut items = self.batch_read(&keys).await?;
        items.extend(pending?);
        Ok(Found::of(items, now)?.into_connections().connections)
    }

    /// Changes label and user of a connection. `false`, with nothing changed, if the connection was removed, its consent
    /// has replaced the PENDING connection since it was read, or another request has changed its user.
    pub async fn update_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        update: &ConnectionUpdate,
    ) -> Result<bool, Error> {
        let user = update.external_ref.as_ref().filter(|user| **user != connection.external_ref);
        let label = update.label.as_ref().map(Option::as_deref);
        let changes = [("label", label), ("external_ref", user.map(|user| user.as_ref().map(ExternalRef::as_str)))];
        if changes.iter().all(|(_, change)| change.is_none()) {
            return Ok(true);
        }
        let request = assign(self.update_item(&super::changes::connection_key(customer, connection)), &changes);
        let request = request.value(":id", text(&connection.id.0));
        let Some(user) = user else { return conditional_update(request.condition_expression("id = :id")).await };
        let request = match &connection.external_ref {
            Some(seen) => {
                request.condition_expression("id = :id AND external_ref = :seen").value(":seen", text(seen.as_str()))
            }
            None => request.condition_expression("id = :id AND attribute_not_exists(external_ref)"),
        };
        let mut writes = vec![update_write(request)?];
        writes.extend(self.leave_user(customer, connection)?);
        let moved = Connection { external_ref: user.clone(), ..connection.clone() };
        writes.extend(self.join_user(customer, &moved)?);
        Ok(self.transact(writes).await?.is_empty())
    }

    /// The write of a connection's record under its user, if it has one and an ad account.
    pub(super) fn join_user(
        &self,
        customer: CustomerId,
        connection: &Connection,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let Some((user, account)) = connection.external_ref.as_ref().zip(connection.account.as_ref()) else {
            return Ok(None);
        };
        let key = table_keys::external_ref(customer, user, &connection.id);
        put_write(self.put_item(id_record(&key, customer, connection.platform, &account.id))).map(Some)
    }

    /// The write that deletes this record.
    pub(super) fn leave_user(
        &self,
        customer: CustomerId,
        connection: &Connection,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let Some(user) = connection.external_ref.as_ref().filter(|_| connection.account.is_some()) else {
            return Ok(None);
        };
        delete_write(self.delete_item(&table_keys::external_ref(customer, user, &connection.id))).map(Some)
    }
}

/// Sets attributes, or removes them.
fn assign(
    mut request: UpdateItemFluentBuilder,
    changes: &[(&'static str, Option<Option<&str>>)],
) -> UpdateItemFluentBuilder {
    let (mut set, mut removed) = (Vec::new(), Vec::new());
    for (name, change) in changes {
        match change {
            Some(Some(value)) => {
                set.push(format!("{name} = :{name}"));
                request = request.value(&format!(":{name}"), text(*value));
            }
            Some(None) => removed.push(*name),
            None => {}
        }
    }
    let mut clauses = Vec::new();
    clauses.extend((!set.is_empty()).then(|| format!("SET {}", set.join(", "))));
    clauses.extend((!removed.is_empty()).then(|| format!("REMOVE {}", removed.join(", "))));
    request.update_expression(clauses.join(" "))
}
