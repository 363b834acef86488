//! The outcome of a create in each ad account, as the notice of the next page.

use super::create_form::{KEY_FIELD, TARGETS_FIELD, kept};
use crate::accounts::target_name;
use crate::api::{Detail, Refusal};
use crate::notice::Notice;
use serde::Deserialize;
use shared::envelope::query::value;

/// The API's advice to programs. The notice has its own.
const ADVICE: &str = "Send the same request again with the same Idempotency-Key; it creates nothing twice.";
const UNKNOWN: &str = "It is not known yet whether the campaign is created everywhere. Send the form below again as it \
                       is: nothing is created twice. If you leave this page, look at the list before you create it again.";
const IN_PROGRESS: &str = "An earlier send of this form, or another create with this name, is still in progress. Send the \
                           form below again in a moment to see what happened: nothing is created twice.";
const CHANGED: &str = "This form was sent before with other values, and nothing more is created. Look in the list for the \
                       campaign of the first send. To create another one, send the form below again.";
/// The JSON of a notice that fits into a cookie with what was filled in. The form without its key could buy twice.
const MAX_JSON: usize = 2_600;

/// The result in one ad account.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TargetResult {
    target: TargetName,
    status: Status,
    error: Option<TargetError>,
}

#[derive(Clone, Debug, Deserialize)]
struct TargetName {
    platform: String,
    organization_id: String,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Created,
    Failed,
    Unknown,
}

#[derive(Clone, Debug, Deserialize)]
struct TargetError {
    message: String,
}

/// The API's answer to a create.
pub(super) enum CreateResponse {
    /// There is a result for each ad account.
    Results(Vec<TargetResult>),
    /// There is none.
    Refused {
        /// The error.
        refusal: Refusal,
        /// The meaning of the error for the idempotency key.
        key: KeyState,
    },
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

impl TargetResult {
    /// A success in a target of the form.
    pub(super) fn created(target: &str) -> TargetResult {
        let (platform, account) = target.split_once(':').unwrap_or((target, ""));
        let target = TargetName { platform: platform.to_owned(), organization_id: account.to_owned() };
        TargetResult { target, status: Status::Created, error: None }
    }

    /// The value of the target in the form.
    fn target(&self) -> String {
        format!("{}:{}", self.target.platform, self.target.organization_id)
    }

    fn detail(&self) -> Detail {
        let reason = self.error.as_ref().map_or("", |error| error.message.as_str()).replace(ADVICE, "");
        let message = match self.status {
            Status::Created => "created, and paused".to_owned(),
            Status::Failed => format!("not created: {reason}"),
            Status::Unknown => format!("not known yet: {reason}"),
        };
        Detail { field: target_name(&self.target()), message: message.trim().to_owned() }
    }
}

/// The notice of a response.
pub(super) fn notice(response: CreateResponse, targets: &[&str], form: &[(String, String)]) -> Notice {
    let notice = match response {
        CreateResponse::Results(results) => of_results(&results, form),
        CreateResponse::Refused { refusal, key } => of_refusal(refusal, key, targets, form),
    };
    shortened(notice)
}

fn of_results(results: &[TargetResult], form: &[(String, String)]) -> Notice {
    let count = |status| results.iter().filter(|result| result.status == status).count();
    let created = count(Status::Created);
    let unknown = count(Status::Unknown);
    let total = results.len();
    let name = value(form, "name").unwrap_or_default().trim();
    let details = results.iter().map(TargetResult::detail).collect();
    if created == total {
        let message = format!("“{name}” is created. It is paused: nothing is spent until you activate it.");
        return Notice { details, ..Notice::success(message) };
    }
    let message = match (created, unknown) {
        (_, 1..) => UNKNOWN.to_owned(),
        (0, 0) => format!("“{name}” is not created."),
        (_, 0) => format!(
            "“{name}” is created in {created} of {total} ad accounts, and paused there. The form below names the others."
        ),
    };
    let values = if unknown > 0 { kept(form) } else { for_the_failed(results, form) };
    Notice { is_success: false, message, details, values, ..Notice::default() }
}

/// The campaigns that exist stay, so the form is shown for the accounts that failed, as a new request.
fn for_the_failed(results: &[TargetResult], form: &[(String, String)]) -> Vec<(String, String)> {
    let failed = results.iter().filter(|result| result.status == Status::Failed);
    let failed = failed.map(|result| (TARGETS_FIELD.to_owned(), result.target()));
    let others = kept(form).into_iter().filter(|(name, _)| name != TARGETS_FIELD && name != KEY_FIELD);
    others.chain(failed).collect()
}

fn of_refusal(refusal: Refusal, key: KeyState, targets: &[&str], form: &[(String, String)]) -> Notice {
    let mut values = kept(form);
    let message = match (key, refusal.status) {
        (KeyState::InProgress, _) => IN_PROGRESS.to_owned(),
        (KeyState::OfAnotherForm, _) => CHANGED.to_owned(),
        (_, 500 | 504) => UNKNOWN.to_owned(),
        _ => with_names(&refusal.message, targets),
    };
    // The form, corrected, is a new request.
    if matches!(key, KeyState::Answered | KeyState::OfAnotherForm) {
        values.retain(|(name, _)| name != KEY_FIELD);
    }
    let unknown = (refusal.status == 504).then(|| Detail {
        field: targets.iter().map(|target| target_name(target)).collect::<Vec<_>>().join(", "),
        message: refusal.message.replace(ADVICE, "").trim().to_owned(),
    });
    let details = refusal.details.iter().cloned().chain(unknown).collect();
    Notice { message, details, values, ..Notice::failure(refusal, &[]) }
}

/// Names the accounts as the form does: the API counts them.
fn with_names(message: &str, targets: &[&str]) -> String {
    let numbered = targets.iter().enumerate();
    numbered.fold(message.to_owned(), |text, (number, target)| {
        text.replace(&format!("targets[{number}]"), &target_name(target))
    })
}

/// Shortens the reasons of platforms, so that the cookie has room for the form.
fn shortened(mut notice: Notice) -> Notice {
    for max in [400, 120, 40] {
        let size = serde_json::to_vec(&notice).map_or(0, |json| json.len());
        if size <= MAX_JSON {
            break;
        }
        for detail in notice.details.iter_mut().filter(|detail| detail.message.chars().count() > max) {
            detail.message = detail.message.chars().take(max).chain(['…']).collect();
        }
    }
    notice
}

#[cfg(test)]
mod tests;
