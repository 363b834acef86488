//! Reads pages of the platform's lists.

use super::position::Key;
use crate::platforms::gamma::api::{self, API, ListPartition};
use crate::platforms::gamma::translate::campaign;
use crate::platforms::gamma::wire::Id;
use crate::platforms::prelude::*;

/// A campaign on a page, after its place in our order.
pub(super) type Row = (Key, Campaign);

/// Reads one page of a partition in the platform's order, and the number of pages. An unreadable row is `None` and
/// keeps its place.
pub(super) async fn read_page(
    session: &Session,
    partition: ListPartition,
    number: usize,
    size: usize,
) -> Result<(Vec<Option<Row>>, usize), Error> {
    let (rows, pages) = rows(session, partition, None, number, size).await?;
    Ok((readable(Platform::Gamma, &rows, |row| read(session, partition, row))?, pages))
}

/// Reads one campaign of a partition.
pub(super) async fn find(session: &Session, partition: ListPartition, id: Id) -> Result<Option<Campaign>, Error> {
    let (rows, _) = rows(session, partition, Some(id), 1, 1).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (key, campaign) = read(session, partition, row)?;
    if key.id != id {
        return Err(unreadable(Platform::Gamma, "another campaign than the requested one"));
    }
    Ok(Some(campaign))
}

fn read(session: &Session, partition: ListPartition, row: &RawValue) -> Result<Row, Error> {
    let campaign = campaign(&session.account, row.get(), partition == ListPartition::Deleted)?;
    let key = Key { created_at: campaign.created_at, id: Id::of_campaign(&campaign.remote_id)? };
    Ok((key, campaign))
}

async fn rows(
    session: &Session,
    partition: ListPartition,
    only: Option<Id>,
    number: usize,
    size: usize,
) -> Result<(Vec<Box<RawValue>>, usize), Error> {
    let request = api::campaigns(&session.account.id, partition, only, number, size)?;
    let answer = Client::of(&API, session).read(request).await?;
    api::read_campaigns(&answer, number, size)
}
