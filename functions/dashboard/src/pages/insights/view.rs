//! What the address of the page chooses: the days, the currency, the tab, and the order and the page of the table.

use super::order::Order;
use crate::client::readings::Wanted;
use crate::kit::addresses::{INSIGHTS, INSIGHTS_CSV, OF_USER};
use crate::kit::link::Link;
use crate::kit::range::Range;
use crate::kit::text::path_segment;
use jiff::Timestamp;
use shared::domain::{Currency, ExternalRef};
use shared::envelope::query::value;

/// What a row of the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableKind {
    Platform,
    Account,
    Campaign,
}

/// The choices in the address of the page.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) range: Range,
    pub(super) by: TableKind,
    /// The only currency; `None` for all.
    pub(super) currency: Option<Currency>,
    /// The only user; `None` for all.
    pub(super) user: Option<ExternalRef>,
    pub(super) order: Order,
    /// From 1.
    pub(super) page: usize,
    /// The page waits for every ad account.
    pub(super) is_patient: bool,
    /// The person asks for newer numbers.
    pub(super) is_again: bool,
}

impl TableKind {
    const ALL: [TableKind; 3] = [TableKind::Platform, TableKind::Account, TableKind::Campaign];

    /// The name in the address.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            TableKind::Platform => "platform",
            TableKind::Account => "account",
            TableKind::Campaign => "campaign",
        }
    }

    /// The title of the tab, and of the first column.
    pub(super) fn title(self) -> &'static str {
        match self {
            TableKind::Platform => "Platform",
            TableKind::Account => "Account",
            TableKind::Campaign => "Campaign",
        }
    }
}

impl View {
    /// Reads the query of the page. What it does not know is the default.
    pub(super) fn read(query: &[(String, String)], now: Timestamp) -> View {
        let given = |name| value(query, name).unwrap_or_default();
        View {
            range: Range::read(query, now),
            by: TableKind::ALL.into_iter().find(|by| by.as_str() == given("by")).unwrap_or(TableKind::Platform),
            currency: Currency::from_code(given("currency")),
            user: ExternalRef::parse(given(OF_USER).trim()),
            order: Order::parse(given("sort")).unwrap_or_default(),
            page: given("page").parse().unwrap_or(1).max(1),
            is_patient: given("wait") == "all",
            is_again: given("again") == "yes",
        }
    }

    /// What the page asks the platforms for.
    pub(super) fn wanted(&self) -> Wanted {
        let (range, user, is_again) = (self.range, self.user.clone(), self.is_again);
        Wanted { range, user, with_names: self.by == TableKind::Campaign, with_before: true, is_again }
    }

    /// The address of the first page of the table.
    pub(super) fn path(&self) -> String {
        self.at(INSIGHTS)
    }

    /// The same of all users.
    pub(super) fn of_all_users(&self) -> String {
        View { user: None, ..self.clone() }.path()
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
        let link = |by: TableKind| Link {
            text: by.title().to_owned(),
            path: View { by, ..self.clone() }.path(),
            is_current: by == self.by,
        };
        TableKind::ALL.map(link).into()
    }

    /// The table in another order, from its first page on.
    pub(super) fn in_order(&self, order: Order) -> View {
        View { order, page: 1, ..self.clone() }
    }

    /// The same in one currency alone, from the first page of the table on.
    pub(super) fn in_currency(&self, currency: Currency) -> View {
        View { currency: Some(currency), page: 1, ..self.clone() }
    }

    /// The choices of the currency; none if there is one alone.
    pub(super) fn currencies(&self, used: &[Currency]) -> Vec<Link> {
        let mut codes: Vec<&str> = used.iter().map(|currency| currency.code()).collect();
        codes.extend(self.currency.map(Currency::code).filter(|code| !codes.contains(code)));
        codes.sort_unstable();
        if codes.len() < 2 && self.currency.is_none() {
            return Vec::new();
        }
        let link = |currency: Option<Currency>| Link {
            text: currency.map_or("All currencies", Currency::code).to_owned(),
            path: View { currency, ..self.clone() }.path(),
            is_current: currency == self.currency,
        };
        [None].into_iter().chain(codes.into_iter().map(Currency::from_code).filter(Option::is_some)).map(link).collect()
    }

    /// The hidden fields of the form that chooses the days: their names and values.
    pub(super) fn hidden_fields(&self) -> Vec<(&'static str, String)> {
        let by = ("by", self.by.as_str().to_owned());
        let currency = self.currency.map(|currency| ("currency", currency.code().to_owned()));
        let order = (self.order != Order::default()).then(|| ("sort", self.order.to_string()));
        let user = self.user.as_ref().map(|user| (OF_USER, user.to_string()));
        [by].into_iter().chain(currency).chain(user).chain(order).collect()
    }

    /// The choices of the days.
    pub(super) fn periods(&self) -> Vec<Link> {
        let kept = self.query();
        let choices = self.range.choices().into_iter();
        let link = choices.map(|choice| Link {
            path: format!("{INSIGHTS}?days={}&{kept}", choice.value),
            text: choice.text,
            is_current: choice.is_chosen,
        });
        link.collect()
    }

    fn at(&self, page: &str) -> String {
        format!("{page}?{}&{}", self.range.query(), self.query())
    }

    /// The choices but the days, as a part of the address.
    fn query(&self) -> String {
        let parts: Vec<String> =
            self.hidden_fields().into_iter().map(|(name, value)| format!("{name}={}", path_segment(&value))).collect();
        parts.join("&")
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
        let chosen = read("days=30&by=campaign&currency=JPY&sort=-clicks&page=2");
        let path = "/dashboard/insights?days=30&by=campaign&currency=JPY&sort=-clicks";
        assert_eq!((chosen.path().as_str(), chosen.page_path(2)), (path, format!("{path}&page=2")));
        assert_eq!(chosen.csv_path(), "/dashboard/insights/csv?days=30&by=campaign&currency=JPY&sort=-clicks");
        assert_eq!(chosen.tabs()[0].path, "/dashboard/insights?days=30&by=platform&currency=JPY&sort=-clicks");
        assert_eq!(chosen.periods()[1].path, "/dashboard/insights?days=7&by=campaign&currency=JPY&sort=-clicks");
        assert_eq!(read("currency=%3Cb%3E&sort=oldest").path(), read("").path());
        let of_user = read("days=30&external_ref=shop%3A42&sort=-clicks");
        let path = "/dashboard/insights?days=30&by=platform&external_ref=shop%3A42&sort=-clicks";
        assert_eq!((of_user.path().as_str(), of_user.tabs()[0].path.as_str()), (path, path));
        assert_eq!(of_user.of_all_users(), "/dashboard/insights?days=30&by=platform&sort=-clicks");
    }

    #[test]
    fn a_currency_is_a_choice_where_there_are_several() {
        let links = |query: &str, used: &[&str]| -> Vec<(String, bool)> {
            let used: Vec<Currency> = used.iter().filter_map(|code| Currency::from_code(code)).collect();
            read(query).currencies(&used).into_iter().map(|link| (link.text, link.is_current)).collect()
        };
        let link = |text: &str, is_current| (text.to_owned(), is_current);
        assert_eq!(links("", &["USD"]), []);
        assert_eq!(links("", &["USD", "JPY"]), [link("All currencies", true), link("JPY", false), link("USD", false)]);
        assert_eq!(
            links("currency=EUR", &["USD"]),
            [link("All currencies", false), link("EUR", true), link("USD", false)]
        );
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
        assert_eq!(view.periods()[1].path, "/dashboard/insights?days=7&by=account");
        assert!(current(read("from=2026-11-01&to=2026-11-22").periods()).is_empty());
    }

    #[test]
    fn what_is_not_known_is_the_default() {
        let view = read("by=%3Cb%3E&page=-1&days=x&wait=1&again=1");
        assert_eq!((view.by, view.page, view.is_patient, view.is_again), (TableKind::Platform, 1, false, false));
        assert_eq!((read("page=0").page, read("page=99999999999999999999999").page), (1, 1));
    }
}
