//! The platform's codes and field names, and our messages and field names for them.

use crate::domain::Reason;
use crate::platforms::alpha::wire;
use crate::platforms::prelude::*;

/// Beginnings of the codes that refuse this service itself.
const OF_OPERATOR: [&str; 6] =
    ["DEVELOPER_TOKEN", "CLOUD_PROJECT", "PROJECT_DISABLED", "ORGANIZATION", "MISSING_TOS", "SERVICE_ACCESS"];

/// Reasons of Google's API gateway (`google.api.ErrorReason`) that refuse the Cloud project of this service or its key.
///
/// <https://cloud.google.com/apis/design/errors#error_info>
const OF_PROJECT: [&str; 8] = [
    "SERVICE_DISABLED",
    "SERVICE_NOT_VISIBLE",
    "BILLING_DISABLED",
    "CONSUMER_INVALID",
    "CONSUMER_SUSPENDED",
    "USER_PROJECT_DENIED",
    "RESOURCE_PROJECT_INVALID",
    "GCP_SUSPENDED",
];

/// The error for a reason of Google's API gateway; `None` for one that is not about this service itself.
pub(super) fn project_refused(reason: &str) -> Option<Error> {
    let is_of_project = OF_PROJECT.contains(&reason) || reason.starts_with("API_KEY_");
    is_of_project.then(|| {
        let message = "The project of this service at Google is not set up to use Google Ads. Nothing was changed. \
            Contact the operator of this service, who has to look into it.";
        Error::new(Kind::Forbidden, message).for_operator()
    })
}

/// The error for a refusal of access, with advice by its code.
pub(super) fn access_refused(value: &str) -> Error {
    let message = match value {
        "CUSTOMER_NOT_ENABLED" => "This ad account is not enabled on Google Ads; its owner has to activate it there.",
        "ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT" => {
            "This ad account is suspended on Google Ads; its owner has to settle that there."
        }
        "NOT_ADS_USER" | "CUSTOMER_NOT_FOUND" | "GOOGLE_ACCOUNT_DELETED" => {
            "The Google account that authorized reaches no such ad account on Google Ads; authorize with another."
        }
        "TWO_STEP_VERIFICATION_NOT_ENROLLED" | "ADVANCED_PROTECTION_NOT_ENROLLED" => {
            "Google Ads asks the Google account that authorized for a stronger sign-in; set it up, then try again."
        }
        _ if OF_OPERATOR.iter().any(|code| value.starts_with(code)) => {
            let message = "Google Ads refuses this service itself; its operator has to look into it.";
            return Error::new(Kind::Forbidden, message).for_operator();
        }
        _ => return errors::no_access(Platform::Alpha),
    };
    Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied)
}

/// The message for a refusal that only the operator of this service can resolve, by its code; `None` for all others. A
/// retired version is `UNSUPPORTED_VERSION` (recorded live, 2026-06) or, with the same message, `UNKNOWN` (recorded
/// live, 2020-10). Queries are this service's own.
pub(super) fn operator_message(family: &str, value: &str, message: &str) -> Option<String> {
    let is_retired = value == "UNSUPPORTED_VERSION" || message.contains("is deprecated. Requests to this version");
    let reason = match family {
        "requestError" if is_retired => "no longer offers the API version that this service calls",
        "queryError" => "rejects a query of this service",
        _ => return None,
    };
    Some(format!("Google Ads {reason}; its operator has to look into it."))
}

/// Advice for a refusal whose own message has none, by its code; empty for all others.
pub(super) fn remedy(value: &str) -> &'static str {
    match value {
        "EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED" => {
            " Until each campaign of the ad account has declared in Google Ads whether it is EU political advertising, \
             Google Ads refuses all changes to the account."
        }
        _ => "",
    }
}

/// The smallest budget that the platform accepts, to the last digit, with its currency where the platform names it.
pub(super) fn smallest_budget(details: &wire::BudgetPerDayMinimumErrorDetails) -> Option<String> {
    let daily = details.minimum_budget_amount_micros.or(details.misspelt_minimum_amount_micros);
    let daily = daily.map(|micros| (micros, "daily"));
    let (micros, period) = daily.or(details.minimum_budget_total_amount_micros.map(|micros| (micros, "total")))?;
    let currency = details.currency_code.as_deref().map(str::trim).filter(|code| !code.is_empty());
    let currency = currency.map(|code| format!(" {code}")).unwrap_or_default();
    Some(format!(" The smallest {period} budget that it takes here is {}{currency}.", micros.to_amount()))
}

/// Recognizes a part of a path that names an operation instead of a field.
pub(super) fn is_operation(theirs: &str) -> bool {
    let plain = theirs.replace('_', "").to_ascii_lowercase();
    plain.ends_with("operation") || plain.ends_with("operations") || matches!(&*plain, "create" | "update" | "remove")
}

/// Our field for one of the platform's, which come with or without underscores.
pub(super) fn our_field(theirs: &str) -> Option<&'static str> {
    match theirs.replace('_', "").to_ascii_lowercase().as_str() {
        "name" => Some("name"),
        "amountmicros" | "totalamountmicros" => Some("budget_amount"),
        "period" => Some("budget_period"),
        "startdatetime" => Some("start_at"),
        "enddatetime" => Some("end_at"),
        "status" => Some("status"),
        "advertisingchanneltype" | "targetspend" | "maximizeconversions" | "maximizeconversionvalue" | "manualcpm" => {
            Some("goal")
        }
        _ => None,
    }
}

/// Our field for a code whose error has no location.
pub(super) fn field_of_code(value: &str) -> Option<&'static str> {
    match value {
        "DUPLICATE_CAMPAIGN_NAME" | "INVALID_CAMPAIGN_NAME" | "DUPLICATE_NAME" => Some("name"),
        "BUDGET_BELOW_PER_DAY_MINIMUM"
        | "MONEY_AMOUNT_LESS_THAN_CURRENCY_MINIMUM_CPC"
        | "MONEY_AMOUNT_TOO_LARGE"
        | "NON_MULTIPLE_OF_MINIMUM_CURRENCY_UNIT" => Some("budget_amount"),
        "CANNOT_CHANGE_BUDGET_PERIOD" => Some("budget_period"),
        "CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED" => Some("start_at"),
        "END_DATE_TIME_REQUIRED_FOR_TOTAL_BUDGET" | "DURATION_TOO_LONG_FOR_TOTAL_BUDGET" => Some("end_at"),
        _ => None,
    }
}
