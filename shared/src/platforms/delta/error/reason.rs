//! The reason in the body of an error: its codes, its texts, and the field that it is about.

use crate::platforms::delta::wire;
use crate::platforms::prelude::*;

/// An error's body that is not empty.
pub(super) struct Reason(wire::ErrorBody);

impl Reason {
    pub(super) fn of(response: &OutboundResponse) -> Option<Reason> {
        let body: wire::ErrorBody = read_object(Platform::Delta, &response.body).ok()?;
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

    /// Recognizes the refusal of a field that this service has put into a request, with the status of a missing right:
    /// `Unpermitted fields present in PARAMETER: Data Processing Exception while processing fields [/name]`.
    pub(super) fn is_about_fields(&self) -> bool {
        self.message().to_ascii_lowercase().starts_with("unpermitted fields")
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

    /// Of several errors that about a field of ours, else the first. Its code is finer than that of the whole. Without
    /// a path in the details the message may have one.
    pub(super) fn to_platform_error(&self) -> PlatformError {
        let is_ours = |input: &&wire::InputError| path_of(input).is_some_and(|path| field_at(path).is_some());
        let input = self.inputs().find(is_ours).or_else(|| self.inputs().next());
        let codes = [input.and_then(|input| input.code.as_deref()), Some(self.code())];
        let named = codes.into_iter().flatten().find(|code| is_code(code)).map(bounded);
        let code = named.or_else(|| Some(self.0.service_error_code?.to_string()));
        let message = self.full_message();
        let in_words = || code.as_deref().and_then(our_field).or_else(|| field_in(&message)).map(str::to_owned);
        let field = input.and_then(path_of).and_then(field).or_else(in_words);
        PlatformError { field, message: bounded(&message), code }
    }
}

/// Recognizes a code that is a name (`FIELD_VALUE_TOO_LOW`). Some codes are sentences (recorded live).
fn is_code(text: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_name)
}

fn path_of(input: &wire::InputError) -> Option<&str> {
    input.input.as_ref()?.input_path.as_ref()?.field_path.as_deref()
}

/// The names in a path, the last one first.
fn names(path: &str) -> impl Iterator<Item = &str> {
    let is_index = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    path.rsplit(['/', '.', '[', ']']).filter(move |part| !is_index(part))
}

/// Our field at a path.
fn field_at(path: &str) -> Option<&'static str> {
    names(path).find_map(our_field)
}

/// Our name for the field at a path, else the last segment of the path.
fn field(path: &str) -> Option<String> {
    field_at(path).map(str::to_owned).or_else(|| names(path).next().map(bounded))
}

/// Our field for the first path in a message that has one: `ERROR :: /Campaign/totalBudget/amount :: ...`, or
/// `field=totalBudget` in older messages.
fn field_in(message: &str) -> Option<&'static str> {
    let mut words = message.split(|letter: char| letter.is_whitespace() || "(){},;:".contains(letter));
    words.find_map(|word| {
        let is_path = word.starts_with('/') && !word.starts_with("//");
        let path = word.strip_prefix("field=").or(is_path.then_some(word))?;
        field_at(path)
    })
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
        "objectiveType" | "optimizationTargetType" | "IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE" => Some("goal"),
        _ => None,
    }
}
