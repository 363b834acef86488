//! Merges the rows of several connections into pages: by platform, then account, then in the platform's order.

use crate::cursor::{Cursor, Position};
use crate::list_page::ListPage;
use crate::listed_connections::{ListedConnection, ListedConnections, PrefetchedBatch};
use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use shared::domain::{Connection, ConnectionStatus, ListFilters, Reason};
use shared::error::{Error, Kind};
use shared::platforms::errors::token_expired;
use shared::platforms::{AccountPage, AccountSession, AdPlatform};
use shared::serve::Call;
use shared::tokens::PlatformContext;
use std::time::Duration;
use tokio::time::Instant;

/// A list starts no further read after this time. Reads in flight may take until the request's deadline.
const ASK_TIME: Duration = Duration::from_secs(5);

/// Concurrent reads of campaigns.
const CONCURRENT_READS: usize = 8;
/// Concurrent reads of reports. Platforms allow few reports, and a page of one may take a large part of the memory.
const CONCURRENT_REPORTS: usize = 2;

/// The list to merge.
pub(crate) struct MergeRequest<'a> {
    pub(crate) filters: &'a ListFilters,
    /// The report that the list is of; `None` for campaigns.
    pub(crate) report: Option<&'a str>,
    /// Page size.
    pub(crate) limit: usize,
    /// The position of the page; `None` for the first page.
    pub(crate) cursor: Option<&'a Cursor>,
}

/// Reads the connections in order, several at a time, until the page is full or [`ASK_TIME`] is over. The page has
/// every connection that was read, so the next page starts at one that was not. `read` reads a page of an account, from
/// a position on, and `keeps` says whether a row is listed. Returns the page, and the cursor of the next one.
pub(crate) async fn merge<T, F>(
    call: &Call,
    request: MergeRequest<'_>,
    first: PrefetchedBatch,
    read: impl Fn(&'static dyn AdPlatform, AccountSession, Option<String>) -> F,
    keeps: impl Fn(&T) -> bool,
) -> Result<(ListPage<T>, Option<String>), Error>
where
    F: Future<Output = Result<AccountPage<T>, Error>>,
{
    let MergeRequest { filters, report, limit, cursor } = request;
    let mut listed_connections = ListedConnections::new(call, filters, cursor, first)?;
    let mut page = ListPage::new(limit);
    let mut reads = FuturesOrdered::new();
    let read = |listed| read_page(call, listed, report.is_some(), &read);
    let filled = fill(&mut page, &mut listed_connections, &mut reads, report.is_some(), read, keeps).await;
    // The reads ahead end before the response: what they learn about their connections is stored after their calls.
    while reads.next().await.is_some() {}
    let rest = filled?;
    let next = rest.map(|listed| Cursor::new(&listed.connection, listed.start, filters, report).encode());
    let next = next.transpose()?;
    let is_whole_list = cursor.is_none() && next.is_none();
    Ok((page.check(is_whole_list)?, next))
}

/// Fills the page. Returns the place where the next page starts; `None` at the end of the list.
async fn fill<T, R, F>(
    page: &mut ListPage<T>,
    listed_connections: &mut ListedConnections<'_>,
    reads: &mut FuturesOrdered<F>,
    is_report: bool,
    read: R,
    keeps: impl Fn(&T) -> bool,
) -> Result<Option<ListedConnection>, Error>
where
    R: Fn(ListedConnection) -> F,
    F: Future<Output = (ListedConnection, Result<AccountPage<T>, Error>)>,
{
    let until = Instant::now() + ASK_TIME;
    loop {
        let most = page.reads_ahead(if is_report { CONCURRENT_REPORTS } else { CONCURRENT_READS });
        // The first connection is asked however late it is: every page makes progress.
        while reads.len() < most && (page.is_untouched() && reads.is_empty() || Instant::now() < until) {
            let Some(listed) = listed_connections.next().await? else { break };
            let is_continued = listed.start != Position::Start;
            reads.push_back(read(listed));
            // An account with rows on an earlier page often fills this one too: other reports would be read in vain.
            if is_report && is_continued {
                break;
            }
        }
        let Some((listed, outcome)) = reads.next().await else { return listed_connections.next().await };
        if let Some(start) = page.add(&listed.connection, listed.start.clone(), outcome, &keeps)? {
            return Ok(Some(ListedConnection { start, ..listed }));
        }
    }
}

/// Reads a page from a connection.
async fn read_page<T, F>(
    call: &Call,
    listed: ListedConnection,
    is_report: bool,
    read: &impl Fn(&'static dyn AdPlatform, AccountSession, Option<String>) -> F,
) -> (ListedConnection, Result<AccountPage<T>, Error>)
where
    F: Future<Output = Result<AccountPage<T>, Error>>,
{
    let connection = &listed.connection;
    let page = match connection.status {
        ConnectionStatus::Active => {
            let context = PlatformContext { connected: &listed.connected, ..call.platform_context() };
            let work = |adapter: &'static dyn AdPlatform, session: AccountSession| {
                read(adapter, session, listed.start.clone().after())
            };
            if is_report {
                context.read_report(connection, work).await
            } else {
                context.in_account(connection, work).await
            }
        }
        ConnectionStatus::Revoked => Err(token_expired(connection.platform)),
        ConnectionStatus::Error | ConnectionStatus::Pending => Err(connection_error(connection)),
    };
    (listed, page)
}

fn connection_error(connection: &Connection) -> Error {
    let reason = connection.reason.as_deref().unwrap_or("the platform refuses it");
    let message = format!("The connection does not work ({reason}); authorize the account again.");
    Error::new(Kind::Forbidden, message).because(Reason::ConnectionBroken).on(connection.platform)
}
