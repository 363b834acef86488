//! The reason in the body of an error: its codes, its texts, and the field that it is about.

use crate::domain::Platform;
use crate::error::PlatformFault;
use crate::outbound::Answer;
use crate::platforms::answers::{bounded, read_object};
use crate::platforms::delta::wire;

/// The reason that the body of an error gives.
pub(super) struct Reason {
    pub(super) code: Option<String>,
    pub(super) service_code: Option<i64>,
    pub(super) message: String,
    inputs: Vec<wire::InputError>,
}

impl Reason {
    pub(super) fn of(answer: &Answer) -> Option<Reason> {
        let body: wire::ErrorBody = read_object(Platform::Delta, &answer.body).ok()?;
        let details = body.error_details.and_then(|details| serde_json::from_str(details.get()).ok());
        let details: wire::ErrorDetails = details.unwrap_or_default();
        let is_empty = body.message.is_none() && body.code.is_none() && body.service_error_code.is_none();
        (!is_empty).then(|| Reason {
            code: body.code,
            service_code: body.service_error_code,
            message: body.message.unwrap_or_default(),
            inputs: details.input_errors,
        })
    }

    /// The message, and the texts of the fields' errors that it does not contain. Some of their codes are sentences.
    pub(super) fn full_message(&self) -> String {
        let mut message = self.message.trim().to_owned();
        for input in &self.inputs {
            let prose = input.code.as_deref().filter(|code| !is_code(code));
            for more in [input.description.as_deref(), prose].into_iter().flatten().map(str::trim) {
                if !message.contains(more) {
                    message = format!("{message} {more}");
                }
            }
        }
        if message.trim().is_empty() { self.code.clone().unwrap_or_default() } else { message.trim().to_owned() }
    }

    /// The code of the first field's error is finer than that of the whole.
    pub(super) fn into_fault(self) -> PlatformFault {
        let first = self.inputs.first();
        let codes = [first.and_then(|input| input.code.clone()), self.code.clone()];
        let number = self.service_code.map(|number| number.to_string());
        let code = codes.into_iter().flatten().find(|code| is_code(code)).or(number);
        let path = first.and_then(|input| input.input.as_ref()?.input_path.as_ref()?.field_path.as_deref());
        let field = field(path.unwrap_or_default()).or_else(|| field_of_code(code.as_deref()?).map(str::to_owned));
        PlatformFault { field, message: bounded(&self.full_message()), code: code.as_deref().map(bounded) }
    }
}

/// Recognizes a code that is a name (`FIELD_VALUE_TOO_LOW`). Some codes are sentences (recorded live).
fn is_code(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_name)
}

/// Our name for the field at a path, else the last segment of the path.
fn field(path: &str) -> Option<String> {
    let is_index = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = path.split(['/', '.', '[', ']']).filter(|part| !is_index(part)).collect();
    let ours = parts.iter().rev().find_map(|part| our_field(part)).map(str::to_owned);
    ours.or_else(|| parts.last().map(|part| bounded(part)))
}

/// Our field for a segment of a path.
fn our_field(theirs: &str) -> Option<&'static str> {
    match theirs {
        "name" => Some("name"),
        "currencyCode" => Some("currency"),
        "dailyBudget" | "totalBudget" => Some("budget_amount"),
        "start" => Some("start_at"),
        "end" => Some("end_at"),
        "status" => Some("status"),
        "objectiveType" => Some("goal"),
        _ => None,
    }
}

/// Our field for a code whose error names no field.
fn field_of_code(code: &str) -> Option<&'static str> {
    match code {
        "CURRENCY_MISMATCH" => Some("currency"),
        "STATUS_CHANGE_NOT_ALLOWED" => Some("status"),
        "IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE" => Some("goal"),
        "INSUFFICIENT_CAMPAIGN_GROUP_BUDGET" => Some("budget_amount"),
        _ => None,
    }
}
