//! The events of quotas.

use super::{Event, EventKind, Occurrence, Subject};
use crate::domain::{Plan, Usage, variants};
use jiff::Timestamp;
use strum::VariantArray;

/// A share of a period's requests that one event reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum QuotaThreshold {
    Percent80,
    Percent100,
}

/// The threshold that was reported last, and its period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedQuota {
    pub threshold: QuotaThreshold,
    pub period_start: Timestamp,
}

impl QuotaThreshold {
    /// Every threshold, in their order.
    pub const ALL: [QuotaThreshold; 2] = variants();

    /// The share in percent.
    pub const fn percent(self) -> u64 {
        match self {
            QuotaThreshold::Percent80 => 80,
            QuotaThreshold::Percent100 => 100,
        }
    }

    /// The number of requests from which on a plan's quota is used to this share.
    pub fn requests(self, plan: Plan) -> u64 {
        (plan.limits().requests_per_period * self.percent()).div_ceil(100)
    }

    fn kind(self) -> EventKind {
        match self {
            QuotaThreshold::Percent80 => EventKind::Quota80Percent,
            QuotaThreshold::Percent100 => EventKind::Quota100Percent,
        }
    }

    /// The thresholds that the use of a plan has reached in its period and that no event has reported.
    pub fn unreported(plan: Plan, usage: Usage, reported: Option<ReportedQuota>) -> Vec<QuotaThreshold> {
        let reported = reported.filter(|reported| reported.period_start == usage.period_start);
        let is_unreported = |threshold: &QuotaThreshold| {
            usage.requests_used >= threshold.requests(plan)
                && reported.is_none_or(|reported| reported.threshold < *threshold)
        };
        QuotaThreshold::ALL.into_iter().filter(is_unreported).collect()
    }
}

impl Event {
    /// The event of a quota that is used to a threshold.
    pub fn of_quota(threshold: QuotaThreshold, plan: Plan, usage: Usage, occurrence: Occurrence) -> Event {
        let name = usage.period_start.as_second().to_string();
        Event::new(occurrence, threshold.kind(), &name, Subject::Quota { plan, usage })
    }
}

#[cfg(test)]
mod tests {
    use super::QuotaThreshold::{Percent80, Percent100};
    use super::*;

    #[test]
    fn a_threshold_is_reported_once_in_a_period() {
        let period = Usage::of_month(Timestamp::constant(1_790_000_000, 0));
        let told = |threshold| Some(ReportedQuota { threshold, period_start: period.period_start });
        let earlier = Some(ReportedQuota { threshold: Percent100, period_start: Timestamp::UNIX_EPOCH });
        for (used, told, unreported) in [
            (7_999, None, vec![]),
            (8_000, None, vec![Percent80]),
            (8_000, told(Percent80), vec![]),
            (9_999, told(Percent80), vec![]),
            (10_000, told(Percent80), vec![Percent100]),
            (10_000, told(Percent100), vec![]),
            (10_000, None, vec![Percent80, Percent100]),
            (8_000, earlier, vec![Percent80]),
        ] {
            let usage = Usage { requests_used: used, ..period };
            assert_eq!(QuotaThreshold::unreported(Plan::Starter, usage, told), unreported, "{used} {told:?}");
        }
    }

    #[test]
    fn a_smaller_plan_reaches_what_a_larger_one_has_not() {
        let usage = Usage { requests_used: 9_000, ..Usage::of_month(Timestamp::UNIX_EPOCH) };
        assert_eq!(QuotaThreshold::unreported(Plan::Pro, usage, None), []);
        assert_eq!(QuotaThreshold::unreported(Plan::Starter, usage, None), [Percent80]);
    }
}
