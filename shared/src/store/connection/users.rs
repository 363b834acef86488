//! The connections of one of a customer's users, by their `external_ref`. Each has a record under the user's name, so
//! that a list reads only these (D78). It is written in the transactions that give a connection its user or take it.

use super::changes::connection_key;
use super::found::Found;
use super::item::{CONNECTION_SK, id_record, parse_connection};
use super::reads::ConnectionRef;
use crate::domain::spending::{AccountDay, Spender, Spendings};
use crate::domain::{
    CampaignDefaults, Connection, ConnectionBefore, ConnectionId, ConnectionUpdate, CustomerConnections, CustomerId,
    Event, ExternalRef, UserConnections,
};
use crate::error::{Error, Kind};
use crate::store::event::occurrence;
use crate::store::table_keys::{self, Key};
use crate::store::transactions::{contended, delete_write, put_write, update_write};
use crate::store::{Item, Store, Values, attribute, text};
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use jiff::Timestamp;

/// Attempts against other changes of the connection.
const MAX_ATTEMPTS: usize = 4;

impl Store {
    /// The ids of a user's connections, without PENDING ones: one query. Their number decides the cost, not the number of
    /// the customer's other users or connections.
    pub async fn connection_ids_of_user(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
    ) -> Result<UserConnections, Error> {
        let records = self.read_prefix(customer, &table_keys::external_ref_prefix(user)).await?;
        Ok(UserConnections { user: user.clone(), connections: records.iter().filter_map(id_of_record).collect() })
    }

    /// Reads the connections of a user with their grants, PENDING ones too, and possibly others.
    pub async fn user_connections(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        now: Timestamp,
    ) -> Result<(UserConnections, CustomerConnections), Error> {
        if self.has_few_connections(customer) {
            return self.few_connections(customer, user, now).await;
        }
        let (read, pending) = tokio::join!(
            self.connections_of_records(customer, user, &[], now),
            self.pending_connections(customer, now)
        );
        let (own, mut connected) = read?;
        connected.connections.extend(pending?);
        Ok((own, connected))
    }

    /// Reads the named connections with their grants, and possibly others. A search finds those of the user. The number of
    /// names and of the user's connections decides the cost.
    pub async fn named_connections_of_user(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        names: &[ConnectionRef],
        now: Timestamp,
    ) -> Result<(UserConnections, CustomerConnections), Error> {
        if self.has_few_connections(customer) {
            return self.few_connections(customer, user, now).await;
        }
        if names.iter().any(ConnectionRef::is_search) {
            return self.connections_of_records(customer, user, names, now).await;
        }
        let own = self.connection_ids_of_user(customer, user);
        let (own, connected) = tokio::join!(own, self.named_connections(customer, names, now));
        Ok((own?, connected?))
    }

    /// The connections that a user's records lead to, and those with these names.
    async fn connections_of_records(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        names: &[ConnectionRef],
        now: Timestamp,
    ) -> Result<(UserConnections, CustomerConnections), Error> {
        let records = self.read_prefix(customer, &table_keys::external_ref_prefix(user)).await?;
        let pk = table_keys::customer(customer);
        let target = |record: &Item| Some(Key { pk: pk.clone(), sk: record.get(CONNECTION_SK)?.as_s().ok()?.clone() });
        let named = names.iter().filter(|name| name.can_exist()).flat_map(|name| name.keys(customer));
        let keys = records.iter().filter_map(target).chain(named).collect();
        let mut found = Found::default();
        self.follow(customer, keys, &mut found, now).await?;
        let connections = records.iter().filter_map(id_of_record).collect();
        Ok((UserConnections { user: user.clone(), connections }, found.into_connections()))
    }

    /// All connections of a customer with few of them: one call.
    async fn few_connections(
        &self,
        customer: CustomerId,
        user: &ExternalRef,
        now: Timestamp,
    ) -> Result<(UserConnections, CustomerConnections), Error> {
        let connected = self.customer_connections(customer, now).await?;
        let own = connected.connections.iter().filter(|known| known.external_ref.as_ref() == Some(user));
        let connections = own.map(|known| known.id.clone()).collect();
        Ok((UserConnections { user: user.clone(), connections }, connected))
    }

    /// Changes what callers set of a connection; an event reports it. `false`, with nothing changed, if the connection
    /// was removed, its consent has replaced the PENDING connection since it was read, or another request has changed its
    /// user. Of two labels, and of two values of new campaigns, the last one counts.
    pub async fn update_connection(
        &self,
        customer: CustomerId,
        connection: &Connection,
        update: &ConnectionUpdate,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut seen = connection.clone();
        for _ in 0..MAX_ATTEMPTS {
            if self.update_as_read(customer, &seen, update, now).await? {
                return Ok(true);
            }
            let stored = self.read(&connection_key(customer, &seen)).await?;
            let stored = stored.map(|item| parse_connection(item, now)).transpose()?.flatten();
            match stored.filter(|stored| stored.id == seen.id) {
                Some(stored) if stored.external_ref == seen.external_ref => seen = stored,
                _ => return Ok(false),
            }
        }
        Err(contended())
    }

    /// The same, if the status and what callers set are as they were read: so the event says what they were.
    async fn update_as_read(
        &self,
        customer: CustomerId,
        seen: &Connection,
        update: &ConnectionUpdate,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let next = update.clone().of(seen);
        let changes: Vec<Setting> = settings(&next)?
            .into_iter()
            .zip(settings(seen)?)
            .filter(|(new, old)| new != old)
            .map(|(new, _)| new)
            .collect();
        if changes.is_empty() {
            return Ok(true);
        }
        let request = assign(self.update_item(&connection_key(customer, seen)), changes);
        let mut writes = vec![update_write(if_as_read(request, seen)?)?];
        if next.external_ref != seen.external_ref {
            writes.extend(self.leave_user(customer, seen)?);
            writes.extend(self.join_user(customer, &next)?);
            let moved = self.spendings_of_move(customer, seen, &next, now).await?;
            writes.extend(self.spending_writes(customer, &moved)?);
        }
        let event = Event::of_change(&next, ConnectionBefore::of(seen), occurrence(customer, now));
        writes.extend(event.map(|event| self.event_write(&event)).transpose()?);
        Ok(self.transact(writes).await?.is_empty())
    }

    /// The spendings of the two users between whom a connection moves: what runs in it counts for the new one.
    async fn spendings_of_move(
        &self,
        customer: CustomerId,
        seen: &Connection,
        next: &Connection,
        now: Timestamp,
    ) -> Result<Spendings, Error> {
        let spender = |connection: &Connection| connection.external_ref.clone().map(Spender::User);
        let (from, to) = (spender(seen), spender(next));
        let spenders: Vec<Spender> = from.iter().chain(&to).cloned().collect();
        let known = self.spending_state(customer, &spenders, None).await?.spendings;
        if to.as_ref().and_then(|to| known.of(to)).is_some_and(|of| of.leaving_since.is_some()) {
            return Err(Error::user_leaves());
        }
        let before = from.and_then(|from| known.of(&from));
        let is_taken_over = to.and_then(|to| known.of(&to)).is_some_and(|to| to.limit.is_some());
        let day = AccountDay::of(seen, now);
        let moved = known.try_map(|spending| {
            if Some(spending) == before {
                spending.without_connection(seen, is_taken_over, day).ok_or_else(change_under_way)
            } else {
                Ok(spending.with_connection(seen, before))
            }
        })?;
        Ok(moved.changed_from(&known))
    }

    /// The write of a connection's record under its user, if it has one and an ad account.
    pub(super) fn join_user(
        &self,
        customer: CustomerId,
        connection: &Connection,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let (Some(user), Some(account)) = (&connection.external_ref, &connection.account) else { return Ok(None) };
        let key = table_keys::external_ref(customer, user, &connection.id);
        put_write(self.put_item(id_record(&key, customer, connection.platform, &account.id))).map(Some)
    }

    /// The write that deletes this record.
    pub(super) fn leave_user(
        &self,
        customer: CustomerId,
        connection: &Connection,
    ) -> Result<Option<TransactWriteItem>, Error> {
        let (Some(user), Some(_)) = (&connection.external_ref, &connection.account) else { return Ok(None) };
        delete_write(self.delete_item(&table_keys::external_ref(customer, user, &connection.id))).map(Some)
    }
}

/// The id of the connection that a user's record leads to: the end of its sort key, because no id has the character
/// before it.
fn id_of_record(record: &Item) -> Option<ConnectionId> {
    let (_, id) = record.get(table_keys::SORT)?.as_s().ok()?.rsplit_once('#')?;
    Some(ConnectionId(id.to_owned()))
}

/// Refuses to move a connection while a change counts against the limit of its user: its outcome frees it there.
fn change_under_way() -> Error {
    let message = "A change of a campaign of this connection is under way, and counts against the spending limit of its \
                   user. Nothing was changed; send this request again when the change has its outcome.";
    Error::new(Kind::Conflict, message).retryable()
}

/// An attribute that callers set, and its value.
type Setting = (&'static str, Option<AttributeValue>);

/// What callers set of a connection.
fn settings(connection: &Connection) -> Result<[Setting; 3], Error> {
    let Connection { label, external_ref, campaign_defaults, .. } = connection;
    let defaults = campaign_defaults.as_ref().map(attribute).transpose()?;
    Ok([
        ("label", label.as_deref().map(text)),
        ("external_ref", external_ref.as_ref().map(|user| text(user.as_str()))),
        (CampaignDefaults::NAME, defaults),
    ])
}

/// The condition that a connection has the status and the settings with which it was read.
fn if_as_read(request: UpdateItemFluentBuilder, seen: &Connection) -> Result<UpdateItemFluentBuilder, Error> {
    let mut conditions = vec!["id = :id AND #status = :seen_status".to_owned()];
    let mut request = request
        .expression_attribute_names("#status", "status")
        .values([(":id", text(&seen.id.0)), (":seen_status", text(seen.status.as_str()))]);
    for (name, value) in settings(seen)? {
        match value {
            Some(value) => {
                conditions.push(format!("{name} = :seen_{name}"));
                request = request.value(&format!(":seen_{name}"), value);
            }
            None => conditions.push(format!("attribute_not_exists({name})")),
        }
    }
    Ok(request.condition_expression(conditions.join(" AND ")))
}

/// Sets attributes, or removes those without a value.
fn assign(mut request: UpdateItemFluentBuilder, changes: Vec<Setting>) -> UpdateItemFluentBuilder {
    let (mut set, mut removed) = (Vec::new(), Vec::new());
    for (name, value) in changes {
        match value {
            Some(value) => {
                set.push(format!("{name} = :{name}"));
                request = request.value(&format!(":{name}"), value);
            }
            None => removed.push(name),
        }
    }
    let mut clauses = Vec::new();
    clauses.extend((!set.is_empty()).then(|| format!("SET {}", set.join(", "))));
    clauses.extend((!removed.is_empty()).then(|| format!("REMOVE {}", removed.join(", "))));
    request.update_expression(clauses.join(" "))
}
