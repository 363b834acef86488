//! A page of a log whose filters skip some of what a query reads.

use crate::error::Error;

/// Most queries for one page. A page that is not full by then has a cursor.
const MAX_QUERIES: usize = 10;

/// Reads until a page is full, or the log ends. `read` returns the entries after a position, and where it stopped.
/// Returns the page, and the position after which the next one starts.
pub async fn log_page<T, P, F>(
    limit: usize,
    after: Option<P>,
    read: impl Fn(Option<P>) -> F,
    position: impl Fn(&T) -> P,
) -> Result<(Vec<T>, Option<P>), Error>
where
    F: Future<Output = Result<(Vec<T>, Option<P>), Error>>,
{
    let mut next = after;
    let mut entries = Vec::new();
    for _ in 0..MAX_QUERIES {
        let (read, stopped_at) = read(next).await?;
        entries.extend(read);
        next = stopped_at;
        if entries.len() > limit || next.is_none() {
            break;
        }
    }
    if entries.len() > limit {
        entries.truncate(limit);
        next = entries.last().map(position);
    }
    Ok((entries, next))
}
