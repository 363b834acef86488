//! Reads the platform's messages. Beside the code they are the only source of the field and of the limit.

use crate::platforms::prelude::*;

/// The platform's fields and ours. A longer name precedes the one that it contains.
const FIELDS: &[(&str, &str)] = &[
    ("campaign_name", "name"),
    ("campaign name", "name"),
    ("budget_mode", "budget_period"),
    ("budget mode", "budget_period"),
    ("budget_optimize_on", "budget_optimize_on"),
    ("objective", "goal"),
    ("app_promotion_type", "goal"),
    ("sales_destination", "goal"),
    ("operation_status", "status"),
    ("schedule_start_time", "start_at"),
    ("schedule_end_time", "end_at"),
    ("budget", "budget_amount"),
];

/// The field that a message is about, by our name for it, else by the platform's.
///
/// An error of one field is written `field: reason` or `Invalid value for field: reason`. Other messages are prose that
/// may name a field.
pub(super) fn field(message: &str) -> Option<String> {
    let message = message.to_lowercase();
    let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let name = message.split_once(':').map(|(name, _)| name.trim());
    let name =
        name.map(|name| name.strip_prefix("invalid value for").unwrap_or(name).trim_matches([' ', '\'', '"', '`']));
    let named = name.filter(is_name);
    let within = named.unwrap_or(&message);
    let ours = FIELDS.iter().find(|(theirs, _)| within.contains(theirs)).map(|(_, ours)| *ours);
    ours.map(str::to_owned).or_else(|| named.map(bounded))
}

/// The wait of the rate limit that was reached. A limit per second ends after a second, one per minute after five
/// minutes, one per day at midnight UTC (TikTok API for Business: Rate limits). The platform sends no header. Where its
/// message does not name the limit either, it counts as one per minute. Limits of single values have no published wait.
pub(super) fn wait(code: i64, message: &str, now: Timestamp) -> Duration {
    const DAY: i64 = 86_400;
    let message = message.to_lowercase();
    let names = |limits: [&str; 2]| limits.iter().any(|limit| message.contains(limit));
    let seconds = if names(["qps", "per second"]) {
        1
    } else if names(["qpd", "per day"]) {
        DAY - now.as_second().rem_euclid(DAY)
    } else if matches!(code, 40_016 | 40_100) || names(["qpm", "per minute"]) {
        300
    } else {
        60
    };
    Duration::from_secs(seconds.unsigned_abs())
}
