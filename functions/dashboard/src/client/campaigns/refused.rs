//! Requests that the API has refused, with the fields of their form that are wrong.

use crate::client::api::Refusal;
use shared::domain::FieldError;

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
