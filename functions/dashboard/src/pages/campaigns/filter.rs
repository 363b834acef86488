//! The filter, the order and the page of the list. They stand in its address, and other pages lead back to it.

use crate::client::readings::{AccountState, CampaignRow};
use crate::kit::addresses::{CAMPAIGNS, OF_USER};
use crate::kit::order;
use jiff::Timestamp;
use shared::domain::{CampaignStatus, ExternalRef};
use shared::envelope::query::{pairs, value};
use url::form_urlencoded::Serializer;

/// Campaigns on a page, so that it is small, and what a person may choose instead.
pub(super) const PAGE_SIZES: [usize; 2] = [25, 50];
/// The value of the filter by status for active campaigns that are not shown.
pub(super) const NOT_RUNNING: &str = "NOT_RUNNING";
/// The value of the filter by status for active campaigns that have spent more than their daily budget today.
pub(super) const TOO_FAST: &str = "TOO_FAST";
/// The field of a ticked campaign, and the parameter of an address in which it is ticked.
pub(super) const IDS_FIELD: &str = "ids";
/// The parameter with the columns that the list shows.
pub(super) const COLUMNS_FIELD: &str = "cols";
/// The value of the column with the line of fourteen days. The list is not sorted by it.
pub(super) const DAYS_COLUMN: &str = "days";
/// The columns that a person may choose, by what they are about: their values in the address, in the order of the list.
pub(super) const OPTIONAL_COLUMNS: [(&str, &[&str]); 3] = [
    ("Budget and spend", &["budget", "today", "pace", "week"]),
    ("Results of 7 days", &["impressions", "clicks", "ctr", "cpc", "conversions", "cost", "roas"]),
    ("Chart", &[DAYS_COLUMN]),
];
/// The columns that the list shows if nobody has chosen.
const USUAL_COLUMNS: [&str; 8] = ["budget", "today", "pace", "week", "clicks", "cpc", "conversions", DAYS_COLUMN];

/// A column by which the list can be sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Status,
    Budget,
    Today,
    Pace,
    Week,
    Impressions,
    Clicks,
    ClickRate,
    ClickCost,
    Conversions,
    ConversionCost,
    ReturnOnSpend,
}

/// A column and a direction.
pub(super) type Order = order::Order<Column>;

impl order::Column for Column {
    const ALL: &'static [(Column, &'static str, &'static str)] = &[
        (Column::Name, "name", "Campaign"),
        (Column::Status, "status", "Status"),
        (Column::Budget, "budget", "Budget"),
        (Column::Today, "today", "Spend today"),
        (Column::Pace, "pace", "Pace"),
        (Column::Week, "week", "Spend, 7 days"),
        (Column::Impressions, "impressions", "Impressions, 7 days"),
        (Column::Clicks, "clicks", "Clicks, 7 days"),
        (Column::ClickRate, "ctr", "CTR, 7 days"),
        (Column::ClickCost, "cpc", "CPC, 7 days"),
        (Column::Conversions, "conversions", "Conversions, 7 days"),
        (Column::ConversionCost, "cost", "Cost per conversion, 7 days"),
        (Column::ReturnOnSpend, "roas", "ROAS, 7 days"),
    ];

    fn is_text(self) -> bool {
        matches!(self, Column::Name | Column::Status)
    }
}

impl Default for Order {
    /// What costs most comes first.
    fn default() -> Order {
        Order { column: Column::Week, is_descending: true }
    }
}

/// What the list shows, and in which order.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// A part of the name, or of that of the ad account.
    pub(super) search: Option<String>,
    /// The platform's name in the enveloped shape.
    pub(super) platform: Option<String>,
    pub(super) status: Option<String>,
    /// The id of a connection.
    pub(super) account: Option<String>,
    pub(super) currency: Option<String>,
    /// The user whose campaigns are read.
    pub(super) user: Option<ExternalRef>,
    pub(super) order: Order,
    /// The page, from 1 on.
    pub(super) page: usize,
    /// Campaigns on a page.
    pub(super) page_size: usize,
    /// The columns that are shown, of [`OPTIONAL_COLUMNS`]; empty for the usual ones.
    pub(super) columns: Vec<&'static str>,
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
            user: given(OF_USER).and_then(|name| ExternalRef::parse(&name)),
            order: given("sort").and_then(|sort| Order::parse(&sort)).unwrap_or_default(),
            page: number("page").unwrap_or(1).max(1),
            page_size: number("rows").filter(|size| PAGE_SIZES.contains(size)).unwrap_or(PAGE_SIZES[0]),
            columns: columns(query),
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

    /// The address of the page with these campaigns ticked. The links and forms of the page leave the ticks out.
    pub(super) fn path_with_ticks(&self, ids: &[String]) -> String {
        let mut query = Serializer::new(self.list());
        match query.extend_pairs(ids.iter().map(|id| (IDS_FIELD, id))).finish() {
            query if query.is_empty() => CAMPAIGNS.to_owned(),
            query => format!("{CAMPAIGNS}?{query}"),
        }
    }

    /// The query string of the page; empty for the first page without filters.
    pub(super) fn list(&self) -> String {
        let user = self.user.as_ref().map(ExternalRef::to_string);
        let order = (self.order != Order::default()).then(|| self.order.to_string());
        let page = (self.page > 1).then(|| self.page.to_string());
        let mut query = Serializer::new(String::new());
        for (name, value) in [
            ("q", &self.search),
            ("platform", &self.platform),
            ("status", &self.status),
            ("account", &self.account),
            ("currency", &self.currency),
            (OF_USER, &user),
            ("sort", &order),
            ("rows", &self.other_page_size()),
            (COLUMNS_FIELD, &self.other_columns()),
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

    /// The columns in the address; `None` for the usual ones.
    pub(super) fn other_columns(&self) -> Option<String> {
        (!self.columns.is_empty()).then(|| self.columns.join("."))
    }

    /// Whether a column is shown.
    pub(super) fn shows(&self, column: &str) -> bool {
        if self.columns.is_empty() { USUAL_COLUMNS.contains(&column) } else { self.columns.contains(&column) }
    }

    /// The list in pages of another size, from its first page on.
    pub(super) fn in_pages_of(&self, page_size: usize) -> Filter {
        Filter { page: 1, page_size, ..self.clone() }
    }

    /// The list in another order, from its first page on.
    pub(super) fn in_order(&self, order: Order) -> Filter {
        Filter { order, page: 1, ..self.clone() }
    }

    /// Whether it chooses among the campaigns of a user, or of all, by more than their currency.
    pub(super) fn is_narrow(&self) -> bool {
        [&self.search, &self.platform, &self.status, &self.account].into_iter().any(Option::is_some)
    }

    /// Whether it may choose campaigns of an ad account.
    pub(super) fn may_choose(&self, account: &AccountState) -> bool {
        let is_of = |platform: &String| account.platform.is_none_or(|known| known.as_upper() == platform);
        self.platform.as_ref().is_none_or(is_of) && self.account.as_ref().is_none_or(|id| account.connection == *id)
    }

    /// Whether the list is of removed campaigns.
    pub(super) fn is_of_removed(&self) -> bool {
        self.status.as_deref().and_then(CampaignStatus::parse).is_some_and(CampaignStatus::is_final)
    }

    /// Whether a campaign is in the list. The API has chosen those of the user. `account` is the full name of its ad account,
    /// in which the search looks, too.
    pub(super) fn fits(&self, row: &CampaignRow, account: &str, now: Timestamp) -> bool {
        let Filter { search, platform, status, account: connection, currency, .. } = self;
        let campaign = &row.campaign;
        let is_found = |text: &String| {
            let text = text.to_lowercase();
            [campaign.name.as_str(), account].iter().any(|name| name.to_lowercase().contains(&text))
        };
        // A campaign past its end is not active, although the platform may call it so.
        let has_status = |status: &String| match CampaignStatus::parse(status) {
            Some(CampaignStatus::Active) => campaign.is_active(now),
            None if status == TOO_FAST => row.is_too_fast(now),
            None if status == NOT_RUNNING => row.does_not_run(now),
            status => status == Some(campaign.status),
        };
        search.as_ref().is_none_or(is_found)
            && platform.as_ref().is_none_or(|platform| campaign.id.platform().as_upper() == platform)
            && status.as_ref().is_none_or(has_status)
            && connection.as_ref().is_none_or(|connection| row.connection == *connection)
            && currency.as_ref().is_none_or(|currency| campaign.currency.code() == currency)
    }

    /// The request to the API for its removed campaigns. It leaves names and ad accounts to [`Filter::fits`].
    pub(super) fn api_target(&self) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("limit", "100");
        query.extend_pairs(self.status.iter().map(|status| ("status", status)));
        query.extend_pairs(self.platform.iter().map(|platform| ("platform", platform)));
        format!("/v1/campaigns?{}", query.finish())
    }
}

/// The columns of a query string: of a form, in which each has a parameter, or of an address with a dot between them.
fn columns(query: &[(String, String)]) -> Vec<&'static str> {
    let given = || query.iter().filter(|(name, _)| name == COLUMNS_FIELD).flat_map(|(_, value)| value.split('.'));
    let known = OPTIONAL_COLUMNS.iter().flat_map(|(_, values)| values.iter().copied());
    let shown: Vec<&str> = known.filter(|value| given().any(|given| given == *value)).collect();
    if shown == USUAL_COLUMNS { Vec::new() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign::tests::campaign;

    fn filter(query: &str) -> Filter {
        Filter::of(&pairs(Some(query)))
    }

    #[test]
    fn a_click_reverses_the_order_and_another_column_begins_as_usual() {
        assert_eq!(Order::default().to_string(), "-week");
        assert_eq!(Order::default().clicked(Column::Week).to_string(), "week");
        assert_eq!(Order::default().clicked(Column::Name).to_string(), "name");
        assert_eq!(Order::parse("name").unwrap().clicked(Column::Clicks).to_string(), "-clicks");
        assert_eq!(Order::parse("oldest"), None);
    }

    #[test]
    fn an_empty_or_unknown_value_is_no_filter() {
        assert_eq!(filter("q=+&platform=&status=&sort=oldest&rows=1000&page=0").path(), "/dashboard/campaigns");
    }

    #[test]
    fn every_part_stays_in_the_address() {
        let all = "q=a%26b&platform=BETA&status=PAUSED&account=conn_1&currency=JPY&external_ref=shop42&sort=name&rows=50&cols=today.week&page=3";
        assert_eq!(filter(all).list(), all);
        assert_eq!(filter(all).at(1).list(), all.replace("&page=3", ""));
        assert_eq!(filter("rows=50&page=3").in_pages_of(25).path(), "/dashboard/campaigns");
        let other = filter(all).in_order(Order::parse("-clicks").unwrap());
        assert_eq!(other.list(), all.replace("sort=name", "sort=-clicks").replace("&page=3", ""));
    }

    #[test]
    fn the_usual_columns_or_none_that_is_known_are_no_part_of_the_address() {
        let list = |query: &str| filter(query).list();
        assert_eq!(list("cols=week&cols=today&cols=x"), "cols=today.week", "as the boxes of the form send them");
        let usual = USUAL_COLUMNS.map(|value| format!("cols={value}")).join("&");
        assert_eq!((list(&usual).as_str(), list("cols=x").as_str(), list("cols=").as_str()), ("", "", ""));
        assert_eq!(list("cols=roas.ctr.week"), "cols=week.ctr.roas", "in the order of the list");
        assert!(filter("cols=today").shows("today") && !filter("cols=today").shows("week"));
        assert!(filter("").shows("week") && filter("").shows("conversions") && !filter("").shows("roas"));
    }

    #[test]
    fn ticks_stand_in_the_address_alone() {
        let ids = ["a_1".to_owned(), "b&2".to_owned()];
        let path = filter("status=PAUSED").path_with_ticks(&ids);
        assert_eq!(path, "/dashboard/campaigns?status=PAUSED&ids=a_1&ids=b%262");
        assert_eq!(filter("ids=a_1").path_with_ticks(&[]), "/dashboard/campaigns");
    }

    #[test]
    fn a_search_looks_in_the_names_of_campaigns_and_ad_accounts() {
        let row = CampaignRow::without_numbers(campaign("beta_77_1", CampaignStatus::Paused));
        let finds = |text: &str| {
            filter(&format!("q={text}")).fits(&row, "Meta: Main shop (Harbour Coffee, 77)", Timestamp::UNIX_EPOCH)
        };
        for text in ["sprING", "main+shop", "harbour", "meta", "77"] {
            assert!(finds(text), "{text}");
        }
        assert!(!finds("summer"));
    }

    #[test]
    fn a_form_leads_to_no_other_page() {
        let form = [("list".to_owned(), "status=PAUSED&to=//example.com/".to_owned())];
        assert_eq!(Filter::of_form(&form).path(), "/dashboard/campaigns?status=PAUSED");
        assert_eq!(Filter::of_form(&[("list".to_owned(), "//example.com/".to_owned())]).path(), "/dashboard/campaigns");
    }
}
