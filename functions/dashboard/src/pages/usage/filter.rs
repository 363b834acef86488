//! The filter of the request log.

use crate::client::usage::LOG;
use crate::kit::addresses::{OF_USER, USAGE, USAGE_CSV};
use crate::kit::choice::{Choice, choices_in_force};
use crate::kit::list_filter::ListFilter;
use crate::kit::requester_choices::key_choices;
use shared::domain::{ApiKeys, ExternalRef};
use shared::envelope::query::value;

const METHOD: &str = "method";
const STATUS: &str = "status_code";
const PATH: &str = "path";
const REQUEST_ID: &str = "request_id";
const KEY: &str = "api_key_id";

const METHODS: &[(&str, &str)] =
    &[("", "All"), ("GET", "GET"), ("POST", "POST"), ("PUT", "PUT"), ("PATCH", "PATCH"), ("DELETE", "DELETE")];
const STATUSES: &[(&str, &str)] =
    &[("", "All"), ("2xx", "2xx: success"), ("4xx", "4xx: refused"), ("5xx", "5xx: failed")];

/// The choices in the address of the page.
pub(super) struct Filter {
    list: ListFilter,
    /// The page reloads itself.
    pub(super) is_live: bool,
}

impl Filter {
    /// Reads the query of the page.
    pub(super) fn read(query: &[(String, String)]) -> Filter {
        let list = list(query);
        // Older requests do not change.
        let is_live = list.is_newest() && value(query, "live") == Some("on");
        Filter { list, is_live }
    }

    /// Whether every request is in the log.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the page begins with the newest request.
    pub(super) fn is_newest(&self) -> bool {
        self.list.is_newest()
    }

    /// Whether the page is about one request.
    pub(super) fn is_for_one(&self) -> bool {
        !self.request_id().is_empty()
    }

    pub(super) fn path(&self) -> &str {
        self.list.value(PATH)
    }

    pub(super) fn request_id(&self) -> &str {
        self.list.value(REQUEST_ID)
    }

    /// The name of the only user; empty for all.
    pub(super) fn user(&self) -> &str {
        self.list.value(OF_USER)
    }

    /// The newest requests of all users.
    pub(super) fn of_all_users(&self) -> String {
        self.list.newest_without(OF_USER)
    }

    pub(super) fn methods(&self) -> Vec<Choice> {
        choices_in_force(METHODS, self.list.value(METHOD))
    }

    pub(super) fn statuses(&self) -> Vec<Choice> {
        choices_in_force(STATUSES, self.list.value(STATUS))
    }

    /// The keys, and the one in force if it is deleted.
    pub(super) fn keys(&self, keys: &ApiKeys, user: Option<&ExternalRef>) -> Vec<Choice> {
        key_choices(keys.all(), user, self.list.value(KEY), None)
    }

    /// The request of the API for this page of the log.
    pub(super) fn api_target(&self, limit: usize) -> String {
        self.list.with(PATH, api_path).api_target(LOG, limit)
    }

    /// The page after a cursor.
    pub(super) fn older(&self, cursor: &str) -> String {
        self.list.older(cursor)
    }

    /// The page that reloads itself.
    pub(super) fn live(&self) -> String {
        self.list.newest_with(Some(("live", "on")))
    }

    /// All pages as a file.
    pub(super) fn csv(&self) -> String {
        self.list.on(USAGE_CSV)
    }

    /// The newest requests of the filter.
    pub(super) fn newest(&self) -> String {
        self.list.newest()
    }
}

/// The path of the API that a person means, who may leave out the version: `/v1/campaigns` for `campaigns`.
fn api_path(text: &str) -> String {
    let path = if text.starts_with('/') { text.to_owned() } else { format!("/{text}") };
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let digits = first.strip_prefix('v').unwrap_or_default();
    let has_version = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if has_version || "/v1".starts_with(&path) { path } else { format!("/v1{path}") }
}

/// The parameters of the filter.
pub(super) fn list(query: &[(String, String)]) -> ListFilter {
    ListFilter::read(USAGE, &[METHOD, STATUS, PATH, REQUEST_ID, KEY, OF_USER], query)
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
        let of_key = read("api_key_id=key_1");
        assert_eq!(of_key.api_target(25), "/v1/usage-logs?limit=25&api_key_id=key_1");
        assert_eq!(of_key.older("d"), "/dashboard/usage?api_key_id=key_1&cursor=d");
        assert_eq!(of_key.csv(), "/dashboard/usage/csv?api_key_id=key_1");
        let of_user = read("method=GET&external_ref=shop42&cursor=c");
        assert_eq!((of_user.user(), of_user.is_empty()), ("shop42", false));
        assert_eq!(of_user.live(), "/dashboard/usage?method=GET&external_ref=shop42&live=on");
        assert_eq!(of_user.of_all_users(), "/dashboard/usage?method=GET");
    }

    #[test]
    fn a_path_is_found_with_and_without_its_version() {
        for (typed, path) in [
            ("/campaigns", "/v1/campaigns"),
            ("campaigns", "/v1/campaigns"),
            ("/v1/campaigns", "/v1/campaigns"),
            ("v1/campaigns", "/v1/campaigns"),
            ("/v2/campaigns", "/v2/campaigns"),
            ("/", "/"),
            ("/v", "/v"),
            ("/v1", "/v1"),
            ("/videos", "/v1/videos"),
        ] {
            assert_eq!(api_path(typed), path, "{typed}");
        }
        let filter = read("path=campaigns");
        assert_eq!(
            (filter.path(), filter.api_target(25).as_str()),
            ("campaigns", "/v1/usage-logs?limit=25&path=%2Fv1%2Fcampaigns")
        );
        assert_eq!(filter.older("d"), "/dashboard/usage?path=campaigns&cursor=d");
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
