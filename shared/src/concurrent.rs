//! Concurrent reads and writes of many records.

use crate::error::Error;
use futures_util::{StreamExt, stream};

/// Records that are read or written at a time.
const CONCURRENCY: usize = 16;

/// Calls `act` for each item, several at a time and in any order. Returns an error of one once all are done.
pub(crate) async fn for_each<T, R, F: Future<Output = Result<R, Error>>>(
    all: Vec<T>,
    act: impl Fn(T) -> F,
) -> Result<Vec<R>, Error> {
    let done: Vec<Result<R, Error>> = stream::iter(all).map(act).buffer_unordered(CONCURRENCY).collect().await;
    done.into_iter().collect()
}
