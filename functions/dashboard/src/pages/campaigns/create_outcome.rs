//! What became of a create in each ad account: the next page, and its notice.

use super::account_values::AccountValues;
use super::create_checks::form_error;
use super::create_fields::choice_id;
use super::create_form::{KEY_FIELD, kept};
use crate::client::api::Detail;
use crate::client::notice::Notice;
use crate::kit::form_errors::FormError;
use shared::envelope::query::value;
use shared::error::FieldError;

/// What is wrong with fields, in the API's words.
pub(super) type Fields = Vec<FieldError>;

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
    pub(super) outcome: Outcome,
    /// The id of the change that the create has recorded.
    pub(super) change: Option<String>,
    /// The id of the campaign that it has created.
    pub(super) campaign: Option<String>,
}

/// The outcome in one ad account.
pub(super) enum Outcome {
    Created,
    Failed {
        reason: String,
        fields: Fields,
        key: KeyState,
    },
    /// The reason.
    Unknown(String),
    /// An earlier send has not ended.
    InProgress,
}

/// The idempotency key of a form after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyState {
    /// The form can be sent with it again, changed or not.
    Free,
    /// A request with it is in progress.
    InProgress,
    /// The platform's refusal is its final response.
    Answered,
    /// It belongs to a form with other values.
    OfAnotherForm,
}

/// Where the person goes on.
pub(super) enum Next {
    List(Notice),
    Form(Notice),
    /// The page that follows these changes until they are known, and what else is to be said.
    Checking(String, Option<Notice>),
}

impl KeyState {
    /// Reads an error of the enveloped shape.
    pub(super) fn of(status: u16, code: &str, is_retryable: bool) -> KeyState {
        match (status, code) {
            (422, "CONFLICT") => KeyState::OfAnotherForm,
            (422, _) => KeyState::Answered,
            (409, _) if is_retryable => KeyState::InProgress,
            _ => KeyState::Free,
        }
    }
}

/// What comes after the results.
pub(super) fn next(results: &[AccountResult], form: &[(String, String)]) -> Next {
    let is_open = |result: &&AccountResult| matches!(result.outcome, Outcome::Unknown(_) | Outcome::InProgress);
    let is_followed = |result: &AccountResult| is_open(&result) && result.change.is_some();
    if results.iter().any(is_followed) {
        return checking(results, form);
    }
    if results.iter().any(|result| is_open(&result)) {
        let is_unknown = results.iter().any(|result| matches!(result.outcome, Outcome::Unknown(_)));
        let message = if is_unknown { UNKNOWN } else { IN_PROGRESS };
        let details = results.iter().map(detail).collect();
        return Next::Form(Notice { message: message.to_owned(), details, values: kept(form), ..Notice::default() });
    }
    let created = results.iter().filter(|result| matches!(result.outcome, Outcome::Created)).count();
    let name = value(form, "name").unwrap_or_default().trim();
    if created == results.len() {
        let message = format!("“{name}” is created. It is paused: nothing is spent until you activate it.");
        let details = results.iter().map(detail).collect();
        return Next::List(Notice { details, campaigns: links(results), ..Notice::success(message) });
    }
    Next::Form(failed(results, created, name, form))
}

/// Some changes are followed by their page. The notice tells what that page cannot.
fn checking(results: &[AccountResult], form: &[(String, String)]) -> Next {
    let changes: Vec<&str> = results.iter().filter_map(|result| result.change.as_deref()).collect();
    let untold = results.iter().filter(|result| result.change.is_none()).map(detail).collect::<Vec<_>>();
    let name = value(form, "name").unwrap_or_default().trim();
    let message = format!("“{name}” in the other ad accounts:");
    let notice = (!untold.is_empty()).then(|| Notice { message, details: untold, ..Notice::default() });
    Next::Checking(changes.join(","), notice)
}

/// All outcomes are known, and some are failures. The campaigns that exist stay, so the form is shown for the accounts
/// that failed, as a new request.
fn failed(results: &[AccountResult], created: usize, name: &str, form: &[(String, String)]) -> Notice {
    let total = results.len();
    let keys: Vec<KeyState> = results
        .iter()
        .filter_map(|result| match result.outcome {
            Outcome::Failed { key, .. } => Some(key),
            _ => None,
        })
        .collect();
    let message = match created {
        _ if keys.contains(&KeyState::OfAnotherForm) => CHANGED.to_owned(),
        0 => format!("“{name}” is not created."),
        _ => format!(
            "“{name}” is created in {created} of {total} ad accounts, and paused there. The form below names the others."
        ),
    };
    let details =
        if created > 0 { results.iter().filter(|one| is_created(one)).map(detail).collect() } else { Vec::new() };
    let is_failed = |packed: &(String, String)| {
        !results.iter().any(|result| is_created(result) && result.account.packed() == *packed)
    };
    let keeps_key = created == 0 && keys.iter().all(|key| *key == KeyState::Free);
    let mut values = kept(form);
    values.retain(|value| is_failed(value) && (keeps_key || value.0 != KEY_FIELD));
    let mut errors: Vec<FormError> = Vec::new();
    for error in results.iter().flat_map(|result| errors_of(result, form)) {
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    Notice { message, errors, details, values, campaigns: links(results), ..Notice::default() }
}

/// The links to the campaigns that are created.
fn links(results: &[AccountResult]) -> Vec<(String, String)> {
    let words = |result: &AccountResult| match results {
        [_] => "Open the campaign".to_owned(),
        _ => format!("Open it in {}", result.name),
    };
    results.iter().filter_map(|result| Some((result.campaign.clone()?, words(result)))).collect()
}

fn is_created(result: &AccountResult) -> bool {
    matches!(result.outcome, Outcome::Created)
}

/// What is wrong in an account, at its controls.
fn errors_of(result: &AccountResult, form: &[(String, String)]) -> Vec<FormError> {
    let AccountResult { account, name, outcome, .. } = result;
    match outcome {
        Outcome::Failed { reason, fields, .. } if fields.is_empty() => {
            vec![FormError { at: name.clone(), ..FormError::new(choice_id(&account.target), reason.clone()) }]
        }
        Outcome::Failed { fields, .. } => fields.iter().map(|error| form_error(account, name, form, error)).collect(),
        _ => Vec::new(),
    }
}

fn detail(result: &AccountResult) -> Detail {
    let message = match &result.outcome {
        Outcome::Created => "created, and paused".to_owned(),
        Outcome::Failed { reason, .. } => format!("not created: {reason}"),
        Outcome::Unknown(reason) => format!("not known yet: {reason}"),
        Outcome::InProgress => "still in progress".to_owned(),
    };
    Detail { field: result.name.clone(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Vec<(String, String)> {
        let fields = [("name", "Spring"), ("goal", "LEADS"), ("idempotency_key", "k"), ("list", "status=PAUSED")];
        let targets = [("targets", "ALPHA:1"), ("targets", "BETA:2")];
        fields.iter().chain(&targets).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn result(target: &str, outcome: Outcome, change: Option<&str>) -> AccountResult {
        let account = AccountValues::of(target, Default::default());
        let campaign = matches!(outcome, Outcome::Created).then(|| format!("{target}_7"));
        AccountResult { account, name: target.to_owned(), outcome, change: change.map(str::to_owned), campaign }
    }

    fn refused(key: KeyState, reason: &str) -> Outcome {
        Outcome::Failed { reason: reason.to_owned(), fields: Vec::new(), key }
    }

    /// The second account's outcome, after a success in the first.
    fn after_created(second: Outcome) -> Notice {
        match next(&[result("ALPHA:1", Outcome::Created, None), result("BETA:2", second, None)], &form()) {
            Next::List(notice) | Next::Form(notice) => notice,
            Next::Checking(..) => panic!("nothing is followed"),
        }
    }

    fn targets(notice: &Notice) -> Vec<&str> {
        notice.values.iter().filter(|(name, _)| name == "targets").map(|(_, value)| value.as_str()).collect()
    }

    #[test]
    fn a_create_everywhere_is_a_success() {
        let notice = after_created(Outcome::Created);
        assert!(notice.is_success && notice.values.is_empty());
        assert_eq!(notice.message, "“Spring” is created. It is paused: nothing is spent until you activate it.");
        assert_eq!(notice.details.len(), 2);
        let link = |target: &str| (format!("{target}_7"), format!("Open it in {target}"));
        assert_eq!(notice.campaigns, [link("ALPHA:1"), link("BETA:2")]);
        let Next::List(notice) = next(&[result("ALPHA:1", Outcome::Created, None)], &form()) else {
            panic!("the list")
        };
        assert_eq!(notice.campaigns, [("ALPHA:1_7".to_owned(), "Open the campaign".to_owned())]);
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
        let unknown = || Outcome::Unknown("No response.".to_owned());
        let results = [
            result("ALPHA:1", unknown(), Some("chg_1")),
            result("BETA:2", Outcome::Created, Some("chg_2")),
            result("ZETA:3", refused(KeyState::Free, "Too low."), None),
        ];
        let Next::Checking(changes, Some(notice)) = next(&results, &form()) else { panic!("it is followed") };
        assert_eq!(changes, "chg_1,chg_2");
        assert_eq!(notice.details[0].message, "not created: Too low.");
    }

    #[test]
    fn without_a_change_to_follow_the_form_is_the_same_request() {
        for outcome in [Outcome::Unknown("Our fault.".to_owned()), Outcome::InProgress] {
            let notice = after_created(outcome);
            assert!(!notice.is_success && notice.message.contains("nothing is created twice"), "{notice:?}");
            assert_eq!((targets(&notice), notice.value("idempotency_key")), (vec!["ALPHA:1", "BETA:2"], Some("k")));
        }
    }

    #[test]
    fn a_refused_form_keeps_its_key_until_the_key_has_an_answer() {
        for (status, code, is_retryable, key) in [
            (400, "BAD_REQUEST", false, Some("k")),
            (429, "RATE_LIMITED", true, Some("k")),
            (409, "CONFLICT", false, Some("k")),
            (422, "CONFLICT", false, None),
            (422, "PLATFORM_ERROR", false, None),
        ] {
            let state = KeyState::of(status, code, is_retryable);
            let Next::Form(notice) = next(&[result("BETA:2", refused(state, "No."), None)], &form()) else {
                panic!("the form is shown again")
            };
            assert_eq!(notice.value("idempotency_key"), key, "{status} {code}");
        }
        assert_eq!(KeyState::of(409, "CONFLICT", true), KeyState::InProgress);
    }

    #[test]
    fn wrong_fields_are_told_at_their_controls() {
        let fields = vec![FieldError::new("end_at", "must be after start_at")];
        let outcome = Outcome::Failed { reason: String::new(), fields, key: KeyState::Free };
        let Next::Form(notice) = next(&[result("BETA:2", outcome, None)], &form()) else { panic!("the form") };
        assert_eq!(
            (notice.errors[0].id.as_str(), notice.errors[0].message.as_str()),
            ("end_at.BETA:2", "Choose an end after the start.")
        );
    }
}
