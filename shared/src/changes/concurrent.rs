//! What is done to many records at a time.

use crate::domain::Change;
use crate::error::Error;
use crate::store::Store;
use futures_util::{StreamExt, stream};

/// Records of which each is read or written concurrently.
const CONCURRENCY: usize = 16;

/// Does something with each of these, some at a time and in any order. An error of one is returned once all are done.
pub(super) async fn for_each<T, R, F: Future<Output = Result<R, Error>>>(
    all: Vec<T>,
    act: impl Fn(T) -> F,
) -> Result<Vec<R>, Error> {
    let done: Vec<Result<R, Error>> = stream::iter(all).map(act).buffer_unordered(CONCURRENCY).collect().await;
    done.into_iter().collect()
}

/// Stores changes that the service makes in the campaigns of somebody, due at their time. Returns them as they are stored:
/// one that exists was stored before, and may ask for something else.
pub(super) async fn store_all(store: &Store, changes: Vec<Change>) -> Result<Vec<Change>, Error> {
    for_each(changes, |change| store.begin_once(change)).await
}
