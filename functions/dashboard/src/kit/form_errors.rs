//! What is wrong with the fields of a form: a sentence beside each field, and in the summary at the top, which links to
//! the fields.

use crate::kit::words::{self, Subject, requirement};
use serde::{Deserialize, Serialize};
use shared::domain::FieldError;
use shared::envelope::query::value;

/// A field of a form: its name in the API, the id and name of its control, and its label.
pub(crate) type Control = (&'static str, &'static str, &'static str);

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct FormError {
    /// The id of the control.
    #[serde(rename = "i")]
    pub(crate) id: String,
    /// A sentence.
    #[serde(rename = "m")]
    pub(crate) message: String,
    /// What the field belongs to, such as an ad account; empty for the form.
    #[serde(rename = "a", default, skip_serializing_if = "String::is_empty")]
    pub(crate) at: String,
}

/// A line about what no control of a form has: a field of the API, or an ad account. The sentence for a field names it, so
/// `field` is empty then.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Detail {
    pub(crate) field: String,
    pub(crate) message: String,
}

impl FormError {
    pub(crate) fn new(id: impl Into<String>, message: impl Into<String>) -> FormError {
        FormError { id: id.into(), message: message.into(), at: String::new() }
    }
}

impl From<&FieldError> for Detail {
    fn from(error: &FieldError) -> Detail {
        Detail { field: String::new(), message: words::field(error) }
    }
}

/// What is wrong with fields of the API at the controls of their form, and what no control has.
pub(crate) fn errors_of(
    fields: &[FieldError],
    controls: &[Control],
    form: &[(String, String)],
) -> (Vec<FormError>, Vec<Detail>) {
    let mut errors: Vec<FormError> = Vec::new();
    let mut others = Vec::new();
    for error in fields {
        let Some((field, id, label)) = controls.iter().find(|(field, _, _)| *field == error.field) else {
            others.push(error.into());
            continue;
        };
        let subject = Subject { field, label, typed: value(form, id).unwrap_or_default() };
        let error = FormError::new(*id, requirement(&subject, &error.rule));
        if !errors.contains(&error) {
            errors.push(error);
        }
    }
    (errors, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::AmountRule;

    #[test]
    fn each_error_stands_at_its_control() {
        let fields = [FieldError::new("limit.daily", AmountRule::Number), FieldError::new("body", "is too long")];
        let form = [("daily".to_owned(), "1,500".to_owned())];
        let (errors, others) = errors_of(&fields, &[("limit.daily", "daily", "A day")], &form);
        assert_eq!(errors, [FormError::new("daily", "1,500 can be read two ways: write 1500 or 1.500.")]);
        assert_eq!(others.iter().map(|other| other.message.as_str()).collect::<Vec<_>>(), ["“body” is too long."]);
    }
}
