//! The controls of the list: the choices of its filter, and the parts in force.

use crate::kit::campaign::status_word;
use crate::kit::choice::{Choice, choices};
use crate::kit::order::Column as _;
use crate::pages::campaigns::filter::{Column, Filter, NOT_RUNNING, OPTIONAL_COLUMNS, Order, TOO_FAST};
use shared::domain::{CampaignStatus, Platform};
use std::collections::BTreeSet;

/// The statuses of the filter, beside all that are not removed.
const STATUSES: [CampaignStatus; 5] = [
    CampaignStatus::Active,
    CampaignStatus::Paused,
    CampaignStatus::Draft,
    CampaignStatus::Archived,
    CampaignStatus::ScheduledForDeletion,
];

/// A part of the filter in force, which a click removes.
pub(super) struct Chip {
    pub(super) text: String,
    /// The list without it.
    pub(super) path: String,
}

/// The parts of the filter in force. `account` is the name of the account.
pub(super) fn chips(filter: &Filter, account: Option<&str>) -> Vec<Chip> {
    let first = Filter { page: 1, ..filter.clone() };
    let status = |status: &String| {
        let known = known_statuses().find(|(known, _)| known == status);
        known.map_or_else(|| status.clone(), |(_, word)| word.to_owned())
    };
    let platform = |platform: &String| {
        Platform::from_upper(platform).map_or_else(|| platform.clone(), |known| known.display_name().to_owned())
    };
    let chips = [
        (filter.search.as_ref().map(|text| format!("“{text}”")), Filter { search: None, ..first.clone() }),
        (filter.platform.as_ref().map(platform), Filter { platform: None, ..first.clone() }),
        (filter.status.as_ref().map(status), Filter { status: None, ..first.clone() }),
        (filter.account.as_ref().map(|id| account.unwrap_or(id).to_owned()), Filter { account: None, ..first.clone() }),
        (filter.currency.clone(), Filter { currency: None, ..first.clone() }),
        (filter.user.as_ref().map(|user| format!("User {user}")), Filter { user: None, ..first }),
    ];
    let chip = |(text, without): (Option<String>, Filter)| Some(Chip { text: text?, path: without.path() });
    chips.into_iter().filter_map(chip).collect()
}

/// The choices of the platform.
pub(super) fn platforms(filter: &Filter) -> Vec<Choice> {
    let each = Platform::ALL.map(|platform| (platform.as_upper(), platform.display_name()));
    let known: Vec<_> = [("", "All platforms")].into_iter().chain(each).collect();
    choices(&known, filter.platform.as_deref().unwrap_or_default())
}

/// The statuses of the filter with their words. Those of the active ones that need a look follow them.
fn known_statuses() -> impl Iterator<Item = (&'static str, &'static str)> {
    let [active, others @ ..] = STATUSES.map(|status| (status.as_str(), status_word(status)));
    [active, (NOT_RUNNING, "Not running"), (TOO_FAST, "Spending too fast")].into_iter().chain(others)
}

/// The choices of the status.
pub(super) fn statuses(filter: &Filter) -> Vec<Choice> {
    let known: Vec<_> = [("", "All except deleted")].into_iter().chain(known_statuses()).collect();
    choices(&known, filter.status.as_deref().unwrap_or_default())
}

/// The choices of the currency, from those of the campaigns; none if they have one alone.
pub(super) fn currencies<'a>(filter: &'a Filter, used: impl Iterator<Item = &'a str>) -> Vec<Choice> {
    let chosen = filter.currency.as_deref().unwrap_or_default();
    let used: BTreeSet<&str> = used.chain([chosen]).filter(|code| !code.is_empty()).collect();
    if used.len() < 2 && chosen.is_empty() {
        return Vec::new();
    }
    let known: Vec<_> = [("", "All currencies")].into_iter().chain(used.into_iter().map(|code| (code, code))).collect();
    choices(&known, chosen)
}

/// The choices of the ad account, from ids of connections and names.
pub(super) fn accounts<'a>(filter: &Filter, accounts: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Choice> {
    let known: Vec<_> = [("", "All ad accounts")].into_iter().chain(accounts).collect();
    choices(&known, filter.account.as_deref().unwrap_or_default())
}

/// The choices of the order, for a screen that is too narrow for headings: each column in both directions, first as a first
/// click on its heading sorts the list.
pub(super) fn orders(filter: &Filter) -> Vec<Choice> {
    let both = |(column, _, text): &(Column, &str, &str)| {
        let first = Order { column: *column, is_descending: !column.is_text() };
        let words = |order: Order| (order.to_string(), format!("{text}: {}", order.first()));
        [words(first), words(Order { is_descending: !first.is_descending, ..first })]
    };
    let known: Vec<_> = Column::ALL.iter().flat_map(both).collect();
    let known: Vec<_> = known.iter().map(|(value, text)| (value.as_str(), text.as_str())).collect();
    choices(&known, &filter.order.to_string())
}

/// The choices of the columns, in groups with a name.
pub(super) fn columns(filter: &Filter) -> Vec<(&'static str, Vec<Choice>)> {
    let heading = |value: &str| {
        let known = Column::ALL.iter().find(|(_, known, _)| *known == value);
        known.map_or("Spend, 14 days", |(_, _, heading)| *heading)
    };
    let choice = |value: &&str| Choice {
        value: (*value).to_owned(),
        text: heading(value).to_owned(),
        is_chosen: filter.shows(value),
    };
    OPTIONAL_COLUMNS.iter().map(|(group, values)| (*group, values.iter().map(choice).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::ExternalRef;
    use shared::envelope::query::pairs;

    fn filter(query: &str) -> Filter {
        Filter::of(&pairs(Some(query)))
    }

    #[test]
    fn a_click_on_a_chip_removes_its_part() {
        let filter = filter("q=spring&platform=BETA&account=conn_1&currency=JPY&page=2");
        let of_user = Filter { user: ExternalRef::parse("shop42"), ..filter.clone() };
        let last = super::chips(&of_user, None).pop().unwrap();
        assert_eq!((last.text, last.path), ("User shop42".to_owned(), Filter { page: 1, ..filter.clone() }.path()));
        let chips = chips(&filter, Some("Meta: Harbour"));
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
    fn an_order_and_a_page_are_no_parts() {
        assert!(chips(&filter("platform=&sort=name&page=2"), None).is_empty());
    }

    #[test]
    fn the_chosen_columns_are_ticked_in_their_groups() {
        let ticked = |query: &str| -> Vec<String> {
            let all = columns(&filter(query)).into_iter().flat_map(|(_, choices)| choices);
            all.filter(|one| one.is_chosen).map(|one| one.text).collect()
        };
        assert_eq!(ticked("cols=pace.roas.days"), ["Pace", "ROAS, 7 days", "Spend, 14 days"]);
        assert_eq!((ticked("").len(), columns(&filter("")).len()), (8, 3));
    }

    #[test]
    fn the_chosen_filter_is_selected() {
        let chosen = |choices: Vec<Choice>| -> Vec<String> {
            choices.into_iter().filter(|choice| choice.is_chosen).map(|choice| choice.value).collect()
        };
        assert_eq!(chosen(platforms(&filter("platform=ZETA"))), ["ZETA"]);
        assert_eq!(chosen(statuses(&filter(""))), [""]);
        assert_eq!(chosen(orders(&filter(""))), ["-week"]);
        let texts: Vec<String> = orders(&filter("")).into_iter().map(|order| order.text).collect();
        assert_eq!(texts.len(), 2 * Column::ALL.len());
        assert_eq!(texts[..3], ["Campaign: A to Z", "Campaign: Z to A", "Status: A to Z"]);
        assert_eq!(texts[4..6], ["Budget: highest first", "Budget: lowest first"]);
        assert_eq!(chosen(orders(&filter("sort=week"))), ["week"]);
        assert_eq!(chosen(accounts(&filter("account=b"), [("a", "A"), ("b", "B")].into_iter())), ["b"]);
    }
}
