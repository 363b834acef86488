//! What the address of the page chooses: the month, the user, and how to read.

use crate::client::readings::Wanted;
use crate::kit::addresses::{MONTHS, MONTHS_CSV, OF_USER};
use crate::kit::link::Link;
use crate::kit::range::Range;
use crate::kit::text::path_segment;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use shared::domain::ExternalRef;
use shared::domain::monthly::{Month, day_in};
use shared::envelope::query::value;

/// The months before this one that can be chosen. Not every platform reports longer ago.
const EARLIER: i32 = 3;

/// The choices in the address of the page.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The month that it is in UTC.
    pub(super) current: Month,
    /// A month that is over; `None` for this one.
    pub(super) earlier: Option<Month>,
    pub(super) user: Option<ExternalRef>,
    /// The page of the campaigns with monthly budgets, from 1 on.
    pub(super) page: usize,
    /// The page waits for every ad account.
    pub(super) is_patient: bool,
    pub(super) is_again: bool,
}

impl View {
    /// Reads the query of the page. What it does not know is the default.
    pub(super) fn read(query: &[(String, String)], user: Option<ExternalRef>, now: Timestamp) -> View {
        let current = Month::of(day_in(&TimeZone::UTC, now));
        let given = value(query, "month").and_then(Month::parse);
        let earlier = given.filter(|month| earlier(current).contains(month));
        let how = value(query, "read");
        let page = value(query, "page").and_then(|page| page.parse().ok()).unwrap_or(1).max(1);
        View { current, earlier, user, page, is_patient: how == Some("all"), is_again: how == Some("now") }
    }

    /// The month of the page.
    pub(super) fn month(&self) -> Month {
        self.earlier.unwrap_or(self.current)
    }

    /// What the page asks the platforms for.
    pub(super) fn wanted(&self, now: Timestamp) -> Wanted {
        Wanted {
            range: self.earlier.map_or_else(|| Range::month_so_far(now), |month| Range::of_month(month, now)),
            user: self.user.clone(),
            with_names: false,
            with_before: false,
            is_again: self.is_again,
        }
    }

    /// The months to choose from, the latest first.
    pub(super) fn months(&self) -> Vec<Link> {
        let link = |month: Month| Link {
            text: name(month),
            path: View { earlier: (month != self.current).then_some(month), page: 1, ..self.clone() }.path(),
            is_current: month == self.month(),
        };
        [self.current].into_iter().chain(earlier(self.current)).map(link).collect()
    }

    /// The address of the page.
    pub(super) fn path(&self) -> String {
        self.at(MONTHS, None)
    }

    /// The same page of all users.
    pub(super) fn of_all_users(&self) -> String {
        View { user: None, page: 1, ..self.clone() }.path()
    }

    /// Another page of the campaigns.
    pub(super) fn at_page(&self, page: usize) -> View {
        View { page, ..self.clone() }
    }

    /// The same page, which waits for every ad account.
    pub(super) fn patient_path(&self) -> String {
        self.at(MONTHS, Some("all"))
    }

    /// The same page with newer numbers.
    pub(super) fn again_path(&self) -> String {
        self.at(MONTHS, Some("now"))
    }

    /// The tables as a file.
    pub(super) fn csv_path(&self) -> String {
        self.at_page(1).at(MONTHS_CSV, Some("all"))
    }

    /// The query string of the list of campaigns of the same user.
    pub(super) fn list(&self) -> String {
        self.user.as_ref().map(|user| format!("{OF_USER}={}", path_segment(user.as_str()))).unwrap_or_default()
    }

    fn at(&self, address: &str, read: Option<&str>) -> String {
        let month = self.earlier.map(|month| format!("month={}", month.name()));
        let user = self.user.as_ref().map(|user| format!("{OF_USER}={}", path_segment(user.as_str())));
        let read = read.map(|how| format!("read={how}"));
        let page = (self.page > 1).then(|| format!("page={}", self.page));
        let query: Vec<String> = [month, user, page, read].into_iter().flatten().collect();
        if query.is_empty() { address.to_owned() } else { format!("{address}?{}", query.join("&")) }
    }
}

/// A month for people: `November 2026`.
pub(super) fn name(month: Month) -> String {
    month.first().strftime("%B %Y").to_string()
}

/// The months before one, the latest first.
fn earlier(month: Month) -> Vec<Month> {
    (1..=EARLIER).map(|back| Month::of(month.first().saturating_sub(back.months()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    fn read(query: &str) -> View {
        View::read(&pairs(Some(query)), ExternalRef::parse("shop:42"), "2026-02-23T09:00:00Z".parse().unwrap())
    }

    #[test]
    fn three_months_before_this_one_can_be_chosen() {
        let shown = |query: &str| read(query).month().name();
        assert_eq!(
            (shown(""), shown("month=2026-01"), shown("month=2025-11")),
            ("2026-02".into(), "2026-01".into(), "2025-11".into())
        );
        for other in ["month=2025-10", "month=2026-02", "month=2026-03", "month=%3Cb%3E"] {
            assert_eq!((shown(other), read(other).earlier), ("2026-02".to_owned(), None), "{other}");
        }
        let texts: Vec<String> = read("").months().into_iter().map(|link| link.text).collect();
        assert_eq!(texts, ["February 2026", "January 2026", "December 2025", "November 2025"]);
    }

    #[test]
    fn links_keep_the_month_and_the_user() {
        let view = read("month=2026-01&read=now");
        assert_eq!(view.path(), "/dashboard/months?month=2026-01&external_ref=shop%3A42");
        assert_eq!(view.csv_path(), "/dashboard/months/csv?month=2026-01&external_ref=shop%3A42&read=all");
        assert_eq!((view.of_all_users().as_str(), view.is_again), ("/dashboard/months?month=2026-01", true));
        let second = read("page=2");
        assert_eq!(second.path(), "/dashboard/months?external_ref=shop%3A42&page=2");
        assert!(!second.csv_path().contains("page") && !second.months()[0].path.contains("page"));
        assert_eq!((read("page=0").page, read("page=x").page), (1, 1));
        let months = view.months();
        assert_eq!(months[0].path, "/dashboard/months?external_ref=shop%3A42");
        assert_eq!(
            months.iter().filter(|link| link.is_current).map(|link| link.text.as_str()).collect::<Vec<_>>(),
            ["January 2026"]
        );
    }
}
