//! Why campaigns do not run, in words.

use crate::kit::total::Total;
use rust_decimal::Decimal;
use shared::domain::{AdDelivery, AdReview, AdState, AdsUnread, DeliveryReason, DeliveryState, ReasonGroup};

/// Reasons that a list shows of a campaign.
const MAX_REASONS: usize = 3;

/// Whether a campaign has spent lately, as its platform reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lately {
    Today,
    /// In the seven full days before today.
    Week,
    Nothing,
    /// The spend of today is not known.
    Unknown,
}

impl Lately {
    /// What the spend of today and of the seven days before says.
    pub(crate) fn of(today: Total, week: Total) -> Lately {
        let has_spent = |total: Total| total.known() > Some(Decimal::ZERO);
        if has_spent(today) {
            Lately::Today
        } else if has_spent(week) {
            Lately::Week
        } else if today.exact().is_some() {
            Lately::Nothing
        } else {
            Lately::Unknown
        }
    }

    /// Whether it has spent.
    fn has_spent(self) -> bool {
        matches!(self, Lately::Today | Lately::Week)
    }
}

/// Why a campaign is not shown although it is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotRunning {
    /// Whether that passes without a change.
    pub(crate) passes: bool,
    /// The gravest reasons, with the number of ads that have each.
    pub(crate) reasons: Vec<(DeliveryReason, Option<usize>)>,
}

impl NotRunning {
    /// What a list keeps of a judgement; `None` for a campaign that may be shown, or is switched off.
    pub(crate) fn of(delivery: &AdDelivery) -> Option<NotRunning> {
        let passes = match delivery.state {
            DeliveryState::Blocked => false,
            DeliveryState::Waiting => true,
            DeliveryState::Eligible | DeliveryState::Limited | DeliveryState::Unknown | DeliveryState::Off => {
                return None;
            }
        };
        let reasons = delivery.reasons.iter().take(MAX_REASONS).map(|group| (group.reason, group.count)).collect();
        Some(NotRunning { passes, reasons })
    }

    /// Whether the campaign only waits for its start, which is no trouble.
    pub(crate) fn only_begins(&self) -> bool {
        self.passes
            && !self.reasons.is_empty()
            && self.reasons.iter().all(|(reason, _)| *reason == DeliveryReason::NotStarted)
    }

    /// Whether its platform says that it has not started although it has spent.
    pub(crate) fn is_contradicted(&self, lately: Lately) -> bool {
        lately.has_spent() && self.reasons.iter().any(|(reason, _)| *reason == DeliveryReason::NotStarted)
    }

    /// The line of a list: `Not running: 2 ads rejected`. What has spent is not said to wait for its start.
    pub(crate) fn line(&self, lately: Lately) -> String {
        let begin = match lately {
            Lately::Today if self.is_contradicted(lately) => "Spends, but its platform says",
            Lately::Week if self.is_contradicted(lately) => "Spent this week, but its platform says",
            Lately::Today | Lately::Week if self.passes => "Not running now:",
            _ if self.passes => "Not yet running:",
            _ => "Not running:",
        };
        format!("{begin} {}", self.words())
    }

    /// The reasons: `2 ads rejected, no ads`.
    pub(crate) fn words(&self) -> String {
        let mut reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| reason_words(*reason, *count)).collect();
        // One reason may lie at several levels.
        reasons.dedup();
        reasons.join(", ")
    }
}

/// A state for people.
pub(crate) fn state_word(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Eligible => "Can run",
        DeliveryState::Limited => "Can run, with a problem",
        DeliveryState::Waiting => "Not yet running",
        DeliveryState::Blocked => "Not running",
        DeliveryState::Off => "Switched off",
        DeliveryState::Unknown => "Not known",
    }
}

/// What a state means for people.
pub(crate) fn state_meaning(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Eligible => "It can run, and its platform reports no problem.",
        DeliveryState::Limited => "It can run, but its platform reports a problem.",
        DeliveryState::Waiting | DeliveryState::Blocked | DeliveryState::Off | DeliveryState::Unknown => {
            state.meaning()
        }
    }
}

/// The class of a state's badge.
pub(crate) fn tone(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Eligible => "good",
        DeliveryState::Blocked => "bad",
        DeliveryState::Limited | DeliveryState::Waiting => "warn",
        DeliveryState::Off | DeliveryState::Unknown => "plain",
    }
}

/// A reason for people: `2 ads rejected`.
pub(crate) fn reason_words(reason: DeliveryReason, count: Option<usize>) -> String {
    let ads = |what: &str| match count {
        Some(1) => format!("1 ad {what}"),
        Some(count) => format!("{count} ads {what}"),
        None => format!("ads {what}"),
    };
    let words = match reason {
        DeliveryReason::AdsRejected => return ads("rejected"),
        DeliveryReason::AdsInReview => return ads("in review"),
        DeliveryReason::AdsLimited => return ads("limited"),
        DeliveryReason::AdsOff => return ads("switched off"),
        DeliveryReason::CampaignStatus => "switched off",
        DeliveryReason::ParentOff => "its group is off",
        DeliveryReason::HeldByService => "paused by this service",
        DeliveryReason::NotStarted => "it has not started",
        DeliveryReason::Ended => "its end date has passed",
        DeliveryReason::NoAds => "no ads",
        DeliveryReason::NoEligibleAds => "no ad that can be shown",
        DeliveryReason::Processing => "being prepared",
        DeliveryReason::Learning => "learning",
        DeliveryReason::BudgetSpent => "budget used up",
        DeliveryReason::Budget => "its budget limits it",
        DeliveryReason::Billing => "the ad account cannot pay",
        DeliveryReason::Account => "the ad account is held",
        DeliveryReason::Targeting => "it reaches too few people",
        DeliveryReason::Bidding => "its bid limits it",
        DeliveryReason::Asset => "its ads lack something they need",
        DeliveryReason::Other => "the platform says why",
    };
    words.to_owned()
}

/// A reason with the platform's words, and what to do, for the page of a campaign.
pub(crate) struct ReasonRow {
    pub(crate) title: String,
    pub(crate) advice: &'static str,
    /// The platform's text, or else its words.
    pub(crate) said: String,
}

impl From<&ReasonGroup> for ReasonRow {
    fn from(group: &ReasonGroup) -> ReasonRow {
        let mut title = reason_words(group.reason, group.count);
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let words = || group.words.iter().map(|word| platform_word(word)).collect::<Vec<_>>().join(", ");
        let said = group.message.clone().unwrap_or_else(words);
        ReasonRow { title, advice: group.reason.advice(), said }
    }
}

/// What holds a campaign or an ad of LinkedIn back, which has words for programs alone.
const OF_LINKEDIN: [(&str, &str); 14] = [
    ("CAMPAIGN_START_DATE_HOLD", "its start date is in the future"),
    ("CAMPAIGN_GROUP_START_DATE_HOLD", "the start of its campaign group is in the future"),
    ("CAMPAIGN_END_DATE_HOLD", "its end has passed"),
    ("CAMPAIGN_GROUP_END_DATE_HOLD", "the end of its campaign group has passed"),
    ("ACCOUNT_END_DATE_HOLD", "the end of the ad account has passed"),
    ("CAMPAIGN_TOTAL_BUDGET_HOLD", "its whole budget is spent"),
    ("CAMPAIGN_GROUP_TOTAL_BUDGET_HOLD", "the budget of its campaign group is spent"),
    ("ACCOUNT_TOTAL_BUDGET_HOLD", "the budget of the ad account is spent"),
    ("CAMPAIGN_AUDIENCE_COUNT_HOLD", "its audience is too small"),
    ("CAMPAIGN_GROUP_STATUS_HOLD", "its campaign group is not active"),
    ("ACCOUNT_SERVING_HOLD", "the ad account is held"),
    ("BILLING_HOLD", "the ad account cannot pay"),
    ("CAMPAIGN_STOPPED", "its campaign is not active"),
    ("UNDER_REVIEW", "it is in review"),
];

/// A platform's word for people: `its platform says: start date hold` for one without words here. A text stays as it is.
pub(crate) fn platform_word(word: &str) -> String {
    let is_code = word.contains('_') && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    match OF_LINKEDIN.iter().find(|(known, _)| *known == word) {
        Some((_, words)) => (*words).to_owned(),
        None if is_code => format!("its platform says: {}", word.replace('_', " ").to_lowercase()),
        None => word.to_owned(),
    }
}

/// The state of an ad for people.
pub(crate) fn ad_word(state: AdState) -> &'static str {
    match state {
        AdState::CanRun => "Can run",
        AdState::Waiting => "Not yet shown",
        AdState::Blocked => "Not shown",
        AdState::Off => "Switched off",
        AdState::Unknown => "Not known",
    }
}

/// The review of an ad for people.
pub(crate) fn review_word(review: AdReview) -> &'static str {
    match review {
        AdReview::Approved => "Approved",
        AdReview::InReview => "In review",
        AdReview::Rejected => "Rejected",
        AdReview::Limited => "Limited",
        AdReview::Unknown => "Not known",
    }
}

/// Why the ads were not read, for people.
pub(crate) fn unread_words(reason: AdsUnread) -> &'static str {
    match reason {
        AdsUnread::NotRead => "The ads were not read.",
        AdsUnread::TooMany => "It has more ads than this page reads. See them at the platform.",
        AdsUnread::NotPermitted => "The connection may not read ads. Reconnect the account, and permit it.",
        AdsUnread::NotOffered => "The platform shows no single ads of such a campaign.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_counts_ads_and_says_whether_it_passes() {
        let of = |passes, reasons: &[_]| NotRunning { passes, reasons: reasons.to_vec() }.line(Lately::Nothing);
        let rejected = (DeliveryReason::AdsRejected, Some(2));
        assert_eq!(of(false, &[rejected]), "Not running: 2 ads rejected");
        let review = (DeliveryReason::AdsInReview, Some(1));
        assert_eq!(of(true, &[review]), "Not yet running: 1 ad in review");
        let twice = (DeliveryReason::NotStarted, None);
        assert_eq!(of(true, &[twice, twice]), "Not yet running: it has not started");
        assert_eq!(
            of(false, &[(DeliveryReason::Billing, None), rejected]),
            "Not running: the ad account cannot pay, 2 ads rejected"
        );
    }

    #[test]
    fn what_has_spent_is_not_said_to_wait_for_its_start() {
        let of = |reason, lately| NotRunning { passes: true, reasons: vec![(reason, None)] }.line(lately);
        let begins = |lately| of(DeliveryReason::NotStarted, lately);
        assert_eq!(begins(Lately::Today), "Spends, but its platform says it has not started");
        assert_eq!(begins(Lately::Week), "Spent this week, but its platform says it has not started");
        assert_eq!(begins(Lately::Unknown), "Not yet running: it has not started");
        assert_eq!(of(DeliveryReason::Processing, Lately::Today), "Not running now: being prepared");
        let whole = |amount: i64| Total::of(Some(Decimal::from(amount)));
        for (today, week, lately) in [
            (whole(1), Total::UNKNOWN, Lately::Today),
            (whole(1).lower_bound(), whole(0), Lately::Today),
            (Total::UNKNOWN, whole(1), Lately::Week),
            (whole(0), whole(0), Lately::Nothing),
            (whole(0).lower_bound(), whole(0), Lately::Unknown),
            (whole(-1), whole(0), Lately::Nothing),
        ] {
            assert_eq!(Lately::of(today, week), lately, "{today:?} {week:?}");
        }
    }

    #[test]
    fn what_waits_for_its_start_alone_is_no_trouble() {
        let of = |passes, reasons: &[DeliveryReason]| {
            NotRunning { passes, reasons: reasons.iter().map(|reason| (*reason, None)).collect() }.only_begins()
        };
        assert!(of(true, &[DeliveryReason::NotStarted, DeliveryReason::NotStarted]));
        assert!(!of(true, &[DeliveryReason::NotStarted, DeliveryReason::AdsInReview]));
        assert!(!of(false, &[DeliveryReason::NotStarted]) && !of(true, &[]));
    }

    #[test]
    fn a_word_for_programs_is_said_in_words() {
        for (word, said) in [
            ("CAMPAIGN_GROUP_START_DATE_HOLD", "the start of its campaign group is in the future"),
            ("START_DATE_HOLD", "its platform says: start date hold"),
            ("Too much text", "Too much text"),
        ] {
            assert_eq!(platform_word(word), said);
        }
    }

    #[test]
    fn every_reason_has_words_of_its_own() {
        let words: std::collections::BTreeSet<String> =
            DeliveryReason::ALL.map(|reason| reason_words(reason, None)).into_iter().collect();
        assert_eq!(words.len(), DeliveryReason::ALL.len());
    }
}
