//! `listDeliveries`.

use crate::not_found;
use shared::domain::{Delivery, DeliveryStatus, EventId, WebhookEndpoint};
use shared::envelope::{DeliveriesQuery, DeliveryList, Reply, decode_log_cursor, encode_log_cursor, read_deliveries};
use shared::error::Error;
use shared::serve::{Call, log_page};

/// Deliveries that one query reads if the status skips some of them.
const SCAN_SIZE: usize = 200;

/// Lists the deliveries of an endpoint, newest event first.
pub(crate) async fn list(call: &Call, endpoint: Result<Option<WebhookEndpoint>, Error>) -> Result<Reply, Error> {
    let DeliveriesQuery { status, limit, cursor } = read_deliveries(&call.request.query)?;
    let endpoint = &endpoint?.ok_or_else(not_found)?.id;
    let filters = (endpoint.as_str(), status.map(DeliveryStatus::as_str));
    let after = cursor.map(|text| decode_log_cursor(&text, &filters, EventId::parse)).transpose()?;
    // Without a status, one more than the page size shows whether a next page exists.
    let query_size = i32::try_from(if status.is_none() { limit + 1 } else { SCAN_SIZE }).map_err(Error::internal)?;
    let read = |after: Option<EventId>| async move {
        let mut page = call.store().deliveries(call.customer.id, endpoint, after, query_size).await?;
        page.deliveries.retain(|delivery| status.is_none_or(|status| delivery.status == status));
        Ok((page.deliveries, page.next))
    };
    let (deliveries, next) = log_page(limit, after, read, |delivery: &Delivery| delivery.event).await?;
    let next_cursor = next.map(|after| encode_log_cursor(&after, &filters)).transpose()?;
    Ok(Reply::Deliveries(DeliveryList { deliveries, next_cursor }))
}
