//! Reads as much of a partition as one page of ours needs.
//!
//! The platform pages by number in an order that is nearly that of `create_time`. The place of a row is certain once a
//! row older by [`SKEW`] was read, because no later row can then be newer. For the same reason, a scan may start at a
//! page only if everything before that page is newer than the position.

use super::page::{Row, read_page};
use super::position::{Key, Position};
use crate::platforms::gamma::api::{LARGEST_PAGE, ListPartition, SKEW};
use crate::platforms::prelude::*;
use std::collections::BTreeMap;

/// Maximum number of calls in a scan with the largest pages. It needs more than one only if few campaigns have a
/// requested status, or if more than [`LARGEST_PAGE`] were created within [`SKEW`].
pub(super) const MAX_CALLS: usize = 30;

/// The part of a partition that was read.
#[derive(Default)]
pub(super) struct Scan {
    /// The campaigns after the position in a requested status, with the index of each row.
    pub(super) found: BTreeMap<Key, (usize, Campaign)>,
    /// Whether a row has no creation time. Such rows come last here but anywhere at the platform.
    pub(super) has_undated: bool,
    /// Whether everything after the position was read.
    pub(super) is_whole: bool,
    /// The oldest row so far.
    oldest: Option<Timestamp>,
}

impl Scan {
    /// Returns `true` if no unread row can precede a campaign.
    pub(super) fn is_in_order(&self, key: &Key) -> bool {
        let is_above = |(created, oldest): (Timestamp, Timestamp)| created.duration_since(oldest) > SKEW;
        self.is_whole || key.created_at.zip(self.oldest).is_some_and(is_above)
    }

    fn has(&self, wanted: usize) -> bool {
        self.is_whole || self.found.keys().rev().take(wanted).filter(|key| self.is_in_order(key)).count() >= wanted
    }

    fn add(&mut self, (key, campaign): Row, place: usize, request: &ListRequest, below: Option<Key>) {
        self.has_undated |= key.created_at.is_none();
        self.oldest = [self.oldest, key.created_at].into_iter().flatten().min();
        if below.is_none_or(|below| key < below) && request.statuses.contains(campaign.status) {
            self.found.insert(key, (place, campaign));
        }
    }
}

/// Reads a partition after a position until the places of one campaign more than the limit are certain, or to the end.
/// It tries one small page first if that is likely to suffice, then the largest pages.
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
    /// Reads at most `calls` pages, starting with page `number`.
    async fn read(&self, mut number: usize, size: usize, calls: usize) -> Result<Scan, Error> {
        let (mut scan, mut is_begun) = (Scan::default(), number == 1);
        for _ in 0..calls {
            let (rows, pages) = read_page(self.session, self.partition, number, size).await?;
            is_begun = is_begun || number == 1 || self.is_below(&rows);
            // Rows have moved up, so the campaigns after the position may start on an earlier page.
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

    /// Whether all rows before a page are newer than the position and can be skipped.
    fn is_below(&self, rows: &[Option<Row>]) -> bool {
        let Some(position) = self.after.and_then(|after| after.key.created_at) else { return false };
        rows.iter()
            .flatten()
            .filter_map(|(key, _)| key.created_at)
            .any(|created_at| created_at.duration_since(position) > SKEW)
    }
}

/// Number and size of a page that is likely to hold one page of ours and as many rows before it; `None` if the statuses
/// may exclude most rows. The platform allows any size, so the size is chosen to fit all of them on one page.
fn small_page(request: &ListRequest, partition: ListPartition, place: Option<usize>) -> Option<(usize, usize)> {
    let has = |status| request.statuses.contains(status);
    let is_narrow =
        partition == ListPartition::Existing && !(has(CampaignStatus::Active) && has(CampaignStatus::Paused));
    let is_mixed = has(CampaignStatus::Archived) && ListPartition::Existing.may_hold(request.statuses);
    if is_narrow || is_mixed {
        return None;
    }
    let wanted = request.limit.saturating_add(1);
    let begin = place.map_or(0, |place| place.saturating_sub(wanted));
    let end = place.map_or(0, |place| place.saturating_add(1)).saturating_add(wanted.saturating_mul(2));
    let width = end - begin;
    let size = (width..=LARGEST_PAGE).find(|size| begin % size + width <= *size)?;
    Some((begin / size + 1, size))
}
