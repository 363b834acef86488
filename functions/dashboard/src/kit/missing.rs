//! What is missing in a sum that says "at least", in words: `without TikTok since 02:58 UTC`.

use crate::kit::connections::accounts_of;
use crate::kit::text::{clock, listed};
use jiff::Timestamp;
use shared::domain::Platform;

/// Ad accounts of a platform that a sum is without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissingPart {
    pub(crate) platform: Platform,
    pub(crate) missing: usize,
    /// The accounts of the platform that belong to the sum.
    pub(crate) all: usize,
    /// Their last answer; `None` if it is not known.
    pub(crate) since: Option<Timestamp>,
}

/// `without TikTok since 02:58 UTC and 1 of 3 accounts of Meta`; `None` if nothing is missing.
pub(crate) fn without(parts: &[MissingPart], now: Timestamp) -> Option<String> {
    let part = |MissingPart { platform, missing, all, since }: &MissingPart| {
        let since = since.map(|at| format!(" since {}", clock(at, now))).unwrap_or_default();
        format!("{}{since}", accounts_of(*platform, *missing, *all).0)
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    (!parts.is_empty()).then(|| format!("without {}", listed(&parts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::TODAY;

    #[test]
    fn what_is_missing_is_named_with_its_last_answer() {
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        let part = |platform, missing, all, since: Option<&str>| MissingPart {
            platform,
            missing,
            all,
            since: since.map(|at| at.parse().unwrap()),
        };
        let tiktok = part(Platform::Gamma, 2, 2, Some("2026-11-30T02:58:00Z"));
        let meta = part(Platform::Beta, 1, 3, None);
        let reddit = part(Platform::Zeta, 1, 1, Some("2026-11-29T23:00:00Z"));
        assert_eq!(without(&[], now), None);
        let shown = |parts: &[MissingPart]| without(parts, now).map(|words| words.replace(TODAY, ""));
        assert_eq!(
            shown(std::slice::from_ref(&tiktok)).as_deref(),
            Some("without TikTok since 30 Nov 2026, 02:58 UTC"),
            "the page leaves out the day of today"
        );
        assert_eq!(
            shown(&[tiktok, meta, reddit]).as_deref(),
            Some(
                "without TikTok since 30 Nov 2026, 02:58 UTC, 1 of 3 accounts of Meta and Reddit since 29 Nov 2026, 23:00 UTC"
            )
        );
    }
}
