//! `listEvents`.

use shared::domain::{Event, EventId, EventKind};
use shared::envelope::{EventList, EventsQuery, Reply, decode_log_cursor, encode_log_cursor, read_events};
use shared::error::Error;
use shared::serve::{Call, log_page};

/// Events that one query reads if the type skips some of them.
const SCAN_SIZE: usize = 100;

/// Lists events, newest first.
pub(crate) async fn list(call: &Call) -> Result<Reply, Error> {
    let EventsQuery { kind, limit, cursor } = read_events(&call.request.query)?;
    let filters = kind.map(EventKind::as_str);
    let after = cursor.map(|text| decode_log_cursor(&text, &filters, EventId::parse)).transpose()?;
    // Without a type, one more than the page size shows whether a next page exists.
    let query_size = i32::try_from(if kind.is_none() { limit + 1 } else { SCAN_SIZE }).map_err(Error::internal)?;
    let read = |after: Option<EventId>| async move {
        let mut page = call.store().events(call.customer.id, after, query_size, call.request.now).await?;
        page.events.retain(|event| kind.is_none_or(|kind| event.kind == kind));
        Ok((page.events, page.next))
    };
    let (events, next) = log_page(limit, after, read, |event: &Event| event.id).await?;
    let next_cursor = next.map(|after| encode_log_cursor(&after, &filters)).transpose()?;
    let public_base = call.request.app.public_base_url.as_deref();
    EventList::new(&events, next_cursor, public_base).map(Reply::Events)
}
