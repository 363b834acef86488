//! The platform's words, and ours for them. Beyond the code, its message is all that there is to go by.

use crate::platforms::answers::bounded;
use jiff::Timestamp;
use std::time::Duration;

/// The platform's fields and ours. The longer name stands before the one that it contains.
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
    ("budget", "budget_amount"),
];

/// The field that a message is about, in our name for it, else in the platform's own.
///
/// A fault of one field is written `field: what is wrong` or `Invalid value for field: what is wrong`; all others are
/// prose that may name one.
pub(super) fn field(words: &str) -> Option<String> {
    let words = words.to_lowercase();
    let is_name = |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let name = words.split_once(':').map(|(name, _)| name.trim());
    let name =
        name.map(|name| name.strip_prefix("invalid value for").unwrap_or(name).trim_matches([' ', '\'', '"', '`']));
    let named = name.filter(is_name);
    let within = named.unwrap_or(&words);
    let ours = FIELDS.iter().find(|(theirs, _)| within.contains(theirs)).map(|(_, ours)| *ours);
    ours.map(str::to_owned).or_else(|| named.map(bounded))
}

/// How long to wait, by the limit that was met. A second's share is there again in the next one, a minute's after
/// five minutes, a day's at midnight UTC (TikTok API for Business: Rate limits). The platform sends no header, and
/// where its words do not name the limit either the middle one is taken; limits of single values have none
/// published.
pub(super) fn wait(code: i64, words: &str, now: Timestamp) -> Duration {
    const DAY: i64 = 86_400;
    let words = words.to_lowercase();
    let names = |limits: [&str; 2]| limits.iter().any(|limit| words.contains(limit));
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
