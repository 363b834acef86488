//! The filter, the order and the page of the list. They stand in its address.

use super::list::{Order, PAGE_SIZES};
use crate::client::overview::Row;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::choice::{Choice, choices};
use shared::domain::Platform;
use shared::envelope::query::{pairs, value};
use std::collections::BTreeSet;
use url::form_urlencoded::Serializer;

/// The statuses of the filter: the value, and what it says.
const STATUSES: &[(&str, &str)] = &[
    ("", "All except deleted"),
    ("ACTIVE", "Active"),
    ("PAUSED", "Paused"),
    ("DRAFT", "Draft"),
    ("ARCHIVED", "Deleted"),
    ("SCHEDULED_FOR_DELETION", "Being deleted"),
];
/// The statuses of removed campaigns.
const REMOVED: [&str; 2] = ["ARCHIVED", "SCHEDULED_FOR_DELETION"];

/// What the list shows, and in which order.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// A part of the name.
    pub(super) search: Option<String>,
    /// The platform's name in the enveloped shape.
    pub(super) platform: Option<String>,
    pub(super) status: Option<String>,
    /// The id of a connection.
    pub(super) account: Option<String>,
    pub(super) currency: Option<String>,
    pub(super) order: Order,
    /// The page, from 1 on.
    pub(super) page: usize,
    /// Campaigns on a page.
    pub(super) page_size: usize,
}

/// A part of the filter in force, which a click removes.
pub(super) struct Chip {
    pub(super) text: String,
    /// The list without it.
    pub(super) path: String,
}

impl Filter {
    /// The filter of a query string. Other parameters are ignored, and empty ones are no filter.
    pub(super) fn of(query: &[(String, String)]) -> Filter {
        let given = |name| value(query, name).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        let number = |name| given(name).and_then(|number| number.parse().ok());
        Filter {
            search: given("q"),
            platform: given("platform"),
            status: given("status"),
            account: given("account"),
            currency: given("currency"),
            order: given("sort").and_then(|sort| Order::parse(&sort)).unwrap_or_default(),
            page: number("page").unwrap_or(1).max(1),
            page_size: number("rows").filter(|size| PAGE_SIZES.contains(size)).unwrap_or(PAGE_SIZES[0]),
        }
    }

    /// The filter that a form carries in its field `list`.
    pub(super) fn of_form(form: &[(String, String)]) -> Filter {
        Filter::of(&pairs(value(form, "list")))
    }

    /// The address of the page.
    pub(super) fn path(&self) -> String {
        match self.list() {
            query if query.is_empty() => CAMPAIGNS.to_owned(),
            query => format!("{CAMPAIGNS}?{query}"),
        }
    }

    /// The query string of the page; empty for the first page without filters.
    pub(super) fn list(&self) -> String {
        let order = (self.order != Order::default()).then(|| self.order.to_string());
        let page = (self.page > 1).then(|| self.page.to_string());
        let mut query = Serializer::new(String::new());
        for (name, value) in [
            ("q", &self.search),
            ("platform", &self.platform),
            ("status", &self.status),
            ("account", &self.account),
            ("currency", &self.currency),
            ("sort", &order),
            ("rows", &self.other_page_size()),
            ("page", &page),
        ] {
            query.extend_pairs(value.iter().map(|value| (name, value)));
        }
        query.finish()
    }

    /// Another page of the list.
    pub(super) fn at(&self, page: usize) -> Filter {
        Filter { page, ..self.clone() }
    }

    /// The number of rows in the address; `None` for the usual one.
    pub(super) fn other_page_size(&self) -> Option<String> {
        (self.page_size != PAGE_SIZES[0]).then(|| self.page_size.to_string())
    }

    /// The list in pages of another size, from its first page on.
    pub(super) fn in_pages_of(&self, page_size: usize) -> Filter {
        Filter { page: 1, page_size, ..self.clone() }
    }

    /// The list in another order, from its first page on.
    pub(super) fn in_order(&self, order: Order) -> Filter {
        Filter { order, page: 1, ..self.clone() }
    }

    /// Whether the list is of removed campaigns.
    pub(super) fn is_of_removed(&self) -> bool {
        self.status.as_deref().is_some_and(|status| REMOVED.contains(&status))
    }

    /// The request to the API for its campaigns, from the first one on. The API knows no search and no ad account.
    pub(super) fn api_target(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(self.status.iter().map(|status| ("status", status)));
        query.append_pair("limit", "100");
        query.extend_pairs(self.platform.iter().map(|platform| ("platform", platform)));
        format!("/v1/campaigns?{}", query.finish())
    }

    /// The parts of the filter in force. `account` is the name of the account.
    pub(super) fn chips(&self, account: Option<&str>) -> Vec<Chip> {
        let first = Filter { page: 1, ..self.clone() };
        let status = |status: &String| {
            let known = STATUSES.iter().find(|(value, _)| value == status);
            known.map_or_else(|| status.clone(), |(_, text)| (*text).to_owned())
        };
        let platform = |platform: &String| {
            Platform::from_upper(platform).map_or_else(|| platform.clone(), |known| known.display_name().to_owned())
        };
        let chips = [
            (self.search.as_ref().map(|text| format!("“{text}”")), Filter { search: None, ..first.clone() }),
            (self.platform.as_ref().map(platform), Filter { platform: None, ..first.clone() }),
            (self.status.as_ref().map(status), Filter { status: None, ..first.clone() }),
            (
                self.account.as_ref().map(|id| account.unwrap_or(id).to_owned()),
                Filter { account: None, ..first.clone() },
            ),
            (self.currency.clone(), Filter { currency: None, ..first }),
        ];
        let chip = |(text, without): (Option<String>, Filter)| Some(Chip { text: text?, path: without.path() });
        chips.into_iter().filter_map(chip).collect()
    }

    /// The choices of the platform.
    pub(super) fn platforms(&self) -> Vec<Choice> {
        let each = Platform::ALL.map(|platform| (platform.as_upper(), platform.display_name()));
        let known: Vec<_> = [("", "All platforms")].into_iter().chain(each).collect();
        choices(&known, self.platform.as_deref().unwrap_or_default())
    }

    /// The choices of the status.
    pub(super) fn statuses(&self) -> Vec<Choice> {
        choices(STATUSES, self.status.as_deref().unwrap_or_default())
    }

    /// The choices of the currency; none if campaigns have one alone.
    pub(super) fn currencies(&self, rows: &[Row]) -> Vec<Choice> {
        let chosen = self.currency.as_deref().unwrap_or_default();
        let used = rows.iter().map(|row| row.campaign.currency.as_str());
        let used: BTreeSet<&str> = used.chain([chosen]).filter(|code| !code.is_empty()).collect();
        if used.len() < 2 && chosen.is_empty() {
            return Vec::new();
        }
        let known: Vec<_> =
            [("", "All currencies")].into_iter().chain(used.into_iter().map(|code| (code, code))).collect();
        choices(&known, chosen)
    }

    /// The choices of the ad account, from ids of connections and names.
    pub(super) fn accounts<'a>(&self, accounts: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Choice> {
        let known: Vec<_> = [("", "All ad accounts")].into_iter().chain(accounts).collect();
        choices(&known, self.account.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(query: &str) -> Filter {
        Filter::of(&pairs(Some(query)))
    }

    #[test]
    fn an_empty_or_unknown_value_is_no_filter() {
        assert_eq!(filter("q=+&platform=&status=&sort=oldest&rows=1000&page=0").path(), "/dashboard/campaigns");
        assert!(filter("platform=&sort=name&page=2").chips(None).is_empty());
    }

    #[test]
    fn every_part_stays_in_the_address() {
        let all = "q=a%26b&platform=BETA&status=PAUSED&account=conn_1&currency=JPY&sort=name&rows=50&page=3";
        assert_eq!(filter(all).list(), all);
        assert_eq!(filter(all).at(1).list(), all.replace("&page=3", ""));
        assert_eq!(filter("rows=50&page=3").in_pages_of(25).path(), "/dashboard/campaigns");
        let other = filter(all).in_order(Order::parse("-clicks").unwrap());
        assert_eq!(other.list(), all.replace("sort=name", "sort=-clicks").replace("&page=3", ""));
    }

    #[test]
    fn a_form_leads_to_no_other_page() {
        let form = [("list".to_owned(), "status=PAUSED&to=//example.com/".to_owned())];
        assert_eq!(Filter::of_form(&form).path(), "/dashboard/campaigns?status=PAUSED");
        assert_eq!(Filter::of_form(&[("list".to_owned(), "//example.com/".to_owned())]).path(), "/dashboard/campaigns");
    }

    #[test]
    fn a_click_on_a_chip_removes_its_part() {
        let chips = filter("q=spring&platform=BETA&account=conn_1&currency=JPY&page=2").chips(Some("Meta: Harbour"));
        let shown: Vec<_> = chips.iter().map(|chip| (chip.text.as_str(), chip.path.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("“spring”", "/dashboard/campaigns?platform=BETA&account=conn_1&currency=JPY"),
                ("Meta", "/dashboard/campaigns?q=spring&account=conn_1&currency=JPY"),
                ("Meta: Harbour", "/dashboard/campaigns?q=spring&platform=BETA&currency=JPY"),
                ("JPY", "/dashboard/campaigns?q=spring&platform=BETA&account=conn_1"),
            ]
        );
    }

    #[test]
    fn the_chosen_filter_is_selected() {
        let chosen = |choices: Vec<Choice>| -> Vec<String> {
            choices.into_iter().filter(|choice| choice.is_chosen).map(|choice| choice.value).collect()
        };
        assert_eq!(chosen(filter("platform=ZETA").platforms()), ["ZETA"]);
        assert_eq!(chosen(filter("").statuses()), [""]);
        assert_eq!(chosen(filter("account=b").accounts([("a", "A"), ("b", "B")].into_iter())), ["b"]);
    }
}
