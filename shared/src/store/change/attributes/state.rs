//! The attributes of a change's state and of its error.

use crate::domain::{ChangeError, ChangeState, Reason, Statement};
use serde::{Deserialize, Serialize};
use serde_with::{serde_as, serde_conv, skip_serializing_none};
use std::convert::Infallible;

const SENDING: &str = "SENDING";
const APPLIED: &str = "APPLIED";
const PARTLY_APPLIED: &str = "PARTLY_APPLIED";
pub(in crate::store::change) const FAILED: &str = "FAILED";
const SCHEDULED: &str = "SCHEDULED";
const CANCELED: &str = "CANCELED";
const AWAITING: &str = "AWAITING_APPROVAL";
const REJECTED: &str = "REJECTED";
const EXPIRED: &str = "EXPIRED";

/// A state, and why it is that.
#[serde_as]
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct StateAttributes {
    state: String,
    #[serde_as(as = "Option<StoredError>")]
    error: Option<ChangeError>,
}

serde_conv!(
    pub(in crate::store::change) StoredState,
    ChangeState,
    |state: &ChangeState| StateAttributes { state: state_name(state).to_owned(), error: state.error().cloned() },
    StateAttributes::parse
);

/// The stored name of a state.
pub(in crate::store::change) fn state_name(state: &ChangeState) -> &'static str {
    match state {
        ChangeState::Scheduled => SCHEDULED,
        ChangeState::Sending => SENDING,
        ChangeState::Applied => APPLIED,
        ChangeState::PartlyApplied(_) => PARTLY_APPLIED,
        ChangeState::Failed(_) => FAILED,
        ChangeState::Canceled(_) => CANCELED,
        ChangeState::AwaitingApproval => AWAITING,
        ChangeState::Rejected(_) => REJECTED,
        ChangeState::Expired => EXPIRED,
    }
}

impl StateAttributes {
    fn parse(self) -> Result<ChangeState, &'static str> {
        match (self.state.as_str(), self.error) {
            (SCHEDULED, _) => Ok(ChangeState::Scheduled),
            (AWAITING, _) => Ok(ChangeState::AwaitingApproval),
            (SENDING, _) => Ok(ChangeState::Sending),
            (APPLIED, _) => Ok(ChangeState::Applied),
            (PARTLY_APPLIED, Some(error)) => Ok(ChangeState::PartlyApplied(error)),
            (FAILED, Some(error)) => Ok(ChangeState::Failed(error)),
            (CANCELED, reason) => Ok(ChangeState::Canceled(reason)),
            (REJECTED, Some(error)) => Ok(ChangeState::Rejected(error)),
            (EXPIRED, _) => Ok(ChangeState::Expired),
            _ => Err("a change has an unknown state, or lacks its error"),
        }
    }
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct ErrorAttributes {
    code: String,
    /// Absent in records of a release without reasons.
    reason: Option<String>,
    message: String,
    /// The message as data, in JSON; absent for plain words. Other code than this may not know it, and takes the words.
    said: Option<String>,
    is_refusal: bool,
    platform_code: Option<String>,
    platform_message: Option<String>,
    field: Option<String>,
}

serde_conv!(
    pub(in crate::store::change) StoredError,
    ChangeError,
    |error: &ChangeError| ErrorAttributes::from(error.clone()),
    |attributes: ErrorAttributes| Ok::<_, Infallible>(ChangeError::from(attributes))
);

impl From<ChangeError> for ErrorAttributes {
    fn from(error: ChangeError) -> ErrorAttributes {
        let ChangeError { code, reason, message, is_refusal, platform_code, platform_message, field } = error;
        let reason = reason.map(|reason| reason.as_str().to_owned());
        let is_data = !matches!(message, Statement::Text(_));
        let said = if is_data { serde_json::to_string(&message).ok() } else { None };
        let message = message.to_string();
        ErrorAttributes { code, reason, message, said, is_refusal, platform_code, platform_message, field }
    }
}

impl From<ErrorAttributes> for ChangeError {
    fn from(attributes: ErrorAttributes) -> ChangeError {
        let ErrorAttributes { code, reason, message, said, is_refusal, platform_code, platform_message, field } =
            attributes;
        let said = said.and_then(|said| serde_json::from_str(&said).ok());
        let message = said.unwrap_or(Statement::Text(message));
        let reason = reason.as_deref().and_then(Reason::parse);
        ChangeError { code, reason, message, is_refusal, platform_code, platform_message, field }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ChangeStatement, ConnectionStatement, FieldError, Platform, TimeRule};

    fn stored(message: impl Into<Statement>) -> ErrorAttributes {
        ErrorAttributes::from(ChangeError { message: message.into(), ..ChangeError::default() })
    }

    #[test]
    fn an_error_is_read_with_its_data() {
        let ended = ConnectionStatement::AuthorizationEnded(Platform::Beta);
        let fields = vec![FieldError::new("end_at", TimeRule::AfterStart)];
        for message in [
            Statement::from(ended).and(ChangeStatement::FieldsUnknown(vec!["name".to_owned()])),
            Statement::Fields(fields),
            Statement::from("Meta refused the request: Too low."),
        ] {
            let attributes = stored(message.clone());
            assert_eq!(attributes.message, message.to_string());
            assert_eq!(ChangeError::from(attributes).message, message);
        }
    }

    #[test]
    fn an_error_whose_data_is_not_known_is_read_with_its_words() {
        let unknown = ErrorAttributes { said: Some("{\"Later\":1}".to_owned()), ..stored("No.") };
        assert_eq!(ChangeError::from(unknown).message, Statement::from("No."));
        assert_eq!(stored("No.").said, None, "words are no data");
    }
}
