//! Bodies of errors: <https://learn.microsoft.com/en-us/linkedin/marketing/error-responses>

use serde::Deserialize;
use serde_json::value::RawValue;

/// The body of an error. Its fields differ by the service that refuses.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct ErrorBody {
    pub(in crate::platforms::delta) message: Option<String>,
    /// Finer than the status: `65602`.
    pub(in crate::platforms::delta) service_error_code: Option<i64>,
    /// `EXPIRED_ACCESS_TOKEN`.
    pub(in crate::platforms::delta) code: Option<String>,
    /// Has several types. One of them is read.
    pub(in crate::platforms::delta) error_details: Option<Box<RawValue>>,
}

/// The details of a validation.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct ErrorDetails {
    #[serde(default)]
    pub(in crate::platforms::delta) input_errors: Vec<InputError>,
}

/// The error of one field.
#[derive(Debug, Deserialize)]
pub(in crate::platforms::delta) struct InputError {
    pub(in crate::platforms::delta) code: Option<String>,
    pub(in crate::platforms::delta) description: Option<String>,
    pub(in crate::platforms::delta) input: Option<Input>,
}

/// The place of an error.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct Input {
    pub(in crate::platforms::delta) input_path: Option<InputPath>,
}

/// The path of a field.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::platforms::delta) struct InputPath {
    /// `/Campaign/totalBudget/amount`.
    pub(in crate::platforms::delta) field_path: Option<String>,
}
