//! The pages of the list.

use crate::kit::text::grouped;
use crate::pages::campaigns::filter::{Filter, PAGE_SIZES};
use std::ops::Range;

/// The pages of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pager {
    /// The page that is shown, from 1 on. It exists, whatever the address says.
    pub(super) page: usize,
    /// The rows of a page.
    size: usize,
    /// The rows of all pages.
    pub(super) total: usize,
    pub(super) previous: Option<String>,
    pub(super) next: Option<String>,
    /// The other number of rows, with the list in pages of it; `None` if one page of the smaller has all.
    pub(super) other_size: Option<(usize, String)>,
}

impl Pager {
    /// The page of a filter in a list of so many rows.
    pub(super) fn new(total: usize, filter: &Filter) -> Pager {
        let size = filter.page_size;
        let pages = total.div_ceil(size).max(1);
        let page = filter.page.min(pages);
        let [smallest, _] = PAGE_SIZES;
        let other = PAGE_SIZES.into_iter().find(|other| *other != size);
        Pager {
            page,
            size,
            total,
            previous: (page > 1).then(|| filter.at(page - 1).path()),
            next: (page < pages).then(|| filter.at(page + 1).path()),
            other_size: match other {
                Some(size) if total > smallest => Some((size, filter.in_pages_of(size).path())),
                _ => None,
            },
        }
    }

    /// The rows of the page.
    pub(super) fn range(&self) -> Range<usize> {
        let start = (self.page - 1) * self.size;
        start..(start + self.size).min(self.total)
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
