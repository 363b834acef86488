//! The filters of the list and its pages, in the address.

use crate::addresses::CAMPAIGNS;
use crate::choice::{Choice, choices};
use shared::domain::Platform;
use shared::envelope::query::{pairs, value};
use url::form_urlencoded::Serializer;

/// Campaigns on a page, so that it stays small.
pub(super) const PAGE_SIZE: usize = 15;
/// The statuses of the filter: the value, and what it says.
const STATUSES: &[(&str, &str)] = &[
    ("", "All but removed"),
    ("ACTIVE", "Active"),
    ("PAUSED", "Paused"),
    ("DRAFT", "Draft"),
    ("ARCHIVED", "Archived"),
    ("SCHEDULED_FOR_DELETION", "To be deleted"),
];

/// A page of the list. Values go to the API as they are; it refuses those that it does not know.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    platform: Option<String>,
    status: Option<String>,
    cursor: Option<String>,
}

impl Filter {
    /// The filter of a query string. Other parameters are ignored, and empty ones are no filter.
    pub(super) fn of(query: &[(String, String)]) -> Filter {
        let given = |name| value(query, name).filter(|value| !value.is_empty()).map(str::to_owned);
        Filter { platform: given("platform"), status: given("status"), cursor: given("cursor") }
    }

    /// The filter that a form carries in its field `list`.
    pub(super) fn of_form(form: &[(String, String)]) -> Filter {
        Filter::of(&pairs(value(form, "list")))
    }

    /// The request to the API.
    pub(super) fn target(&self) -> String {
        let mut query = self.query();
        query.append_pair("limit", &PAGE_SIZE.to_string());
        format!("/v1/campaigns?{}", query.finish())
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
        self.query().finish()
    }

    /// The page at a cursor; without one, the first page.
    pub(super) fn at(&self, cursor: Option<String>) -> Filter {
        Filter { cursor, ..self.clone() }
    }

    /// Whether the list leaves campaigns out.
    pub(super) fn is_filtered(&self) -> bool {
        self.platform.is_some() || self.status.is_some()
    }

    /// Whether this is not the first page.
    pub(super) fn is_continued(&self) -> bool {
        self.cursor.is_some()
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

    fn query(&self) -> Serializer<'static, String> {
        let mut query = Serializer::new(String::new());
        for (name, value) in [("platform", &self.platform), ("status", &self.status), ("cursor", &self.cursor)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        query
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(query: &str) -> Filter {
        Filter::of(&pairs(Some(query)))
    }

    #[test]
    fn an_empty_value_is_no_filter() {
        assert_eq!(filter("platform=&status=").target(), "/v1/campaigns?limit=15");
        assert_eq!(filter("platform=&status=").path(), "/dashboard/campaigns");
        assert!(!filter("platform=&cursor=a").is_filtered());
    }

    #[test]
    fn the_next_page_keeps_the_filters() {
        let next = filter("status=PAUSED&platform=BETA&cursor=a").at(Some("b&c".to_owned()));
        assert_eq!(next.path(), "/dashboard/campaigns?platform=BETA&status=PAUSED&cursor=b%26c");
        assert_eq!(next.target(), "/v1/campaigns?platform=BETA&status=PAUSED&cursor=b%26c&limit=15");
        assert_eq!(next.at(None).list(), "platform=BETA&status=PAUSED");
    }

    #[test]
    fn a_form_leads_to_no_other_page() {
        let form = [("list".to_owned(), "status=PAUSED&to=//example.com/".to_owned())];
        assert_eq!(Filter::of_form(&form).path(), "/dashboard/campaigns?status=PAUSED");
        assert_eq!(Filter::of_form(&[("list".to_owned(), "//example.com/".to_owned())]).path(), "/dashboard/campaigns");
    }

    #[test]
    fn the_chosen_filter_is_selected() {
        let chosen = |choices: Vec<Choice>| -> Vec<String> {
            choices.into_iter().filter(|choice| choice.is_chosen).map(|choice| choice.value).collect()
        };
        assert_eq!(chosen(filter("platform=ZETA").platforms()), ["ZETA"]);
        assert_eq!(chosen(filter("").statuses()), [""]);
    }
}
