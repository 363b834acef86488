//! Start and end of campaigns: which times they may have, and when they can change.

use super::Capabilities;
use crate::domain::{CampaignChanges, DateChange, PlatformCampaign, TimeRule};
use crate::platforms::field_errors::FieldErrors;
use jiff::Timestamp;
use jiff::civil::Date;

/// The farthest date that this service holds, in days from now: ten years.
pub const HELD_DAYS_AHEAD: i64 = 3_660;

/// The rules for dates on a platform.
#[derive(Debug)]
pub struct DateRules {
    /// Both are whole days of the ad account's time zone.
    pub has_whole_days: bool,
    pub start: DateRule,
    pub end: DateRule,
    /// Both are at most so many days ahead.
    pub days_ahead: Option<i64>,
    /// The end is before this day.
    pub end_before: Option<Date>,
}

/// The rules for one of the two dates.
#[derive(Debug)]
pub struct DateRule {
    /// Which times a create can set.
    pub at_create: Timing,
    /// Which times an update can set.
    pub at_update: Timing,
    /// An update can take it away. An end that a budget period needs stays all the same.
    pub is_removable: bool,
}

/// The times that a date can be set to, as far as this service checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Any time. The platform may refuse one that has passed.
    Any,
    /// A time that has not passed.
    Ahead,
    /// A time that has not passed, until the campaign has begun.
    AheadUntilBegun,
}

impl Timing {
    /// The name in the API: `ahead`.
    pub fn as_str(self) -> &'static str {
        match self {
            Timing::Any => "any",
            Timing::Ahead => "ahead",
            Timing::AheadUntilBegun => "ahead_until_begun",
        }
    }

    /// Whether a time that has passed is refused.
    fn is_ahead(self) -> bool {
        match self {
            Timing::Any => false,
            Timing::Ahead | Timing::AheadUntilBegun => true,
        }
    }
}

impl DateRules {
    /// Dates that this service holds. A start that has passed is none.
    pub const HELD: DateRules = DateRules {
        start: DateRule { at_create: Timing::Any, at_update: Timing::Any, is_removable: true },
        days_ahead: Some(HELD_DAYS_AHEAD),
        ..DateRules::AHEAD
    };

    /// Dates of the platform that lie ahead. Every campaign has a start.
    pub const AHEAD: DateRules = DateRules {
        has_whole_days: false,
        start: DateRule { at_create: Timing::Ahead, at_update: Timing::Ahead, is_removable: false },
        end: DateRule { at_create: Timing::Ahead, at_update: Timing::Ahead, is_removable: true },
        days_ahead: None,
        end_before: None,
    };
}

impl Capabilities {
    /// Adds the errors of the dates of a new campaign.
    pub fn check_new_dates(
        &self,
        errors: &mut FieldErrors,
        start: Option<Timestamp>,
        end: Option<Timestamp>,
        now: Timestamp,
    ) {
        if self.dates.start.at_create.is_ahead() && start.is_some_and(|start| start < now) {
            errors.add("start_at", TimeRule::AheadOrNone);
        }
        let Some(end) = end else { return };
        if start.is_some_and(|start| end <= start) {
            errors.add("end_at", TimeRule::AfterStart);
        } else if self.dates.end.at_create.is_ahead() && end <= now {
            errors.add("end_at", TimeRule::Ahead);
        }
    }

    /// Adds the errors of the dates that an update sets or takes away. Adapters add that of a start that is taken away.
    pub fn check_changed_dates(
        &self,
        errors: &mut FieldErrors,
        current: &PlatformCampaign,
        changes: &CampaignChanges,
        now: Timestamp,
    ) {
        let has_passed = |change: Option<DateChange>, rule: &DateRule| {
            rule.at_update.is_ahead() && change.and_then(DateChange::date).is_some_and(|at| at <= now)
        };
        if has_passed(changes.start_at, &self.dates.start) {
            errors.add("start_at", TimeRule::Ahead);
        }
        if changes.end_at == Some(DateChange::Clear) {
            errors.extend(self.no_end_error(changes.budget_period.or(current.budget_period)));
        }
        if has_passed(changes.end_at, &self.dates.end) {
            errors.add("end_at", TimeRule::Ahead);
            return;
        }
        let start = changes.start_at.map_or(current.start_at, DateChange::date);
        let end = changes.end_at.map_or(current.end_at, DateChange::date);
        if start.zip(end).is_some_and(|(start, end)| end <= start) {
            match (changes.start_at, changes.end_at) {
                (_, Some(_)) => errors.add("end_at", TimeRule::AfterStart),
                (Some(_), None) => errors.add("start_at", TimeRule::BeforeEnd),
                (None, None) => {}
            }
        }
    }
}
