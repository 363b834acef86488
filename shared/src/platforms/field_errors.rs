//! The invalid fields of a draft or a change. They are collected, so that one response names all of them.

use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{CampaignDraft, ChoiceRule, FieldError, Platform, Rule};
use crate::error::Error;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Invalid fields, each error once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(Vec<FieldError>);

impl FieldErrors {
    /// Adds an error.
    pub fn add(&mut self, field: &str, rule: impl Into<Rule>) {
        self.extend([FieldError::new(field, rule)]);
    }

    /// The value of a field; `None` after its error was added.
    pub fn check<T>(&mut self, field: &str, value: Result<T, impl Into<Rule>>) -> Option<T> {
        value.map_err(|reason| self.add(field, reason)).ok()
    }

    /// The platform's term for a field. Without one, adds an error, unless the field already has one.
    pub fn offered<T>(&mut self, platform: Platform, field: &str, term: Option<T>) -> Option<T> {
        if term.is_none() && !self.0.iter().any(|error| error.field == field) {
            self.add(field, ChoiceRule::Offered { platform, instead: None });
        }
        term
    }

    /// The instant at which a draft starts, in the zone of its plain dates; `None` without one.
    pub fn start(&mut self, draft: &CampaignDraft, zone: &TimeZone) -> Option<Timestamp> {
        self.instant("start_at", draft.start_at?.start_in(zone), zone)
    }

    /// The instant at which a draft ends, in the zone of its plain dates; `None` without one.
    pub fn end(&mut self, draft: &CampaignDraft, zone: &TimeZone) -> Option<Timestamp> {
        self.instant("end_at", draft.end_at?.end_in(zone), zone)
    }

    fn instant(&mut self, field: &str, local: Result<DateTime, MomentError>, zone: &TimeZone) -> Option<Timestamp> {
        self.check(field, local.and_then(|local| instant_of(local, zone)).map_err(MomentError::message))
    }

    /// Whether every field is valid.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An error that names all of the fields, if there are any.
    pub fn into_result(self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(Error::fields(self.0)) }
    }

    /// The error that names all of the fields.
    pub fn into_error(self, platform: Platform) -> Error {
        Error::fields(self.0).on(platform)
    }
}

impl Extend<FieldError> for FieldErrors {
    fn extend<T: IntoIterator<Item = FieldError>>(&mut self, errors: T) {
        for error in errors {
            if !self.0.contains(&error) {
                self.0.push(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_without_a_term_of_the_platform_has_one_fault() {
        let mut errors = FieldErrors::default();
        assert_eq!(errors.offered(Platform::Alpha, "budget_period", Some(1)), Some(1));
        assert!(errors.is_empty());
        assert_eq!(errors.offered(Platform::Alpha, "budget_period", None::<i64>), None);
        assert_eq!(errors.offered(Platform::Alpha, "budget_period", None::<i64>), None);
        let error = errors.into_error(Platform::Alpha);
        assert_eq!(error.details.len(), 1);
        assert_eq!(error.details[0].field, "budget_period");
        assert_eq!(error.details[0].rule.to_string(), "is not offered on Google Ads");
    }
}
