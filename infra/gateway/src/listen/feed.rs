//! The events of an API since a start, each once.

use super::Failure;
use super::api::{Api, ReadError};
use super::listed_event::ListedEvent;
use super::seen_events::SeenEvents;
use tokio::time::Instant;

/// Size of the largest page.
const MAX_PAGE: usize = 100;
/// Events that a page has room for beside those that have been seen: a quiet API sends little.
const ROOM: usize = 10;

/// The events from a start on.
pub(super) struct Feed {
    api: Api,
    seen: SeenEvents,
}

impl Feed {
    /// Begins now: what the API lists already is not new. An API that does not answer is an error here.
    pub(super) async fn start(api: Api) -> Result<Feed, Failure> {
        let text = |error| match error {
            ReadError::Final(reason) | ReadError::Temporary { reason, .. } => reason,
        };
        let newest = api.page(1, None).await.map_err(text)?;
        let mut feed = Feed { api, seen: SeenEvents::before(newest.events.first().map(|event| event.id)) };
        feed.unseen().await.map_err(text)?;
        Ok(feed)
    }

    /// The events that are new, oldest first. After an error none is lost: the next call has them.
    pub(super) async fn unseen(&mut self) -> Result<Vec<ListedEvent>, ReadError> {
        let limit = (self.seen.len() + ROOM).min(MAX_PAGE);
        let (mut listed, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.api.page(limit, cursor.as_deref()).await?;
            listed.extend(page.events);
            cursor = page.next_cursor;
            if cursor.is_none() || listed.last().is_some_and(|oldest| self.seen.is_reached(oldest.id)) {
                return Ok(self.seen.take_new(listed, Instant::now()));
            }
        }
    }
}
