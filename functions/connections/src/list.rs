//! `listConnections` and `getConnection`.

use shared::domain::{Connection, ConnectionFilters, CustomerId, ExternalRef, Platform};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{
    ConnectionPage, ConnectionsQuery, Reply, decode_log_cursor, encode_log_cursor, read_connections,
};
use shared::error::Error;
use shared::serve::{ApiRequest, Call};

/// The query of a list, and the customer's connections in the order of the list.
pub(crate) struct PrefetchedList {
    query: ConnectionsQuery,
    /// `None` in a request for a user, whose connections the pipeline reads.
    connections: Option<Vec<Connection>>,
}

/// Reads the query and the connections, without their grants. An invalid query reads none.
pub(crate) async fn prefetch(request: &ApiRequest, customer: CustomerId) -> Result<PrefetchedList, Error> {
    let query = read_connections(&request.query)?;
    let store = &request.app.store;
    let connections = match request.user() {
        Some(_) => None,
        None => Some(store.connections(customer, request.now).await?),
    };
    Ok(PrefetchedList { query, connections })
}

/// Lists the connections that the request may see, and that the filters admit.
pub(crate) async fn list(call: &Call, listed: Result<PrefetchedList, Error>) -> Result<Reply, Error> {
    let PrefetchedList { query, connections } = listed?;
    let ConnectionsQuery { filters, limit, cursor } = query;
    let after =
        cursor.map(|text| decode_log_cursor(&text, &filter_values(call, &filters), ListPosition::parse)).transpose()?;
    let is_shown = |known: &Connection| {
        filters.admit(known) && after.as_ref().is_none_or(|after| ListPosition::of(known) > *after)
    };
    let connections = connections.unwrap_or_else(|| call.connected.connections.clone());
    let mut connections: Vec<Connection> = call.visible(connections).filter(is_shown).collect();
    let has_more = limit.is_some_and(|limit| connections.len() > limit);
    connections.truncate(limit.unwrap_or(connections.len()));
    let last = if has_more { connections.last() } else { None };
    let next_cursor = last
        .map(|last| encode_log_cursor(&ListPosition::of(last).text(), &filter_values(call, &filters)))
        .transpose()?;
    Ok(Reply::Connections(ConnectionPage { connections, next_cursor }))
}

/// Reads the connection in the path. One that the caller may not see is not found.
pub(crate) async fn get(call: &Call) -> Result<Reply, Error> {
    reject_unknown_params(&call.request.query, &[])?;
    Ok(Reply::Connection(Box::new(find_connection(call)?.clone())))
}

/// The customer's connection with the id in the path.
pub(crate) fn find_connection(call: &Call) -> Result<&Connection, Error> {
    call.connected.connection(&call.request.parameter).ok_or_else(|| Error::not_found("connection"))
}

/// The filters and the user of the request, as a cursor binds them.
fn filter_values<'a>(
    call: &'a Call,
    filters: &'a ConnectionFilters,
) -> (Option<&'a str>, Vec<&'a str>, Option<&'a str>) {
    let ConnectionFilters { platform, statuses } = filters;
    (
        platform.map(Platform::as_str),
        statuses.iter().map(|status| status.as_str()).collect(),
        call.user().map(ExternalRef::as_str),
    )
}

/// The position of a connection in the list: by platform and ad account, then the PENDING ones by platform and time. The
/// state of a connection does not move it, except that a completed consent gives it an ad account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ListPosition {
    Connected(Platform, String),
    /// With the Unix time of its start in nanoseconds, and its id.
    Pending(Platform, i128, String),
}

impl ListPosition {
    fn of(connection: &Connection) -> ListPosition {
        let Connection { id, platform, account, created_at, .. } = connection;
        match account {
            Some(account) => ListPosition::Connected(*platform, account.id.clone()),
            None => ListPosition::Pending(*platform, created_at.as_nanosecond(), id.to_string()),
        }
    }

    fn text(&self) -> String {
        match self {
            ListPosition::Connected(platform, account) => format!("{platform}/{account}"),
            ListPosition::Pending(platform, begun, id) => format!("{platform}/{begun}/{id}"),
        }
    }

    fn parse(text: &str) -> Option<ListPosition> {
        let (platform, rest) = text.split_once('/')?;
        let platform = Platform::parse(platform)?;
        match rest.split_once('/') {
            Some((begun, id)) => Some(ListPosition::Pending(platform, begun.parse().ok()?, id.to_owned())),
            None => Some(ListPosition::Connected(platform, rest.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_positions_sort_and_round_trip() {
        let connected = |platform, account: &str| ListPosition::Connected(platform, account.to_owned());
        let pending = |platform, begun, id: &str| ListPosition::Pending(platform, begun, id.to_owned());
        let sorted = [
            connected(Platform::Alpha, "1"),
            connected(Platform::Alpha, "2"),
            connected(Platform::Gamma, "1"),
            connected(Platform::Delta, "1"),
            pending(Platform::Alpha, -5, "conn_9"),
            pending(Platform::Alpha, 1_790_000_000_000_000_001, "conn_1"),
            pending(Platform::Alpha, 1_790_000_000_000_000_001, "conn_2"),
            pending(Platform::Zeta, 0, "conn_1"),
        ];
        assert!(sorted.is_sorted());
        for position in sorted {
            assert_eq!(ListPosition::parse(&position.text()), Some(position));
        }
        for text in ["", "alpha_ads", "x/conn_1", "/", "alpha_ads/x/conn_1"] {
            assert_eq!(ListPosition::parse(text), None, "{text}");
        }
    }
}
