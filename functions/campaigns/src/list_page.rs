//! A page of the merged list while it fills.

use crate::cursor::Position;
use shared::domain::{Connection, ConnectionId, Platform};
use shared::error::{Error, Kind};
use shared::platforms::AccountPage;

/// A page of the merged list while it fills.
pub(crate) struct ListPage<T> {
    limit: usize,
    /// Rows, in the order of the connections.
    pub(crate) rows: Vec<T>,
    /// Connections that were read, in their order.
    pub(crate) answered: Vec<Connection>,
    /// Connections that could not be read.
    pub(crate) failures: Vec<(Platform, ConnectionId, Error)>,
}

impl<T> ListPage<T> {
    /// An empty page.
    pub(crate) fn new(limit: usize) -> ListPage<T> {
        ListPage { limit, rows: Vec::new(), answered: Vec::new(), failures: Vec::new() }
    }

    /// The number of connections to read at a time: as many as the page has room for, by the average so far, and at
    /// most `most`. A connection whose rows do not fit would have to be asked again.
    pub(crate) fn reads_ahead(&self, most: usize) -> usize {
        let average = self.rows.len().div_ceil(self.answered.len().max(1)).max(1);
        self.room().div_ceil(average).min(most)
    }

    /// Whether no connection has answered or failed.
    pub(crate) fn is_untouched(&self) -> bool {
        self.answered.is_empty() && self.failures.is_empty()
    }

    /// Adds the outcome of the next connection in order, which was read from `start` on: the rows that `keeps` admits. If
    /// not all of them fit, returns the position in it at which the next page continues.
    pub(crate) fn add(
        &mut self,
        connection: &Connection,
        start: Position,
        outcome: Result<AccountPage<T>, Error>,
        keeps: impl Fn(&T) -> bool,
    ) -> Result<Option<Position>, Error> {
        let page = match outcome {
            Ok(page) => page,
            // An invalid request is not a failure of the connection.
            Err(error) if error.kind == Kind::Validation => return Err(error),
            Err(error) => {
                self.failures.push((connection.platform, connection.id.clone(), error));
                return Ok(None);
            }
        };
        self.answered.push(connection.clone());
        let mut last = start;
        for (row, position) in page.rows.into_iter().zip(page.positions) {
            if keeps(&row) {
                if self.room() == 0 {
                    return Ok(Some(last));
                }
                self.rows.push(row);
            }
            last = Position::After(position);
        }
        Ok(page.has_more.then_some(last))
    }

    /// A list of one page on which every connection failed is the error of the first.
    pub(crate) fn check(mut self, is_whole_list: bool) -> Result<ListPage<T>, Error> {
        if is_whole_list && self.answered.is_empty() && !self.failures.is_empty() {
            return Err(self.failures.swap_remove(0).2);
        }
        Ok(self)
    }

    fn room(&self) -> usize {
        self.limit - self.rows.len()
    }
}
