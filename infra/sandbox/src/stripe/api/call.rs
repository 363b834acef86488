//! An authenticated API call with its parameters.

use crate::stripe::error::StripeError;
use crate::stripe::events::Trigger;
use crate::stripe::params::Params;
use serde_json::Value;

/// The object to return, or the error.
pub(crate) type ApiResult = Result<Value, StripeError>;

/// A call with checked parameters.
pub(crate) struct ApiCall {
    pub(crate) params: Params,
    pub(crate) trigger: Trigger,
    /// Address of the hosted pages, without a trailing slash.
    pub(crate) base_url: String,
    /// Maximum rows of a list, when `/_sandbox/settings` limits them.
    pub(crate) page_size: Option<usize>,
}

impl ApiCall {
    /// The names in `expand`, each one of `known`.
    pub(crate) fn expanded(&self, known: &'static [&'static str]) -> Result<Vec<&'static str>, StripeError> {
        let find = |name| known.iter().find(|known| **known == name).copied();
        let unknown = |name| {
            let why = format!("This property cannot be expanded ({name}); here it may be one of: {}", known.join(", "));
            StripeError::invalid(why).about("expand")
        };
        self.params.list("expand").map(|name| find(name).ok_or_else(|| unknown(name))).collect()
    }

    /// An email address in a parameter.
    pub(crate) fn email(&self, name: &str) -> Result<Option<String>, StripeError> {
        match self.params.text(name)? {
            Some(text) if !text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty()) => {
                Err(StripeError::email(name, text))
            }
            text => Ok(text.map(str::to_owned)),
        }
    }
}
