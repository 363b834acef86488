//! Creates a campaign, and reports what became of it.

use super::CAMPAIGNS;
use crate::client::api::{Api, Refusal};
use crate::client::replay;
use serde::Deserialize;
use shared::domain::{ChangeId, FieldError, StoredResponse};
use shared::envelope::{Reply, Shape};
use shared::error::{Error, Kind};
use shared::serve::{Answer, ApiCall};

/// The answer to a create.
pub(crate) struct CreateResult {
    pub(crate) outcome: CreateOutcome,
    /// The changes that it has recorded, also if its outcome is not known.
    pub(crate) changes: Vec<ChangeId>,
}

/// What became of a create.
pub(crate) enum CreateOutcome {
    /// The id of the campaign.
    Created(String),
    Failed {
        refusal: Refusal,
        key: KeyState,
    },
    /// The reason.
    Unknown(String),
    /// An earlier send has not ended.
    InProgress,
}

/// The idempotency key of a form after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyState {
    /// The form can be sent with it again, changed or not.
    Free,
    /// The platform's refusal is its final response.
    Answered,
    /// It belongs to a form with other values.
    OfAnotherForm,
}

/// The stored response to a create, in the enveloped shape.
#[derive(Deserialize)]
struct StoredCreate {
    data: StoredCampaign,
}

#[derive(Deserialize)]
struct StoredCampaign {
    id: String,
}

/// Creates the campaign of a body in the enveloped shape, once for an idempotency key.
pub(crate) async fn create(api: &Api<'_>, body: String, key: &str) -> CreateResult {
    let (method, target, body, shape) = ("POST", CAMPAIGNS, Some(body), Shape::Enveloped);
    let answer = api.answer_once(ApiCall { method, target, body, shape, idempotency_key: Some(key) }).await;
    let Answer { outcome, changes, response: _ } = match answer {
        Ok(answer) => answer,
        Err(refusal) => {
            return CreateResult { outcome: CreateOutcome::Unknown(refusal.in_full()), changes: Vec::new() };
        }
    };
    let outcome = match outcome {
        Ok(Reply::Created(campaign)) => CreateOutcome::Created(campaign.id.to_string()),
        Ok(Reply::Replayed(stored)) => return replayed(api, &stored),
        Ok(other) => CreateOutcome::Unknown(api.unexpected(&other).message),
        Err(error) => failed(&error, api.refusal(&error)),
    };
    CreateResult { outcome, changes }
}

fn replayed(api: &Api<'_>, stored: &StoredResponse) -> CreateResult {
    let outcome = match replay::body::<StoredCreate>(api, stored) {
        Ok(StoredCreate { data }) => CreateOutcome::Created(data.id),
        // Of the errors only the refusal of a platform is stored.
        Err(refusal) => CreateOutcome::Failed { refusal, key: KeyState::Answered },
    };
    CreateResult { outcome, changes: replay::changes(stored) }
}

fn failed(error: &Error, refusal: Refusal) -> CreateOutcome {
    let key = match error.kind {
        Kind::Internal | Kind::PlatformTimeout => return CreateOutcome::Unknown(refusal.in_full()),
        Kind::Conflict if error.retryable => return CreateOutcome::InProgress,
        Kind::KeyReused => KeyState::OfAnotherForm,
        Kind::PlatformRefused => KeyState::Answered,
        Kind::Validation
        | Kind::MethodNotAllowed
        | Kind::PayloadTooLarge
        | Kind::UnsupportedMediaType
        | Kind::Unauthorized
        | Kind::Forbidden
        | Kind::NotFound
        | Kind::Conflict
        | Kind::RateLimited
        | Kind::QuotaExceeded
        | Kind::PlatformFailed
        | Kind::NotSupported
        | Kind::TokenExpired => KeyState::Free,
    };
    CreateOutcome::Failed { refusal, key }
}

/// The fields of a campaign that forms have.
const FIELDS: [&str; 8] =
    ["name", "goal", "budget_amount", "budget_period", "start_at", "end_at", "apply_at", "campaign_defaults"];

/// The fields of a form that a refusal is about; none if it is about others, too, which its message in full names.
pub(crate) fn wrong_fields(refusal: &Refusal) -> &[FieldError] {
    let is_of_form = |wrong: &FieldError| FIELDS.contains(&wrong.field.as_str());
    if refusal.status == 400 && refusal.details.iter().all(is_of_form) { &refusal.details } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_free_until_it_has_an_answer() {
        let told = |error: &Error| {
            let message = "No.".to_owned();
            let refusal = Refusal { status: 0, message, details: Vec::new(), reason: None, request_id: String::new() };
            match failed(error, refusal) {
                CreateOutcome::Created(_) => panic!("it has failed"),
                CreateOutcome::Failed { key, .. } => format!("{key:?}"),
                CreateOutcome::Unknown(reason) => format!("Unknown: {reason}"),
                CreateOutcome::InProgress => "InProgress".to_owned(),
            }
        };
        for (kind, told_as) in [
            (Kind::Validation, "Free"),
            (Kind::RateLimited, "Free"),
            (Kind::Conflict, "Free"),
            (Kind::KeyReused, "OfAnotherForm"),
            (Kind::PlatformRefused, "Answered"),
            (Kind::PlatformTimeout, "Unknown: No."),
            (Kind::Internal, "Unknown: No."),
        ] {
            assert_eq!(told(&Error::new(kind, "No.")), told_as, "{kind:?}");
        }
        assert_eq!(told(&Error::new(Kind::Conflict, "No.").retryable()), "InProgress");
    }

    #[test]
    fn a_refusal_about_fields_of_the_form_alone_names_them() {
        let [name, start, body] = ["name", "start_at", "body"].map(|field| FieldError::new(field, "is required"));
        let refused = |status, details: &[&FieldError]| Refusal {
            status,
            message: String::new(),
            details: details.iter().map(|&detail| detail.clone()).collect(),
            reason: None,
            request_id: String::new(),
        };
        assert_eq!(wrong_fields(&refused(400, &[&name, &start])), [name.clone(), start]);
        assert_eq!(wrong_fields(&refused(400, &[&name, &body])), []);
        assert_eq!(wrong_fields(&refused(501, &[&name])), []);
    }
}
