//! The filter of the request log. It stands in the address of the page, with the names of `listUsageLogs`.

use crate::addresses::USAGE;
use crate::choice::{self, Choice};
use shared::envelope::query::value;
use url::form_urlencoded::Serializer;

/// The log of the API.
pub(super) const LOG: &str = "/v1/usage-logs";
const METHOD: &str = "method";
const STATUS: &str = "status_code";
const PATH: &str = "path";
const REQUEST_ID: &str = "request_id";

const METHODS: &[(&str, &str)] =
    &[("", "All"), ("GET", "GET"), ("POST", "POST"), ("PUT", "PUT"), ("PATCH", "PATCH"), ("DELETE", "DELETE")];
const STATUSES: &[(&str, &str)] =
    &[("", "All"), ("2xx", "2xx: success"), ("4xx", "4xx: refused"), ("5xx", "5xx: failed")];

/// The choices in the address of the page.
pub(super) struct Filter {
    /// Parameters that are not empty, as given.
    given: Vec<(&'static str, String)>,
    cursor: Option<String>,
    /// The page reloads itself.
    pub(super) is_live: bool,
}

impl Filter {
    /// Reads the query of the page. A form sends empty fields, too: they are no filters.
    pub(super) fn read(query: &[(String, String)]) -> Filter {
        let given = |name| value(query, name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let names = [METHOD, STATUS, PATH, REQUEST_ID].into_iter();
        let cursor = given("cursor");
        Filter {
            given: names.filter_map(|name| Some((name, given(name)?))).collect(),
            // Older requests do not change.
            is_live: cursor.is_none() && given("live").as_deref() == Some("on"),
            cursor,
        }
    }

    /// Whether every request is in the log.
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether the page begins with the newest request.
    pub(super) fn is_newest(&self) -> bool {
        self.cursor.is_none()
    }

    /// Whether the page is about one request.
    pub(super) fn is_for_one(&self) -> bool {
        !self.request_id().is_empty()
    }

    pub(super) fn path(&self) -> &str {
        self.value(PATH)
    }

    pub(super) fn request_id(&self) -> &str {
        self.value(REQUEST_ID)
    }

    pub(super) fn methods(&self) -> Vec<Choice> {
        choices(METHODS, self.value(METHOD))
    }

    pub(super) fn statuses(&self) -> Vec<Choice> {
        choices(STATUSES, self.value(STATUS))
    }

    /// The request of the API for this page of the log.
    pub(super) fn api_target(&self, limit: usize) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("limit", &limit.to_string()).extend_pairs(&self.given);
        query.extend_pairs(self.cursor.iter().map(|cursor| ("cursor", cursor)));
        format!("{LOG}?{}", query.finish())
    }

    /// The page after a cursor.
    pub(super) fn older(&self, cursor: &str) -> String {
        self.page(Some(("cursor", cursor)))
    }

    /// The page that reloads itself.
    pub(super) fn live(&self) -> String {
        self.page(Some(("live", "on")))
    }

    /// The newest requests of the filter.
    pub(super) fn newest(&self) -> String {
        self.page(None)
    }

    fn page(&self, more: Option<(&str, &str)>) -> String {
        let mut query = Serializer::new(String::new());
        let query = query.extend_pairs(&self.given).extend_pairs(more).finish();
        if query.is_empty() { USAGE.to_owned() } else { format!("{USAGE}?{query}") }
    }

    fn value(&self, name: &str) -> &str {
        self.given.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

/// The options of a field. A value that is not among them is one more, so that the form shows the filter in force.
fn choices(known: &[(&str, &str)], chosen: &str) -> Vec<Choice> {
    let mut all = choice::choices(known, chosen);
    if !all.iter().any(|choice| choice.is_chosen) {
        all.extend(choice::choices(&[(chosen, chosen)], chosen));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::envelope::query::pairs;

    fn read(query: &str) -> Filter {
        Filter::read(&pairs(Some(query)))
    }

    #[test]
    fn empty_fields_are_no_filters() {
        let filter = read("method=&status_code=&path=+&request_id=");
        assert!(filter.is_empty() && filter.is_newest() && !filter.is_for_one());
        assert_eq!(filter.api_target(25), "/v1/usage-logs?limit=25");
        assert_eq!(filter.newest(), "/dashboard/usage");
    }

    #[test]
    fn links_keep_the_filter() {
        let filter = read("method=GET&path=/v1/a%26b&cursor=c");
        assert_eq!(filter.api_target(25), "/v1/usage-logs?limit=25&method=GET&path=%2Fv1%2Fa%26b&cursor=c");
        assert_eq!(filter.older("d"), "/dashboard/usage?method=GET&path=%2Fv1%2Fa%26b&cursor=d");
        assert_eq!(filter.live(), "/dashboard/usage?method=GET&path=%2Fv1%2Fa%26b&live=on");
    }

    #[test]
    fn only_the_newest_page_reloads_itself() {
        assert!(read("live=on").is_live);
        assert!(!read("live=on&cursor=c").is_live && !read("live=yes").is_live);
    }

    #[test]
    fn the_form_shows_a_value_that_it_does_not_offer() {
        let chosen = |filter: &Filter| filter.statuses().into_iter().find(|choice| choice.is_chosen).unwrap().value;
        assert_eq!(chosen(&read("status_code=404")), "404");
        assert_eq!(chosen(&read("status_code=4xx")), "4xx");
        assert_eq!(read("status_code=4xx").statuses().len(), STATUSES.len());
    }
}
