//! Reading as much of a partition as one page of ours needs.
//!
//! The platform pages by number in an order that is nearly by `create_time`. A row is known to come next only once the
//! reading is so far down that no row behind it can be newer: [`SKEW`] below it. In the same way a page may be begun
//! with only if everything before it is newer than the position.

use super::page::{LARGEST_PAGE, ListPartition, Row, SKEW, read_page};
use super::position::{Key, Position};
use crate::domain::{Campaign, CampaignStatus};
use crate::error::Error;
use crate::platforms::{ListRequest, Session};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Most calls of the thorough reading. More than one is needed only where few campaigns have the states that were asked
/// for, or where more than [`LARGEST_PAGE`] were made within [`SKEW`].
pub(super) const MAX_CALLS: usize = 30;

/// The part of a partition that was read.
#[derive(Default)]
pub(super) struct Scan {
    /// The campaigns below the position that were asked for, with the place of each row.
    pub(super) found: BTreeMap<Key, (usize, Campaign)>,
    /// Whether a row is without its time. Such rows come last, wherever the platform has them.
    pub(super) has_undated: bool,
    /// Whether everything below the position was read.
    pub(super) is_whole: bool,
    /// The oldest row so far.
    oldest: Option<Timestamp>,
}

impl Scan {
    /// Whether nothing that was not read can come before a campaign.
    pub(super) fn is_settled(&self, key: &Key) -> bool {
        let is_above = |(made, oldest): (Timestamp, Timestamp)| made.duration_since(oldest) > SKEW;
        self.is_whole || key.made.zip(self.oldest).is_some_and(is_above)
    }

    fn has(&self, wanted: usize) -> bool {
        self.is_whole || self.found.keys().rev().take(wanted).filter(|key| self.is_settled(key)).count() >= wanted
    }

    fn add(&mut self, row: Row, place: usize, request: &ListRequest, below: Option<Key>) {
        let Row { key, campaign } = row;
        self.has_undated |= key.made.is_none();
        self.oldest = [self.oldest, key.made].into_iter().flatten().min();
        if below.is_none_or(|below| key < below) && request.statuses.contains(campaign.status) {
            self.found.insert(key, (place, campaign));
        }
    }
}

/// Reads a partition below a position until one campaign more than the limit is settled, or until nothing is left.
/// First one small page where that is likely to do, then the largest ones.
pub(super) async fn scan(
    session: &Session,
    request: &ListRequest,
    partition: ListPartition,
    after: Option<Position>,
) -> Result<Scan, Error> {
    let reader = Reader { session, request, partition, after, wanted: request.limit.saturating_add(1) };
    let place = after.map_or(0, |position| position.place);
    if let Some((number, size)) = small_page(request, partition, after.map(|_| place)) {
        let scan = reader.read(number, size, 1).await?;
        if scan.has(reader.wanted) {
            return Ok(scan);
        }
    }
    reader.read(place / LARGEST_PAGE + 1, LARGEST_PAGE, MAX_CALLS).await
}

struct Reader<'a> {
    session: &'a Session,
    request: &'a ListRequest,
    partition: ListPartition,
    after: Option<Position>,
    wanted: usize,
}

impl Reader<'_> {
    /// Reads from a page on, at most so many pages.
    async fn read(&self, mut number: usize, size: usize, calls: usize) -> Result<Scan, Error> {
        let (mut scan, mut is_begun) = (Scan::default(), number == 1);
        for _ in 0..calls {
            let (rows, pages) = read_page(self.session, self.partition, number, size).await?;
            is_begun = is_begun || number == 1 || self.is_below(&rows);
            // Rows have moved up since: what comes after the position may begin on an earlier page.
            if !is_begun {
                number = (number - 1).min(pages.max(1));
                continue;
            }
            scan.is_whole = rows.is_empty() || number >= pages;
            for (index, row) in rows.into_iter().enumerate() {
                let Some(row) = row else { continue };
                scan.add(row, (number - 1) * size + index, self.request, self.after.map(|after| after.key));
            }
            if scan.has(self.wanted) {
                break;
            }
            number += 1;
        }
        Ok(scan)
    }

    /// Whether all rows before a page are newer than the position, so that none of them is still to come.
    fn is_below(&self, rows: &[Option<Row>]) -> bool {
        let Some(position) = self.after.and_then(|after| after.key.made) else { return false };
        rows.iter().flatten().filter_map(|row| row.key.made).any(|made| made.duration_since(position) > SKEW)
    }
}

/// Number and size of a page that is likely to hold what one page of ours needs, and as many rows before it; `None`
/// where most rows may have to be passed over. The size is free, so that it is chosen for the place to be on one page.
fn small_page(request: &ListRequest, partition: ListPartition, place: Option<usize>) -> Option<(usize, usize)> {
    let has = |status| request.statuses.contains(status);
    let is_narrow = partition == ListPartition::Kept && !(has(CampaignStatus::Active) && has(CampaignStatus::Paused));
    let is_mixed = has(CampaignStatus::Archived) && ListPartition::Kept.is_asked_for(request);
    if is_narrow || is_mixed {
        return None;
    }
    let part = request.limit.saturating_add(1);
    let begin = place.map_or(0, |place| place.saturating_sub(part));
    let end = place.map_or(0, |place| place.saturating_add(1)).saturating_add(part.saturating_mul(2));
    let width = end - begin;
    let size = (width..=LARGEST_PAGE).find(|size| begin % size + width <= *size)?;
    Some((begin / size + 1, size))
}
