//! A page of the merged list while it fills.

use shared::domain::Connection;
use shared::envelope::CampaignList;
use shared::error::{Error, Kind};
use shared::platforms::CampaignPage;

/// Concurrent reads of connections.
const CONCURRENT_READS: usize = 8;

/// A page of the merged list while it fills.
pub(crate) struct ListPage {
    limit: usize,
    list: CampaignList,
    /// Connections whose campaigns were read.
    answered: usize,
}

impl ListPage {
    /// An empty page.
    pub(crate) fn new(limit: usize) -> ListPage {
        let list = CampaignList { campaigns: Vec::new(), next_cursor: None, failures: Vec::new() };
        ListPage { limit, list, answered: 0 }
    }

    /// The number of connections to read at a time: as many as the page has room for, by the average so far. A
    /// connection whose campaigns do not fit would have to be asked again.
    pub(crate) fn reads_ahead(&self) -> usize {
        let average = self.list.campaigns.len().div_ceil(self.answered.max(1)).max(1);
        self.room().div_ceil(average).min(CONCURRENT_READS)
    }

    /// Whether no connection has answered or failed.
    pub(crate) fn is_untouched(&self) -> bool {
        self.answered == 0 && self.list.failures.is_empty()
    }

    /// Adds the outcome of the next connection in order. If not all of its campaigns fit, returns the position in it at
    /// which the next page continues; `Some(None)` is its start.
    pub(crate) fn add(
        &mut self,
        connection: &Connection,
        after: Option<String>,
        outcome: Result<CampaignPage, Error>,
    ) -> Result<Option<Option<String>>, Error> {
        let page = match outcome {
            Ok(page) => page,
            // An invalid request is not a failure of the connection.
            Err(error) if error.kind == Kind::Validation => return Err(error),
            Err(error) => {
                self.list.failures.push((connection.platform, connection.id.clone(), error));
                return Ok(None);
            }
        };
        self.answered += 1;
        let (room, mut last) = (self.room(), after);
        let has_more = page.has_more || page.campaigns.len() > room;
        for (campaign, position) in page.campaigns.into_iter().zip(page.positions).take(room) {
            self.list.campaigns.push(campaign);
            last = Some(position);
        }
        Ok(has_more.then_some(last))
    }

    /// The page with its cursor. A list of one page on which every connection failed is the error of the first.
    pub(crate) fn finish(mut self, next_cursor: Option<String>, is_first: bool) -> Result<CampaignList, Error> {
        let is_whole_list = is_first && next_cursor.is_none();
        if is_whole_list && self.answered == 0 && !self.list.failures.is_empty() {
            return Err(self.list.failures.swap_remove(0).2);
        }
        Ok(CampaignList { next_cursor, ..self.list })
    }

    fn room(&self) -> usize {
        self.limit - self.list.campaigns.len()
    }
}
