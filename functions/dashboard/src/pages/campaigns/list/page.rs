//! Which rows the list shows, and its pages.

use super::super::filter::Filter;
use crate::layout::grouped;
use crate::pages::campaigns::Campaign;
use jiff::Timestamp;
use std::ops::Range;

/// Campaigns on a page.
pub(super) const PAGE_SIZE: usize = 50;

/// The pages of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pager {
    /// The page that is shown, from 1 on. It exists, whatever the address says.
    pub(super) page: usize,
    /// The rows of all pages.
    pub(super) total: usize,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
}

impl Pager {
    /// The page of a filter in a list of so many rows.
    pub(super) fn new(total: usize, filter: &Filter) -> Pager {
        let pages = total.div_ceil(PAGE_SIZE).max(1);
        let page = filter.page.min(pages);
        Pager {
            page,
            total,
            previous: (page > 1).then(|| filter.at(page - 1).path()),
            next: (page < pages).then(|| filter.at(page + 1).path()),
        }
    }

    /// The rows of the page.
    pub(super) fn range(&self) -> Range<usize> {
        let start = (self.page - 1) * PAGE_SIZE;
        start..(start + PAGE_SIZE).min(self.total)
    }

    /// The rows of the page for people: `51–60 of 60`.
    pub(super) fn words(&self) -> String {
        let number = |number: usize| grouped(u64::try_from(number).unwrap_or(u64::MAX));
        let Range { start, end } = self.range();
        match self.total {
            0 => "no campaigns".to_owned(),
            total => format!("{}–{} of {}", number(start + 1), number(end), number(total)),
        }
    }
}

/// Whether a campaign of a connection is in the list of a filter. The API has chosen removed ones by their status.
pub(in super::super) fn fits(campaign: &Campaign, connection: &str, filter: &Filter, now: Timestamp) -> bool {
    let Filter { search, platform, status, account, currency, order: _, page: _ } = filter;
    let is_found = |text: &String| campaign.name.to_lowercase().contains(&text.to_lowercase());
    // A campaign past its end is not active, although the platform may call it so.
    let has_status = |status: &String| campaign.status == *status && (status != "ACTIVE" || campaign.is_active(now));
    search.as_ref().is_none_or(is_found)
        && platform.as_ref().is_none_or(|platform| campaign.platform == *platform)
        && status.as_ref().is_none_or(has_status)
        && account.as_ref().is_none_or(|account| connection == account)
        && currency.as_ref().is_none_or(|currency| campaign.currency == *currency)
}
