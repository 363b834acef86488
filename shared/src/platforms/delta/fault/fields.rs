//! Our names for the platform's fields.

/// Our field for a segment of a path.
pub(super) fn our_field(theirs: &str) -> Option<&'static str> {
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
pub(super) fn field_of_code(code: &str) -> Option<&'static str> {
    match code {
        "CURRENCY_MISMATCH" => Some("currency"),
        "STATUS_CHANGE_NOT_ALLOWED" => Some("status"),
        "IMMUTABLE_CAMPAIGN_OBJECTIVE_TYPE" => Some("goal"),
        "INSUFFICIENT_CAMPAIGN_GROUP_BUDGET" => Some("budget_amount"),
        _ => None,
    }
}
