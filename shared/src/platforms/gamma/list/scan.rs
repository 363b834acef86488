//! Reads as much of a partition as one page of ours needs.
//!
//! The platform pages by number in an order that is nearly that of `create_time`. The place of a row is certain once a
//! row older by [`SKEW`] was read, because no later row can then be newer. For the same reason, a scan may start at a
//! page only if everything before that page is newer than the position.

use super::position::{Key, Position};
use super::{Row, read_page};
use crate::platforms::gamma::api::{LARGEST_PAGE, ListPartition, PageRequest, SKEW};
use crate::platforms::prelude::*;
use std::collections::BTreeMap;

/// Maximum number of calls in a scan with the largest pages. It needs more than one only if few campaigns have a
/// requested status, or if more than [`LARGEST_PAGE`] were created within [`SKEW`].
pub(super) const MAX_CALLS: usize = 30;

/// The part of a partition that was read.
#[derive(Default)]
pub(super) struct Scan {
    /// The campaigns after the position in a requested status, with the index of each row.
    pub(super) found: BTreeMap<Key, (usize, PlatformCampaign)>,
    /// Whether a row has no creation time. Such rows come last here but anywhere at the platform.
    pub(super) has_undated: bool,
    /// Whether everything after the position was read.
    pub(super) is_whole: bool,
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

/// Reads one partition after a position.
pub(super) struct Reader<'a> {
    pub(super) session: &'a AccountSession,
    pub(super) request: &'a ListRequest,
    pub(super) partition: ListPartition,
    pub(super) after: Option<Position>,
}

impl Reader<'_> {
    /// Reads until the places of one campaign more than the limit are certain, or to the end. It tries one small page
    /// first if that is likely to suffice, then the largest pages.
    pub(super) async fn scan(self) -> Result<Scan, Error> {
        if let Some((number, size)) = self.small_page() {
            let scan = self.read(number, size, 1).await?;
            if scan.has(self.wanted()) {
                return Ok(scan);
            }
        }
        let place = self.after.map_or(0, |position| position.place);
        self.read(place / LARGEST_PAGE + 1, LARGEST_PAGE, MAX_CALLS).await
    }

    /// One more than the limit shows whether there is a next page.
    fn wanted(&self) -> usize {
        self.request.limit.saturating_add(1)
    }

    /// Number and size of a page that is likely to hold one page of ours and as many rows before it; `None` if the
    /// statuses may exclude most rows. The platform allows any size, so one is chosen that fits all of them.
    fn small_page(&self) -> Option<(usize, usize)> {
        let statuses = self.request.statuses;
        let has = |status| statuses.contains(status);
        let has_all = has(CampaignStatus::Active) && has(CampaignStatus::Paused);
        let is_narrow = self.partition == ListPartition::Existing && !has_all;
        let is_mixed = has(CampaignStatus::Archived) && ListPartition::Existing.may_hold(statuses);
        if is_narrow || is_mixed {
            return None;
        }
        let wanted = self.wanted();
        let seen = self.after.map_or(0, |after| after.place.saturating_add(1));
        let begin = seen.saturating_sub(wanted.saturating_add(1));
        let end = seen.saturating_add(wanted.saturating_mul(2));
        let width = end - begin;
        let size = (width..=LARGEST_PAGE).find(|size| begin % size + width <= *size)?;
        Some((begin / size + 1, size))
    }

    /// Reads at most `calls` pages, starting with page `number`.
    async fn read(&self, mut number: usize, size: usize, calls: usize) -> Result<Scan, Error> {
        let mut scan = Scan::default();
        let mut is_begun = number == 1;
        for _ in 0..calls {
            let page = PageRequest { partition: self.partition, only: None, number, size };
            let (rows, pages) = read_page(self.session, page).await?;
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
            if scan.has(self.wanted()) {
                break;
            }
            number += 1;
        }
        Ok(scan)
    }

    /// Whether all rows before a page are newer than the position and can be skipped.
    fn is_below(&self, rows: &[Option<Row>]) -> bool {
        let Some(position) = self.after.and_then(|after| after.key.created_at) else { return false };
        let mut created = rows.iter().flatten().filter_map(|(key, _)| key.created_at);
        created.any(|created_at| created_at.duration_since(position) > SKEW)
    }
}
