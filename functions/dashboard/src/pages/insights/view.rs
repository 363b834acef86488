//! What the address of the page chooses: the days, the tab, and the page of the table.

use crate::addresses::{INSIGHTS, INSIGHTS_CSV};
use crate::insights::Range;
use jiff::Timestamp;
use shared::envelope::query::value;

/// The rows of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    Platform,
    Account,
    Campaign,
}

/// The choices in the address of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) range: Range,
    pub(super) by: By,
    /// From 1.
    pub(super) page: usize,
    /// The page waits for every ad account.
    pub(super) is_patient: bool,
    /// The person asks for newer numbers.
    pub(super) is_again: bool,
}

/// A link among others of which one is in force.
pub(super) struct Link {
    pub(super) text: String,
    pub(super) path: String,
    pub(super) is_current: bool,
}

impl By {
    const ALL: [By; 3] = [By::Platform, By::Account, By::Campaign];

    /// The name in the address.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            By::Platform => "platform",
            By::Account => "account",
            By::Campaign => "campaign",
        }
    }

    /// The title of the tab, and of the first column.
    pub(super) fn title(self) -> &'static str {
        match self {
            By::Platform => "Platform",
            By::Account => "Account",
            By::Campaign => "Campaign",
        }
    }
}

impl View {
    /// Reads the query of the page. What it does not know is the default.
    pub(super) fn read(query: &[(String, String)], now: Timestamp) -> View {
        let given = |name| value(query, name).unwrap_or_default();
        View {
            range: Range::read(query, now),
            by: By::ALL.into_iter().find(|by| by.as_str() == given("by")).unwrap_or(By::Platform),
            page: given("page").parse().unwrap_or(1).max(1),
            is_patient: given("wait") == "all",
            is_again: given("again") == "yes",
        }
    }

    /// The address of the first page of the table.
    pub(super) fn path(&self) -> String {
        self.at(INSIGHTS)
    }

    /// The address of another page of the table.
    pub(super) fn page_path(&self, page: usize) -> String {
        if page > 1 { format!("{}&page={page}", self.path()) } else { self.path() }
    }

    /// The same page, which waits for every ad account.
    pub(super) fn patient_path(&self) -> String {
        format!("{}&wait=all", self.page_path(self.page))
    }

    /// The same page with newer numbers.
    pub(super) fn again_path(&self) -> String {
        format!("{}&again=yes", self.page_path(self.page))
    }

    /// The table as a file.
    pub(super) fn csv_path(&self) -> String {
        self.at(INSIGHTS_CSV)
    }

    /// The tabs.
    pub(super) fn tabs(&self) -> Vec<Link> {
        let link =
            |by: By| Link { text: by.title().to_owned(), path: View { by, ..*self }.path(), is_current: by == self.by };
        By::ALL.map(link).into()
    }

    /// The choices of the days.
    pub(super) fn periods(&self) -> Vec<Link> {
        let by = self.by.as_str();
        let choices = self.range.choices().into_iter();
        let link = choices.map(|choice| Link {
            path: format!("{INSIGHTS}?days={}&by={by}", choice.value),
            text: choice.text,
            is_current: choice.is_chosen,
        });
        link.collect()
    }

    fn at(&self, page: &str) -> String {
        format!("{page}?{}&by={}", self.range.query(), self.by.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    fn read(query: &str) -> View {
        View::read(&pairs(Some(query)), "2026-11-23T09:00:00Z".parse().unwrap())
    }

    #[test]
    fn links_keep_the_days_and_the_tab() {
        let view = read("days=30&by=campaign&page=2&wait=all");
        assert_eq!(view.path(), "/dashboard/insights?days=30&by=campaign");
        assert_eq!(view.page_path(3), "/dashboard/insights?days=30&by=campaign&page=3");
        assert_eq!(view.again_path(), "/dashboard/insights?days=30&by=campaign&page=2&again=yes");
        assert_eq!(view.csv_path(), "/dashboard/insights/csv?days=30&by=campaign");
        let own = read("from=2026-11-01&to=2026-11-22&by=account");
        assert_eq!(own.patient_path(), "/dashboard/insights?from=2026-11-01&to=2026-11-22&by=account&wait=all");
    }

    #[test]
    fn the_tab_and_the_days_in_force_are_marked() {
        let current = |links: Vec<Link>| -> Vec<String> {
            links.into_iter().filter(|link| link.is_current).map(|link| link.text).collect()
        };
        let view = read("days=this-month&by=account");
        assert_eq!(
            (current(view.tabs()), current(view.periods())),
            (vec!["Account".to_owned()], vec!["This month".to_owned()])
        );
        assert_eq!(view.tabs()[2].path, "/dashboard/insights?days=this-month&by=campaign");
        assert_eq!(view.periods()[0].path, "/dashboard/insights?days=7&by=account");
        assert!(current(read("from=2026-11-01&to=2026-11-22").periods()).is_empty());
    }

    #[test]
    fn what_is_not_known_is_the_default() {
        let view = read("by=%3Cb%3E&page=-1&days=x&wait=1&again=1");
        assert_eq!((view.by, view.page, view.is_patient, view.is_again), (By::Platform, 1, false, false));
        assert_eq!((read("page=0").page, read("page=99999999999999999999999").page), (1, 1));
    }
}
