//! What became of a create in each ad account: the next page, and its notice.

use super::checks::form_error;
use super::fields::choice_id;
use crate::client::accounts::platform_name;
use crate::client::campaigns::{CreateOutcome, CreateResult, KeyState, wrong_fields};
use crate::client::notice::Notice;
use crate::kit::campaign_forms::{AccountValues, KEY_FIELD, kept_create};
use crate::kit::form_errors::{Detail, FormError};
use crate::kit::text::listed;
use jiff::civil::Date;
use shared::domain::ChangeId;
use shared::envelope::query::value;

const UNKNOWN: &str = "It is not known yet whether the campaign is created everywhere. Send the form below again as it \
                       is: nothing is created twice. If you leave this page, look at the list before you create it again.";
const IN_PROGRESS: &str = "An earlier send of this form, or another campaign with this name, is still in progress. Send the \
                           form below again in a moment to see what happened: nothing is created twice.";
const CHANGED: &str = "This form was sent before with other values, and nothing more is created. Look in the list for the \
                       campaign of the first send. To create another one, send the form below again.";

/// The result in one ad account.
pub(super) struct AccountResult {
    pub(super) account: AccountValues,
    /// The account as the form names it.
    pub(super) name: String,
    pub(super) result: CreateResult,
}

/// The next page of the person.
pub(super) enum NextPage {
    List(Notice),
    Form(Notice),
    /// The page that follows these changes until they are known, and what else is to be said.
    Checking(Vec<ChangeId>, Option<Notice>),
}

/// What comes after the results.
pub(super) fn next_page(results: &[AccountResult], form: &[(String, String)]) -> NextPage {
    let is_open =
        |one: &AccountResult| matches!(one.result.outcome, CreateOutcome::Unknown(_) | CreateOutcome::InProgress);
    if results.iter().any(|one| is_open(one) && !one.result.changes.is_empty()) {
        return checking(results, form);
    }
    if results.iter().any(is_open) {
        let is_unknown = results.iter().any(|one| matches!(one.result.outcome, CreateOutcome::Unknown(_)));
        let message = if is_unknown { UNKNOWN } else { IN_PROGRESS };
        let details = results.iter().map(|one| detail(one, form)).collect();
        return NextPage::Form(Notice {
            message: message.to_owned(),
            details,
            values: kept_create(form),
            ..Notice::default()
        });
    }
    let created = results.iter().filter(|one| is_created(one)).count();
    let name = value(form, "name").unwrap_or_default().trim();
    if created == results.len() {
        let message = format!(
            "“{name}” is created. It is paused: nothing is spent until you activate it. Activate it when its ads are at \
             {}. It runs minutes after the platform has approved them, and its page shows what it spends, or why it does \
             not.",
            platforms(results)
        );
        let details = results.iter().map(|one| detail(one, form)).collect();
        let campaigns = links(results);
        let activate = campaigns.first().filter(|_| results.len() == 1).map(|(campaign, _)| campaign.clone());
        return NextPage::List(Notice { details, campaigns, activate, ..Notice::success(message) });
    }
    NextPage::Form(failed(results, created, name, form))
}

/// Some changes are followed by their page. The notice says what that page cannot.
fn checking(results: &[AccountResult], form: &[(String, String)]) -> NextPage {
    let changes = results.iter().flat_map(|one| &one.result.changes).copied().collect();
    let untold = results.iter().filter(|one| one.result.changes.is_empty());
    let untold: Vec<Detail> = untold.map(|one| detail(one, form)).collect();
    let name = value(form, "name").unwrap_or_default().trim();
    let message = format!("“{name}” in the other ad accounts:");
    let notice = (!untold.is_empty()).then(|| Notice { message, details: untold, ..Notice::default() });
    NextPage::Checking(changes, notice)
}

/// All outcomes are known, and some are failures. The campaigns that exist stay, so the form is shown for the accounts
/// that failed, as a new request.
fn failed(results: &[AccountResult], created: usize, name: &str, form: &[(String, String)]) -> Notice {
    let total = results.len();
    let keys: Vec<KeyState> = results
        .iter()
        .filter_map(|one| match one.result.outcome {
            CreateOutcome::Failed { key, .. } => Some(key),
            CreateOutcome::Created(_) | CreateOutcome::Unknown(_) | CreateOutcome::InProgress => None,
        })
        .collect();
    let message = match created {
        _ if keys.contains(&KeyState::OfAnotherForm) => CHANGED.to_owned(),
        0 => format!("“{name}” is not created."),
        _ => format!(
            "“{name}” is created in {created} of {total} ad accounts, and paused there. The form below names the others."
        ),
    };
    let details = results.iter().filter(|one| is_created(one)).map(|one| detail(one, form)).collect();
    let is_failed = |packed: &(String, String)| {
        !results.iter().any(|result| is_created(result) && result.account.pack() == *packed)
    };
    let keeps_key = created == 0 && keys.iter().all(|key| *key == KeyState::Free);
    let mut values = kept_create(form);
    values.retain(|value| is_failed(value) && (keeps_key || value.0 != KEY_FIELD));
    let mut errors: Vec<FormError> = Vec::new();
    for error in results.iter().flat_map(|result| errors_of(result, form)) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    Notice { is_part: created > 0, message, errors, details, values, campaigns: links(results), ..Notice::default() }
}

/// The links to the campaigns that are created.
fn links(results: &[AccountResult]) -> Vec<(String, String)> {
    let words = |result: &AccountResult| match results {
        [_] => "Open the campaign".to_owned(),
        _ => format!("Open it in {}", result.name),
    };
    let link = |one: &AccountResult| match &one.result.outcome {
        CreateOutcome::Created(campaign) => Some((campaign.clone(), words(one))),
        CreateOutcome::Failed { .. } | CreateOutcome::Unknown(_) | CreateOutcome::InProgress => None,
    };
    results.iter().filter_map(link).collect()
}

fn is_created(one: &AccountResult) -> bool {
    matches!(one.result.outcome, CreateOutcome::Created(_))
}

/// What is wrong in an account, at its controls.
fn errors_of(AccountResult { account, name, result }: &AccountResult, form: &[(String, String)]) -> Vec<FormError> {
    let CreateOutcome::Failed { refusal, .. } = &result.outcome else { return Vec::new() };
    let fields = wrong_fields(refusal);
    if fields.is_empty() {
        let error = FormError::new(choice_id(&account.target), refusal.in_full());
        return vec![FormError { at: name.clone(), ..error }];
    }
    fields.iter().map(|error| form_error(account, name, form, error)).collect()
}

fn detail(one: &AccountResult, form: &[(String, String)]) -> Detail {
    let message = match &one.result.outcome {
        CreateOutcome::Created(_) => format!("created, and paused: {}", schedule(&one.account, form)),
        CreateOutcome::Failed { refusal, .. } => format!("not created: {}", refusal.in_full()),
        CreateOutcome::Unknown(reason) => format!("not known yet: {reason}"),
        CreateOutcome::InProgress => "still in progress".to_owned(),
    };
    Detail { field: one.name.clone(), message }
}

/// When a campaign starts and ends: `starts on 1 Dec 2026, has no end`.
pub(super) fn schedule(account: &AccountValues, form: &[(String, String)]) -> String {
    let day = |field| match account.value(field, form) {
        "" => None,
        text => {
            // A typed time is said as it was typed.
            let whole_day = text.parse::<Date>().ok().filter(|day| day.to_string() == text);
            Some(whole_day.map_or_else(|| text.to_owned(), |day| day.strftime("%-d %b %Y").to_string()))
        }
    };
    let start =
        day("start_at").map_or_else(|| "starts when you activate it".to_owned(), |day| format!("starts on {day}"));
    let end = day("end_at").map_or_else(|| "has no end".to_owned(), |day| format!("ends on {day}"));
    format!("{start}, {end}")
}

/// The platforms of the results, each once: `Google Ads and Meta`.
fn platforms(results: &[AccountResult]) -> String {
    let mut names: Vec<&str> = results.iter().map(|one| platform_name(one.account.parts().0)).collect();
    names.dedup();
    listed(&names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::api::Refusal;
    use jiff::Timestamp;
    use shared::domain::{FieldError, TimeRule};
    use uuid::Uuid;

    fn form() -> Vec<(String, String)> {
        let fields = [("name", "Spring"), ("goal", "LEADS"), ("idempotency_key", "k"), ("list", "status=PAUSED")];
        let targets = [("targets", "ALPHA:1"), ("targets", "BETA:2")];
        fields.iter().chain(&targets).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn change(number: usize) -> ChangeId {
        ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::nil(), number)
    }

    fn result(target: &str, outcome: CreateOutcome, change: Option<ChangeId>) -> AccountResult {
        let account = AccountValues::of(target, Default::default());
        let result = CreateResult { outcome, changes: change.into_iter().collect() };
        AccountResult { account, name: target.to_owned(), result }
    }

    fn created(target: &str) -> CreateOutcome {
        CreateOutcome::Created(format!("{target}_7"))
    }

    fn failed(key: KeyState, reason: &str, details: Vec<FieldError>) -> CreateOutcome {
        let refusal =
            Refusal { status: 400, message: reason.to_owned(), details, reason: None, request_id: "r".to_owned() };
        CreateOutcome::Failed { refusal, key }
    }

    fn refused(key: KeyState, reason: &str) -> CreateOutcome {
        failed(key, reason, Vec::new())
    }

    /// The second account's outcome, after a success in the first.
    fn after_created(second: CreateOutcome) -> Notice {
        match next_page(&[result("ALPHA:1", created("ALPHA:1"), None), result("BETA:2", second, None)], &form()) {
            NextPage::List(notice) | NextPage::Form(notice) => notice,
            NextPage::Checking(..) => panic!("nothing is followed"),
        }
    }

    fn targets(notice: &Notice) -> Vec<&str> {
        notice.values.iter().filter(|(name, _)| name == "targets").map(|(_, value)| value.as_str()).collect()
    }

    #[test]
    fn a_create_everywhere_is_a_success() {
        let notice = after_created(created("BETA:2"));
        assert!(notice.is_success && notice.values.is_empty());
        assert_eq!(
            notice.message,
            "“Spring” is created. It is paused: nothing is spent until you activate it. Activate it when its ads are at \
             Google Ads and Meta. It runs minutes after the platform has approved them, and its page shows what it \
             spends, or why it does not."
        );
        assert_eq!(notice.details[0].message, "created, and paused: starts when you activate it, has no end");
        assert_eq!(notice.details.len(), 2);
        let link = |target: &str| (format!("{target}_7"), format!("Open it in {target}"));
        assert_eq!(notice.campaigns, [link("ALPHA:1"), link("BETA:2")]);
        assert_eq!(notice.activate, None, "one button would be for one of them");
        let NextPage::List(notice) = next_page(&[result("ALPHA:1", created("ALPHA:1"), None)], &form()) else {
            panic!("the list")
        };
        assert_eq!(notice.campaigns, [("ALPHA:1_7".to_owned(), "Open the campaign".to_owned())]);
        assert_eq!(notice.activate.as_deref(), Some("ALPHA:1_7"));
    }

    #[test]
    fn after_a_partial_failure_the_form_names_the_rest_as_a_new_request() {
        let notice = after_created(refused(KeyState::Free, "Too low."));
        assert!(!notice.is_success && notice.message.contains("created in 1 of 2 ad accounts"), "{notice:?}");
        assert_eq!((targets(&notice), notice.value("idempotency_key")), (vec!["BETA:2"], None));
        assert_eq!(notice.campaigns.len(), 1, "one of them exists");
        assert_eq!((notice.value("name"), notice.value("list")), (Some("Spring"), None));
        let error = &notice.errors[0];
        assert_eq!(
            (error.id.as_str(), error.at.as_str(), error.message.as_str()),
            ("targets.BETA:2", "BETA:2", "Too low.")
        );
    }

    #[test]
    fn an_unknown_outcome_is_followed_and_the_others_are_told() {
        let unknown = || CreateOutcome::Unknown("No response.".to_owned());
        let results = [
            result("ALPHA:1", unknown(), Some(change(0))),
            result("BETA:2", created("BETA:2"), Some(change(1))),
            result("ZETA:3", refused(KeyState::Free, "Too low."), None),
        ];
        let NextPage::Checking(changes, Some(notice)) = next_page(&results, &form()) else { panic!("it is followed") };
        assert_eq!(changes, [change(0), change(1)]);
        assert_eq!(notice.details[0].message, "not created: Too low.");
    }

    #[test]
    fn without_a_change_to_follow_the_form_is_the_same_request() {
        for outcome in [CreateOutcome::Unknown("Our fault.".to_owned()), CreateOutcome::InProgress] {
            let notice = after_created(outcome);
            assert!(!notice.is_success && notice.message.contains("nothing is created twice"), "{notice:?}");
            assert_eq!((targets(&notice), notice.value("idempotency_key")), (vec!["ALPHA:1", "BETA:2"], Some("k")));
        }
    }

    #[test]
    fn a_refused_form_keeps_its_key_until_the_key_has_an_answer() {
        for (state, key) in [(KeyState::Free, Some("k")), (KeyState::OfAnotherForm, None), (KeyState::Answered, None)] {
            let NextPage::Form(notice) = next_page(&[result("BETA:2", refused(state, "No."), None)], &form()) else {
                panic!("the form is shown again")
            };
            assert_eq!(notice.value("idempotency_key"), key, "{state:?}");
        }
    }

    #[test]
    fn start_and_end_are_said_as_days() {
        let account = AccountValues::of("BETA:2", Default::default());
        let said = |start: &str, end: &str| {
            let form = [("start_at", start), ("end_at", end)].map(|(name, text)| (name.to_owned(), text.to_owned()));
            schedule(&account, &form)
        };
        assert_eq!(said("2026-12-01", "2026-12-24"), "starts on 1 Dec 2026, ends on 24 Dec 2026");
        assert_eq!(said("", "2026-12-24 18:00"), "starts when you activate it, ends on 2026-12-24 18:00");
    }

    #[test]
    fn wrong_fields_are_told_at_their_controls() {
        let fields = vec![FieldError::new("end_at", TimeRule::AfterStart)];
        let outcome = failed(KeyState::Free, "", fields);
        let NextPage::Form(notice) = next_page(&[result("BETA:2", outcome, None)], &form()) else { panic!("the form") };
        assert_eq!(
            (notice.errors[0].id.as_str(), notice.errors[0].message.as_str()),
            ("end_at.BETA:2", "Choose an end after the start.")
        );
    }
}
