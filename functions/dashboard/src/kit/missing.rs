//! The words for the age of the numbers of a page and for what they lack: `Updated just now, TikTok as of 02:58 UTC`. Home, the
//! list, Insights and Months take them from here, so they say the same.

use crate::kit::connections::accounts_of;
use crate::kit::text::{clock, listed, readable};
use jiff::{SignedDuration, Timestamp};
use shared::domain::Platform;

/// What is said of an ad account that was connected a moment ago.
const FIRST: &str = " for the first time";

/// The ad accounts of a platform that a sum or a page lacks, or has from before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissingPart {
    pub(crate) platform: Platform,
    pub(crate) missing: usize,
    /// The accounts of the platform that belong to the sum.
    pub(crate) all: usize,
    /// Their last answer, the oldest of several; `None` if there is none, or it is not known.
    pub(crate) since: Option<Timestamp>,
    /// Whether what was read then is in the sum.
    pub(crate) is_kept: bool,
    /// Whether it is being read for the first time.
    pub(crate) is_first: bool,
}

/// `TikTok as of 02:58 UTC, without 1 of 3 accounts of Meta`; `None` if nothing is missing. Platforms with the same time stand
/// together. `without Meta since 02:58 UTC` names the last answer of a platform that the sum does not have at all.
pub(crate) fn without(parts: &[MissingPart], now: Timestamp) -> Option<String> {
    let mut told: Vec<((&str, String), Vec<String>)> = Vec::new();
    for MissingPart { platform, missing, all, since, is_kept, is_first } in parts {
        let (before, word) = match (is_first, is_kept) {
            (true, _) => ("reading ", ""),
            (false, true) => ("", "as of"),
            (false, false) => ("without ", "since"),
        };
        let since = since.map(|at| format!(" {word} {}", clock(at, now))).unwrap_or_default();
        let told_by = (before, if *is_first { FIRST.to_owned() } else { since });
        let (who, _) = accounts_of(*platform, *missing, *all);
        match told.iter_mut().find(|(known, _)| *known == told_by) {
            Some((_, others)) => others.push(who),
            None => told.push((told_by, vec![who])),
        }
    }
    let words: Vec<String> =
        told.iter().map(|((before, since), who)| format!("{before}{}{since}", listed(who))).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// The age of what a page shows: `Updated just now, TikTok as of 02:58 UTC`. `read` is the oldest reading of what is
/// not missing; `None` for the words if there is nothing to read.
pub(crate) fn freshness(read: Option<Timestamp>, parts: &[MissingPart], now: Timestamp) -> Option<String> {
    match (read, without(parts, now)) {
        (Some(at), None) => Some(format!("Updated {}", age(at, now))),
        (Some(at), Some(without)) => Some(format!("Updated {}, {without}", age(at, now))),
        (None, Some(_)) if parts.iter().all(|part| part.is_first) => Some(format!("Reading{FIRST}")),
        (None, Some(_)) if parts.iter().all(|part| part.since.is_none()) => Some("No data yet".to_owned()),
        (None, Some(without)) => Some(format!("Not up to date, {without}")),
        (None, None) => None,
    }
}

/// When numbers that a person has asked for too soon can be read again: `You can refresh again in 6 seconds.`
pub(crate) fn newer_in(seconds: i64) -> String {
    format!("You can refresh again in {seconds} second{}.", if seconds == 1 { "" } else { "s" })
}

/// How far a reading is: `18 of 25 ad accounts have responded.` With `more`, what is known by now.
pub(crate) fn progress(answered: usize, all: usize, more: Option<String>) -> String {
    let more = more.map(|more| format!(", {more} so far")).unwrap_or_default();
    format!("{answered} of {all} ad accounts have responded{more}.")
}

/// How long ago something was, for people: `2 minutes ago`; a time for what is older than an hour.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    let age = now.duration_since(at);
    match age.as_mins() {
        ..1 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        minutes if age < SignedDuration::from_hours(1) => format!("{minutes} minutes ago"),
        _ => format!("at {}", readable(at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::TODAY;

    fn at(time: &str) -> Timestamp {
        format!("2026-11-30T{time}Z").parse().unwrap()
    }

    fn part(platform: Platform, missing: usize, all: usize, since: Option<&str>) -> MissingPart {
        let (since, is_kept) = (since.map(|at| at.parse().unwrap()), since.is_some());
        MissingPart { platform, missing, all, since, is_kept, is_first: false }
    }

    /// TikTok since this night, one of three accounts of Meta that has never answered, and Reddit since yesterday.
    fn parts() -> [MissingPart; 3] {
        [
            part(Platform::Gamma, 2, 2, Some("2026-11-30T02:58:00Z")),
            part(Platform::Beta, 1, 3, None),
            part(Platform::Zeta, 1, 1, Some("2026-11-29T23:00:00Z")),
        ]
    }

    /// Words as a page shows them: without the day of today.
    fn shown(words: Option<String>) -> Option<String> {
        words.map(|words| words.replace(&format!("{TODAY}30 Nov 2026, "), ""))
    }

    #[test]
    fn what_is_missing_is_named_with_its_last_answer() {
        let words = |parts: &[MissingPart]| shown(without(parts, at("09:00:00")));
        let [tiktok, meta, reddit] = parts();
        assert_eq!(words(&[]), None);
        assert_eq!(words(std::slice::from_ref(&tiktok)).as_deref(), Some("TikTok as of 02:58 UTC"));
        assert_eq!(
            words(&[tiktok.clone(), meta, reddit]).as_deref(),
            Some("TikTok as of 02:58 UTC, without 1 of 3 accounts of Meta, Reddit as of 29 Nov 2026, 23:00 UTC")
        );
        let same = [Platform::Alpha, Platform::Beta].map(|platform| MissingPart { platform, ..tiktok.clone() });
        let [google, meta] = same;
        assert_eq!(words(&[google, meta, tiktok]).as_deref(), Some("Google Ads, Meta and TikTok as of 02:58 UTC"));
        let first =
            [Platform::Beta, Platform::Gamma].map(|one| MissingPart { is_first: true, ..part(one, 1, 1, None) });
        assert_eq!(words(&first).as_deref(), Some("reading Meta and TikTok for the first time"));
        let lost = MissingPart { is_kept: false, ..parts()[0].clone() };
        assert_eq!(words(&[lost]).as_deref(), Some("without TikTok since 02:58 UTC"));
    }

    #[test]
    fn just_now_is_never_said_of_what_is_silent() {
        let words = |read: Option<&str>, parts: &[MissingPart]| {
            shown(freshness(read.map(at), parts, at("09:00:00"))).unwrap_or_default()
        };
        let [tiktok, meta, _] = parts();
        assert_eq!(words(Some("08:59:30"), &[]), "Updated just now");
        assert_eq!(words(Some("08:59:30"), std::slice::from_ref(&tiktok)), "Updated just now, TikTok as of 02:58 UTC");
        let moment = part(Platform::Gamma, 2, 2, Some("2026-11-30T08:59:40Z"));
        assert_eq!(words(Some("08:58:30"), &[moment]), "Updated 1 minute ago, TikTok as of 08:59 UTC");
        assert_eq!(words(None, std::slice::from_ref(&tiktok)), "Not up to date, TikTok as of 02:58 UTC");
        assert_eq!(words(None, std::slice::from_ref(&meta)), "No data yet");
        assert_eq!(words(None, &[]), "");
    }

    #[test]
    fn a_reading_says_how_far_it_is_and_when_it_can_begin_again() {
        assert_eq!(progress(18, 25, None), "18 of 25 ad accounts have responded.");
        let more = Some("45 campaigns".to_owned());
        assert_eq!(progress(18, 25, more), "18 of 25 ad accounts have responded, 45 campaigns so far.");
        assert_eq!(newer_in(6), "You can refresh again in 6 seconds.");
        assert_eq!(newer_in(1), "You can refresh again in 1 second.");
    }

    #[test]
    fn an_age_is_told_in_minutes_and_then_as_a_time() {
        for (then, told) in [
            ("11:59:30", "just now"),
            ("11:58:30", "1 minute ago"),
            ("11:01:00", "59 minutes ago"),
            ("10:00:00", "at 30 Nov 2026, 10:00 UTC"),
        ] {
            assert_eq!(age(at(then), at("12:00:00")), told);
        }
    }
}
