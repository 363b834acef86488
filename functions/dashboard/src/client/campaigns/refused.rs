//! Requests that the API has refused, with the fields of their form that are wrong.

use crate::client::api::Refusal;
use shared::error::{Error, FieldError, Kind};

/// The fields of a campaign that forms have.
const FIELDS: [&str; 8] =
    ["name", "goal", "budget_amount", "budget_period", "start_at", "end_at", "apply_at", "campaign_defaults"];

/// A request that the API has refused.
pub(crate) struct Refused {
    pub(crate) refusal: Refusal,
    /// The fields of the form that are wrong.
    pub(crate) fields: Vec<FieldError>,
}

impl From<Refusal> for Refused {
    /// A refusal that is about no field.
    fn from(refusal: Refusal) -> Refused {
        Refused { refusal, fields: Vec::new() }
    }
}

/// The fields of a form that an error is about; none if it is about others, too, which the message names.
pub(super) fn wrong_fields(error: &Error) -> Vec<FieldError> {
    let is_of_form = |wrong: &FieldError| FIELDS.contains(&wrong.field.as_str());
    if error.kind == Kind::Validation && error.details.iter().all(is_of_form) {
        error.details.clone()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_fields_of_the_form_alone_names_them() {
        let [name, start, body] = ["name", "start_at", "body"].map(|field| FieldError::new(field, "is required"));
        let fields = |details: &[&FieldError]| {
            wrong_fields(&Error::fields(details.iter().map(|detail| (*detail).clone()).collect()))
        };
        assert_eq!(fields(&[&name, &start]), [name.clone(), start]);
        assert_eq!(fields(&[&name, &body]), []);
        assert_eq!(wrong_fields(&Error { details: vec![name], ..Error::new(Kind::NotSupported, "No.") }), []);
    }
}
