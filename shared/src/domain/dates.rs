//! Start and end of a campaign: changes of them, and dates that this service holds for platforms without dates.

use super::ChangeId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A change of the start or the end of a campaign. It serializes as an object with the new date, `{"at": …}`, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "NewDate", into = "NewDate")]
pub enum DateChange {
    Set(Timestamp),
    /// Takes the date away.
    Clear,
}

#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct NewDate {
    at: Option<Timestamp>,
}

impl From<NewDate> for DateChange {
    fn from(date: NewDate) -> DateChange {
        date.at.map_or(DateChange::Clear, DateChange::Set)
    }
}

impl From<DateChange> for NewDate {
    fn from(change: DateChange) -> NewDate {
        NewDate { at: change.date() }
    }
}

impl DateChange {
    /// The new date; `None` if it is taken away.
    pub fn date(self) -> Option<Timestamp> {
        match self {
            DateChange::Set(at) => Some(at),
            DateChange::Clear => None,
        }
    }
}

/// Who starts or ends a campaign at its date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    Platform,
    /// This service, because the platform's campaigns have no dates: an activation waits for the start, and the
    /// campaign is paused at its end.
    Service,
}

impl Holder {
    /// The name in the API: `platform`.
    pub fn as_str(self) -> &'static str {
        match self {
            Holder::Platform => "platform",
            Holder::Service => "service",
        }
    }
}

/// The dates of a campaign that this service holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldDates {
    /// No activation before this time.
    pub start_at: Option<Timestamp>,
    /// The activation that waits for the start, if one was asked for.
    pub activation: Option<ChangeId>,
    /// The campaign is paused at this time.
    pub end_at: Option<Timestamp>,
    /// The change that pauses it.
    pub pause: Option<ChangeId>,
}

impl HeldDates {
    /// Whether an activation has to wait for the start.
    pub fn waits_for_start(&self, now: Timestamp) -> bool {
        self.start_at.is_some_and(|start| start > now)
    }

    /// Whether the service has to do something at one of them.
    pub fn lie_ahead(&self, now: Timestamp) -> bool {
        self.waits_for_start(now) || self.end_at.is_some_and(|end| end > now)
    }

    /// Whether the end has passed.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.end_at.is_some_and(|end| end <= now)
    }
}
