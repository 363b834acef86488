//! Concurrent reads and writes of many records.

use crate::domain::Change;
use crate::error::Error;
use crate::store::Store;
use futures_util::{StreamExt, stream};
use jiff::Timestamp;

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

/// Stores changes that the service makes itself, due at their time. `at` is now. Returns them as they are stored: a change
/// with the same id stays as an earlier attempt has stored it.
pub(crate) async fn store_all(store: &Store, changes: Vec<Change>, at: Timestamp) -> Result<Vec<Change>, Error> {
    for_each(changes, |change| store.begin_once(change, at)).await
}
