//! Stores a consent: its grant and the connections of its ad accounts.

use super::item::{attributes, id_item};
use crate::domain::spending::{Spender, Spendings};
use crate::domain::{
    AdAccount, Connection, ConnectionBefore, ConnectionId, ConnectionStatus, CustomerId, Event, ExternalRef, Grant,
    GrantId, Platform,
};
use crate::error::Error;
use crate::store::account::ACCOUNT_EXISTS;
use crate::store::event::occurrence;
use crate::store::grant::grant_item;
use crate::store::transactions::{delete_write, put_write, update_write};
use crate::store::{Store, Values, number, table_keys, text};
use aws_sdk_dynamodb::types::TransactWriteItem;
use jiff::Timestamp;

/// Ad accounts per transaction: each is at most four writes, beside the grant, the PENDING connection, the account and what
/// counts for the user.
/// A new one is its connection, the records of its id and its user, and its event; one that is authorized again its
/// connection, the record of a user that it did not have, an event if it did not work or had no user, and what its grant
/// loses. DynamoDB allows 100 writes.
const ACCOUNTS_PER_TRANSACTION: usize = 24;
/// Attributes that an existing connection keeps when it is authorized again.
const KEPT_ATTRIBUTES: [&str; 3] = ["id", "created_at", "label"];
/// The index of the PENDING connection's write in the first transaction.
const PENDING: usize = 0;

/// An ad account of a consent.
#[derive(Clone, Debug)]
pub struct NewConnection {
    /// The id: of the existing connection, or a new one.
    pub id: ConnectionId,
    /// Label, if the connection is new.
    pub label: Option<String>,
    /// The user of the consent. A connection without one gets it.
    pub external_ref: Option<ExternalRef>,
    pub account: AdAccount,
    /// The account's connection as it was read, if the account has one.
    pub known: Option<Connection>,
}

impl NewConnection {
    /// The grant of the account's connection as it was read.
    pub fn old_grant(&self) -> Option<&GrantId> {
        self.known.as_ref().and_then(|known| known.grant_id.as_ref())
    }

    /// Whether the consent gives the connection a user.
    fn gains_user(&self) -> bool {
        self.external_ref.is_some() && self.known.as_ref().is_none_or(|known| known.external_ref.is_none())
    }

    /// The connection once the consent is stored. One that exists keeps its id, label, user, values of new campaigns,
    /// creation and last check.
    fn connection(&self, consent: &Consent<'_>) -> Connection {
        let known = self.known.as_ref();
        Connection {
            id: known.map_or(&self.id, |known| &known.id).clone(),
            platform: consent.platform,
            status: ConnectionStatus::Active,
            reason: None,
            label: known.map_or(&self.label, |known| &known.label).clone(),
            external_ref: known.and_then(|known| known.external_ref.clone()).or_else(|| self.external_ref.clone()),
            campaign_defaults: known.and_then(|known| known.campaign_defaults.clone()),
            account: Some(self.account.clone()),
            grant_id: Some(consent.grant.id.clone()),
            created_at: known.map_or(consent.now, |known| known.created_at),
            last_synced_at: known.and_then(|known| known.last_synced_at),
            paused_until: known.and_then(|known| known.paused_until),
        }
    }

    /// The event of the account. `None` for a connection that works already and whose user is the same.
    fn event(&self, consent: &Consent<'_>) -> Option<Event> {
        let (connection, occurrence) = (self.connection(consent), occurrence(consent.customer, consent.now));
        match &self.known {
            None => Some(Event::of_new_connection(&connection, occurrence)),
            Some(known) => Event::of_change(&connection, ConnectionBefore::of(known), occurrence),
        }
    }
}

/// A consent that is to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Consent<'a> {
    pub customer: CustomerId,
    pub platform: Platform,
    pub grant: &'a Grant,
    /// The grants that accounts of the consent had, as they were read.
    pub old_grants: &'a [Grant],
    /// The PENDING connection that the grant's connections replace.
    pub pending: &'a ConnectionId,
    /// The plan's limit of connections.
    pub limit: Option<usize>,
    /// The time of the request.
    pub now: Timestamp,
}

/// Result of storing a consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Everything is stored.
    All,
    /// Nothing is stored: the customer has removed the PENDING connection.
    Withdrawn,
    /// A connection has changed since it was read, or the limit is reached. Accounts before may be stored.
    Changed,
}

impl Store {
    /// Stores connections for ad accounts. The first part takes the PENDING connection and stores the grant; `is_begun`
    /// if an earlier call has stored it. An existing connection keeps its id, label and creation time.
    pub async fn connect(
        &self,
        consent: &Consent<'_>,
        accounts: &[NewConnection],
        is_begun: bool,
    ) -> Result<Stored, Error> {
        for (index, part) in accounts.chunks(ACCOUNTS_PER_TRANSACTION).enumerate() {
            let is_first = index == 0 && !is_begun;
            let mut writes = if is_first {
                self.first_writes(consent, part.len())?
            } else {
                vec![self.join_grant(consent.customer, &consent.grant.id, part.len())?]
            };
            writes.extend(self.count_write(consent, part)?);
            for new in part {
                writes.extend(self.connection_writes(consent, new)?);
            }
            writes.extend(self.leave_grants(consent, part)?);
            writes.extend(self.user_spending_write(consent, part).await?);
            match self.transact(writes).await?.as_slice() {
                [] => {}
                failed if is_first && failed.contains(&PENDING) => return Ok(Stored::Withdrawn),
                _ => return Ok(Stored::Changed),
            }
        }
        Ok(Stored::All)
    }

    /// Takes the PENDING connection and stores the grant.
    fn first_writes(&self, consent: &Consent<'_>, connections: usize) -> Result<Vec<TransactWriteItem>, Error> {
        let connections = u32::try_from(connections).map_err(Error::internal)?;
        let grant = Grant { connections, ..consent.grant.clone() };
        let delete = self
            .delete_item(&table_keys::pending(consent.customer, consent.pending))
            .condition_expression("attribute_exists(pk)");
        Ok(vec![delete_write(delete)?, put_write(self.put_item(grant_item(consent.customer, &grant)?))?])
    }

    /// Counts the new connections in the account, within the plan's limit.
    fn count_write(&self, consent: &Consent<'_>, part: &[NewConnection]) -> Result<Option<TransactWriteItem>, Error> {
        let new = part.iter().filter(|new| new.known.is_none()).count();
        if new == 0 {
            return Ok(None);
        }
        let new = i64::try_from(new).map_err(Error::internal)?;
        let update = self.change_connection_count(consent.customer, new);
        let update = match consent.limit {
            None => update.condition_expression(ACCOUNT_EXISTS),
            Some(limit) => {
                let most = i64::try_from(limit).map_err(Error::internal)? - new;
                update.condition_expression("connections_count <= :most").value(":most", number(most))
            }
        };
        update_write(update).map(Some)
    }

    /// Sets the attributes of an ACTIVE connection that have a value, and removes `reason`, which belongs to the state
    /// before. An existing connection keeps those in [`KEPT_ATTRIBUTES`] and those without a value. A new one gets the
    /// record of its id, and one that gains a user the record of that.
    fn connection_writes(&self, consent: &Consent<'_>, new: &NewConnection) -> Result<Vec<TransactWriteItem>, Error> {
        let Consent { customer, platform, .. } = *consent;
        let mut update = self.update_item(&table_keys::connection(customer, platform, &new.account.id));
        let mut assignments = Vec::new();
        let label = new.label.clone();
        let external_ref = if new.gains_user() { new.external_ref.clone() } else { None };
        let stored = new.connection(consent);
        let of_consent = Connection {
            label,
            external_ref,
            campaign_defaults: None,
            last_synced_at: None,
            paused_until: None,
            ..stored.clone()
        };
        for (name, value) in attributes(&of_consent)? {
            assignments.push(assignment(&name));
            update = update.value(&format!(":{name}"), value).expression_attribute_names(format!("#{name}"), name);
        }
        update = match (&new.known, new.old_grant()) {
            (Some(known), Some(old)) => update
                .condition_expression(if new.gains_user() {
                    "#grant_id = :old_grant AND #status = :old_status AND attribute_not_exists(#external_ref)"
                } else {
                    "#grant_id = :old_grant AND #status = :old_status"
                })
                .values([(":old_grant", text(&old.0)), (":old_status", text(known.status.as_str()))]),
            _ => update.condition_expression("attribute_not_exists(pk)"),
        };
        let expression = format!("SET {} REMOVE reason", assignments.join(", "));
        let mut writes = vec![update_write(update.update_expression(expression))?];
        if new.known.is_none() {
            writes.push(put_write(self.put_item(id_item(customer, &new.id, platform, &new.account.id)))?);
        }
        if new.gains_user() {
            writes.extend(self.join_user(customer, &stored)?);
        }
        writes.extend(new.event(consent).map(|event| self.event_write(&event)).transpose()?);
        Ok(writes)
    }

    /// The write of what counts for the user of the consent, if connections that it has had come back to it: it may change
    /// them at once, and what it ran there counts again.
    async fn user_spending_write(
        &self,
        consent: &Consent<'_>,
        part: &[NewConnection],
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let gained: Vec<_> = part.iter().filter(|new| new.gains_user()).map(|new| new.connection(consent)).collect();
        let Some(user) = gained.iter().find_map(|connection| connection.external_ref.clone()) else {
            return Ok(Vec::new());
        };
        let spender = Spender::User(user);
        let Some(known) = self.spending(consent.customer, &spender).await? else { return Ok(Vec::new()) };
        let joined = gained.iter().fold(known.clone(), |joined, connection| joined.with_connection(connection, None));
        let moved: Spendings = (joined != known).then_some(joined).into_iter().collect();
        self.spending_writes(consent.customer, &moved)
    }

    /// Takes the accounts of a part from the grants that they had. A deleted grant needs no change.
    fn leave_grants(&self, consent: &Consent<'_>, part: &[NewConnection]) -> Result<Vec<TransactWriteItem>, Error> {
        let mut writes = Vec::new();
        for grant in consent.old_grants {
            let accounts = part.iter().filter(|new| new.old_grant() == Some(&grant.id)).count();
            if accounts > 0 {
                let accounts = i64::try_from(accounts).map_err(Error::internal)?;
                writes.push(self.leave_grant(consent.customer, &grant.id, accounts, consent.now)?);
            }
        }
        Ok(writes)
    }
}

fn assignment(name: &str) -> String {
    if KEPT_ATTRIBUTES.contains(&name) {
        format!("#{name} = if_not_exists(#{name}, :{name})")
    } else {
        format!("#{name} = :{name}")
    }
}
