//! The reason in the body of an error: its codes, its texts, and the field that it is about.

use crate::platforms::delta::wire;
use crate::platforms::prelude::*;

/// An error's body that is not empty.
pub(super) struct Reason(wire::ErrorBody);

impl Reason {
    pub(super) fn of(answer: &Answer) -> Option<Reason> {
        let body: wire::ErrorBody = read_object(Platform::Delta, &answer.body).ok()?;
        let is_empty = body.message.is_none() && body.code.is_none() && body.service_error_code.is_none();
        (!is_empty).then_some(Reason(body))
    }

    pub(super) fn code(&self) -> &str {
        self.0.code.as_deref().unwrap_or_default()
    }

    pub(super) fn message(&self) -> &str {
        self.0.message.as_deref().unwrap_or_default()
    }

    fn inputs(&self) -> impl Iterator<Item = &wire::InputError> {
        self.0.error_details.iter().flat_map(|details| &details.input_errors)
    }

    pub(super) fn is_about_token(&self) -> bool {
        let names = ["EXPIRED_ACCESS_TOKEN", "REVOKED_ACCESS_TOKEN", "INVALID_ACCESS_TOKEN"];
        names.contains(&self.code()) || matches!(self.0.service_error_code, Some(65_600..=65_602))
    }

    pub(super) fn is_about_version(&self) -> bool {
        ["VERSION_MISSING", "NONEXISTENT_VERSION"].contains(&self.code())
    }

    /// The codes, for the log.
    pub(super) fn codes(&self) -> String {
        format!("code {:?}, service error code {:?}", bounded(self.code()), self.0.service_error_code)
    }

    /// The message, and the texts of the fields' errors that it does not contain. Some of their codes are sentences.
    pub(super) fn full_message(&self) -> String {
        let mut message = self.message().trim().to_owned();
        for input in self.inputs() {
            let prose = input.code.as_deref().filter(|code| !is_code(code));
            for more in [input.description.as_deref(), prose].into_iter().flatten().map(str::trim) {
                if !message.contains(more) {
                    message = format!("{message} {more}");
                }
            }
        }
        if message.trim().is_empty() { self.code().to_owned() } else { message.trim().to_owned() }
    }

    /// The code of the first field's error is finer than that of the whole.
    pub(super) fn to_fault(&self) -> PlatformFault {
        let first = self.inputs().next();
        let codes = [first.and_then(|input| input.code.as_deref()), Some(self.code())];
        let named = codes.into_iter().flatten().find(|code| is_code(code)).map(bounded);
        let code = named.or_else(|| Some(self.0.service_error_code?.to_string()));
        let path = first.and_then(|input| input.input.as_ref()?.input_path.as_ref()?.field_path.as_deref());
        let field = field(path.unwrap_or_default()).or_else(|| our_field(code.as_deref()?).map(str::to_owned));
        PlatformFault { field, message: bounded(&self.full_message()), code }
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

/// Our field for a segment of a path, or for a code whose error names no field.
fn our_field(theirs: &str) -> Option<&'static str> {
    match theirs {
        "name" => Some("name"),
        "currencyCode" | "CURRENCY_MISMATCH" => Some("currency"),
        "dailyBudget" | "totalBudget" | "INSUFFICIENT_CAMPAIGN_GROUP_BUDGET" => Some("budget_amount"),
        "start" => Some("start_at"),
        "end" => Some("end_at"),
        "status" | "STATUS_CHANGE_NOT_ALLOWED" => Some("status"),
        "objectiveType" | "IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE" => Some("goal"),
        _ => None,
    }
}
