//! The connections of a list, in its order: by platform, then ad account. A page reads as many as it asks.

use crate::cursor::{Cursor, Position};
use shared::domain::{Connection, CustomerConnections, CustomerId, ListFilters, Platform};
use shared::envelope::query::{ListQuery, read_list, value};
use shared::error::Error;
use shared::serve::{ApiRequest, Call, RequiredConnections};
use shared::store::{BatchStart, ConnectionBatch, ConnectionRef};
use std::collections::VecDeque;
use std::sync::Arc;

/// A connection of a list.
pub(crate) struct ListedConnection {
    pub(crate) connection: Connection,
    /// The connections that were read with it, and their grants.
    pub(crate) connected: Arc<CustomerConnections>,
    /// The position at which to start in it.
    pub(crate) start: Position,
}

/// The connections of a list, from its cursor on.
pub(crate) struct ListedConnections<'a> {
    call: &'a Call,
    filters: &'a ListFilters,
    cursor: Option<&'a Cursor>,
    batch: VecDeque<ListedConnection>,
    next: Option<BatchStart>,
}

/// The query of a list, and its first connections.
pub(crate) struct FirstBatch {
    pub(crate) query: ListQuery,
    /// The position of the page; `None` for the first page.
    pub(crate) cursor: Option<Cursor>,
    pub(crate) batch: PrefetchedBatch,
}

/// The first connections of a list; `None` in a list of all connections of a user, which the pipeline reads.
pub(crate) type PrefetchedBatch = Option<ConnectionBatch>;

/// The connections that the pipeline reads: those of the user for whom the request acts, unless a filter names some.
pub(crate) fn required_connections(request: &ApiRequest) -> RequiredConnections {
    let names = ["connection_id", "organization_id"];
    if names.iter().any(|name| value(&request.query, name).is_some()) {
        return RequiredConnections::None;
    }
    RequiredConnections::of_user(request)
}

/// Reads the query of a list and its first connections. An invalid query reads none.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<FirstBatch, Error> {
    let query = read_list(request.shape, &request.query)?;
    let cursor = query.cursor.as_ref().map(|text| Cursor::decode(text, &query.filters, None)).transpose()?;
    let batch = first_batch(request, customer, &query.filters, cursor.as_ref()).await?;
    Ok(FirstBatch { query, cursor, batch })
}

/// Reads the first connections of a list, from its cursor on, unless the pipeline reads them.
pub(crate) async fn first_batch(
    request: &ApiRequest,
    customer: CustomerId,
    filters: &ListFilters,
    cursor: Option<&Cursor>,
) -> Result<PrefetchedBatch, Error> {
    let store = &request.app.store;
    let names = match (&filters.connection_id, &filters.account_id) {
        (Some(id), _) => vec![ConnectionRef::Id(id.clone())],
        (None, Some(account)) => accounts(filters, account),
        (None, None) if request.user().is_some() => return Ok(None),
        (None, None) => {
            return store.connection_batch(customer, start(filters, cursor), request.now).await.map(Some);
        }
    };
    let connected = store.named_connections(customer, &names, request.now).await?;
    Ok(Some(ConnectionBatch { connected, next: None }))
}

/// The ad account of a list, on every platform that may have it.
fn accounts(filters: &ListFilters, account: &str) -> Vec<ConnectionRef> {
    let platforms = Platform::ALL.into_iter().filter(|platform| filters.platform.is_none_or(|only| only == *platform));
    platforms.map(|platform| ConnectionRef::Account(platform, account.to_owned())).collect()
}

/// The start of a list: its cursor's account, or else the first one of its filters.
fn start(filters: &ListFilters, cursor: Option<&Cursor>) -> BatchStart {
    let (platform, account) = cursor
        .and_then(Cursor::account)
        .unwrap_or_else(|| (filters.platform.unwrap_or(Platform::ALL[0]), String::new()));
    BatchStart { platform, account, is_only_platform: filters.platform.is_some() }
}

impl<'a> ListedConnections<'a> {
    /// The connections of a page, from the connections that were read first. A filter that names none of the caller's
    /// is an error: an empty list would read as an account without campaigns.
    pub(crate) fn new(
        call: &'a Call,
        filters: &'a ListFilters,
        cursor: Option<&'a Cursor>,
        first: PrefetchedBatch,
    ) -> Result<ListedConnections<'a>, Error> {
        let first = first.unwrap_or_else(|| ConnectionBatch { connected: call.connected.clone(), next: None });
        let seen: Vec<&Connection> = call.visible(&first.connected.connections).collect();
        let is_named = |known: &Connection, account: &str| {
            known.account_id() == account && filters.platform.is_none_or(|platform| platform == known.platform)
        };
        match (&filters.connection_id, &filters.account_id) {
            (Some(id), _) if !seen.iter().any(|known| known.id.0 == *id) => return Err(Error::not_found("connection")),
            (None, Some(account)) if !seen.iter().any(|known| is_named(known, account)) => {
                return Err(Error::not_found("ad account"));
            }
            _ => {}
        }
        let mut listed = ListedConnections { call, filters, cursor, batch: VecDeque::new(), next: None };
        listed.add(first);
        Ok(listed)
    }

    /// The next connection; `None` after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<ListedConnection>, Error> {
        while self.batch.is_empty() {
            let Some(start) = self.next.take() else { return Ok(None) };
            let now = self.call.request.now;
            let batch = self.call.store().connection_batch(self.call.customer.id, start, now).await?;
            self.add(batch);
        }
        Ok(self.batch.pop_front())
    }

    fn add(&mut self, batch: ConnectionBatch) {
        let connected = Arc::new(batch.connected);
        self.next = batch.next;
        let call = self.call;
        for connection in call.visible(&connected.connections) {
            if let Some(start) = self.start_in(connection) {
                let (connection, connected) = (connection.clone(), Arc::clone(&connected));
                self.batch.push_back(ListedConnection { connection, connected, start });
            }
        }
    }

    /// The position at which to start in a connection; `None` if the filters or the cursor exclude it.
    fn start_in(&self, connection: &Connection) -> Option<Position> {
        let ListFilters { platform, account_id, connection_id, statuses: _, name_contains: _, delivery_states: _ } =
            self.filters;
        let is_in_scope = connection.account.is_some()
            && platform.is_none_or(|platform| platform == connection.platform)
            && connection_id.as_ref().is_none_or(|id| *id == connection.id.0)
            && account_id.as_deref().is_none_or(|account| account == connection.account_id());
        if !is_in_scope {
            return None;
        }
        self.cursor.map_or(Some(Position::Start), |cursor| cursor.position_in(connection))
    }
}
