//! The filter of the activity.

use crate::client::changes::CHANGES;
use crate::kit::addresses::{ACTIVITY, ACTIVITY_CSV, OF_USER};
use crate::kit::changes::{kind_word, state_word};
use crate::kit::choice::Choice;
use crate::kit::list_filter::ListFilter;
use crate::kit::requester_choices::{key_choices, options, person_choices};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use shared::domain::insights::parse_date;
use shared::domain::{ApiKeyInfo, ChangeKind, ChangeStatus, ExternalRef, Person};
use shared::envelope::query::{pairs, value};

const STATE: &str = "state";
const KIND: &str = "kind";
const KEY: &str = "api_key_id";
const PERSON: &str = "person_id";
const CAMPAIGN: &str = "campaign_id";
/// The first and the last day, in UTC. The API takes moments.
const FROM: &str = "from";
const TO: &str = "to";

/// The choices in the address of the page.
pub(super) struct Filter(ListFilter);

impl Filter {
    /// Reads the query of the page.
    pub(super) fn read(query: &[(String, String)]) -> Filter {
        Filter(list(query))
    }

    /// The filter that a form carries in its field `list`.
    pub(super) fn of_form(form: &[(String, String)]) -> Filter {
        Filter::read(&pairs(value(form, "list")))
    }

    /// Whether the list leaves nothing out.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the page begins with the newest change.
    pub(super) fn is_newest(&self) -> bool {
        self.0.is_newest()
    }

    /// The id of the only campaign; empty for all.
    pub(super) fn campaign(&self) -> &str {
        self.0.value(CAMPAIGN)
    }

    /// The newest changes of one campaign, with the rest of the filter.
    pub(super) fn of_campaign(&self, id: &str) -> String {
        self.0.clone().without_cursor().replaced(CAMPAIGN, id).path()
    }

    /// The newest changes of all campaigns.
    pub(super) fn of_all_campaigns(&self) -> String {
        self.0.newest_without(CAMPAIGN)
    }

    /// The first day; empty for all.
    pub(super) fn from(&self) -> &str {
        self.0.value(FROM)
    }

    /// The last day; empty for all.
    pub(super) fn to(&self) -> &str {
        self.0.value(TO)
    }

    /// Whether it may leave out a part of a bulk change, which has one time, one requester and one kind.
    pub(super) fn parts_bulk_changes(&self) -> bool {
        [STATE, OF_USER].iter().any(|name| !self.0.value(name).is_empty())
    }

    /// The id of the only key.
    pub(super) fn key(&self) -> Option<&str> {
        Some(self.0.value(KEY)).filter(|key| !key.is_empty())
    }

    /// The name of the only user; empty for all.
    pub(super) fn user(&self) -> &str {
        self.0.value(OF_USER)
    }

    /// The newest changes of all users.
    pub(super) fn of_all_users(&self) -> String {
        self.0.newest_without(OF_USER)
    }

    pub(super) fn states(&self) -> Vec<Choice> {
        options(ChangeStatus::ALL.map(|state| (state.as_str(), state_word(state).to_owned())), self.0.value(STATE))
    }

    pub(super) fn kinds(&self) -> Vec<Choice> {
        options(ChangeKind::ALL.map(|kind| (kind.as_str(), kind_word(kind).to_owned())), self.0.value(KIND))
    }

    /// The keys, and the one in force if it is deleted: its changes have its name.
    pub(super) fn keys(&self, keys: &[ApiKeyInfo], user: Option<&ExternalRef>, name: Option<&str>) -> Vec<Choice> {
        key_choices(keys, user, self.0.value(KEY), name)
    }

    /// The people of the account, and the one in force if they have left it.
    pub(super) fn people(&self, people: &[Person], name: Option<&str>) -> Vec<Choice> {
        person_choices(people, self.0.value(PERSON), name)
    }

    /// The request of the API for this page.
    pub(super) fn api_target(&self, limit: usize) -> String {
        api_target(&self.0, limit)
    }

    /// The request of the API for what comes after a cursor.
    pub(super) fn api_target_after(&self, cursor: &str, limit: usize) -> String {
        api_target(&self.0.after(cursor), limit)
    }

    /// The page after a cursor.
    pub(super) fn older(&self, cursor: &str) -> String {
        self.0.older(cursor)
    }

    /// The address of the page.
    pub(super) fn path(&self) -> String {
        self.0.path()
    }

    /// All pages as a file.
    pub(super) fn csv(&self) -> String {
        self.0.on(ACTIVITY_CSV)
    }

    /// The query string of the page; empty for the first page without filters.
    pub(super) fn list(&self) -> String {
        self.path().split_once('?').map_or_else(String::new, |(_, query)| query.to_owned())
    }

    /// The newest changes of the filter.
    pub(super) fn newest(&self) -> String {
        self.0.newest()
    }
}

/// The parameters of the filter.
pub(super) fn list(query: &[(String, String)]) -> ListFilter {
    ListFilter::read(ACTIVITY, &[STATE, KIND, KEY, PERSON, CAMPAIGN, FROM, TO, OF_USER], query)
}

/// The request of the API for a page of the list.
pub(super) fn api_target(list: &ListFilter, limit: usize) -> String {
    list.with(FROM, |day| moment(day, 0)).with(TO, |day| moment(day, 1)).api_target(CHANGES, limit)
}

/// The start of a day in UTC, or of a later one. What is no day stays, and the API says what is wrong with it.
fn moment(day: &str, later: i64) -> String {
    let start = parse_date(day).and_then(|day| day.checked_add(later.days()).ok()?.to_zoned(TimeZone::UTC).ok());
    start.map_or_else(|| day.to_owned(), |start| Timestamp::to_string(&start.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Filter {
        Filter::read(&pairs(Some(query)))
    }

    fn chosen(choices: Vec<Choice>) -> String {
        choices.into_iter().find(|choice| choice.is_chosen).unwrap().text
    }

    #[test]
    fn links_keep_the_filter() {
        let filter = read("state=failed&kind=&campaign_id=alpha_1_2&cursor=c");
        assert_eq!(filter.api_target(25), "/v1/changes?limit=25&state=failed&campaign_id=alpha_1_2&cursor=c");
        assert_eq!(filter.older("d"), "/dashboard/activity?state=failed&campaign_id=alpha_1_2&cursor=d");
        assert_eq!(filter.newest(), "/dashboard/activity?state=failed&campaign_id=alpha_1_2");
        assert_eq!(filter.path(), "/dashboard/activity?state=failed&campaign_id=alpha_1_2&cursor=c");
        let form = [("list".to_owned(), filter.list())];
        assert_eq!(Filter::of_form(&form).path(), filter.path(), "a form comes back to its page");
        let other = [("list".to_owned(), "//example.com/?state=".to_owned())];
        assert_eq!(Filter::of_form(&other).path(), "/dashboard/activity");
        assert!(!filter.is_empty() && !filter.is_newest() && read("kind=").is_empty());
    }

    #[test]
    fn the_form_shows_the_filter_in_force() {
        assert_eq!(chosen(read("").states()), "All");
        assert_eq!(chosen(read("state=partly_applied").states()), "Partly applied");
        assert_eq!(chosen(read("state=paused").states()), "paused", "the API says what is wrong with it");
        assert_eq!(chosen(read("kind=delete").kinds()), "Deleted");
        let of_person = read("person_id=p&state=failed");
        assert_eq!(of_person.api_target(25), "/v1/changes?limit=25&state=failed&person_id=p");
        assert_eq!(of_person.csv(), "/dashboard/activity/csv?state=failed&person_id=p");
        assert_eq!(chosen(of_person.people(&[], Some("ada@example.com"))), "ada@example.com");
    }

    #[test]
    fn days_are_moments_in_the_api_and_days_in_every_link() {
        let filter = read("from=2026-11-28&to=2026-11-30&cursor=c");
        let moments = "from=2026-11-28T00%3A00%3A00Z&to=2026-12-01T00%3A00%3A00Z";
        assert_eq!(filter.api_target(25), format!("/v1/changes?limit=25&{moments}&cursor=c"), "the last day is in it");
        assert_eq!(filter.older("d"), "/dashboard/activity?from=2026-11-28&to=2026-11-30&cursor=d");
        assert_eq!(filter.csv(), "/dashboard/activity/csv?from=2026-11-28&to=2026-11-30");
        assert_eq!((filter.from(), filter.to()), ("2026-11-28", "2026-11-30"));
        assert_eq!(read("from=soon").api_target(25), "/v1/changes?limit=25&from=soon", "the API says what is wrong");
    }

    #[test]
    fn a_row_leads_to_the_changes_of_its_campaign_alone() {
        let filter = read("state=failed&campaign_id=beta_1_1&cursor=c");
        assert_eq!(filter.of_campaign("alpha_1_2"), "/dashboard/activity?state=failed&campaign_id=alpha_1_2");
        assert_eq!(filter.of_all_campaigns(), "/dashboard/activity?state=failed");
        assert_eq!(read("").of_campaign("alpha_1_2"), "/dashboard/activity?campaign_id=alpha_1_2");
    }

    #[test]
    fn a_user_stays_in_the_address_until_it_is_taken_out() {
        let filter = read("state=failed&external_ref=shop%3A42&cursor=c");
        assert_eq!((filter.key(), read("api_key_id=k").key(), read("api_key_id=").key()), (None, Some("k"), None));
        assert_eq!((filter.user(), read("state=failed").user()), ("shop:42", ""));
        assert_eq!(filter.older("d"), "/dashboard/activity?state=failed&external_ref=shop%3A42&cursor=d");
        assert_eq!(filter.csv(), "/dashboard/activity/csv?state=failed&external_ref=shop%3A42");
        assert_eq!(filter.of_all_users(), "/dashboard/activity?state=failed");
        assert!(!filter.is_empty());
    }
}
