//! Classes of grants: their platforms, the lives of their tokens, and how old the first tokens are.

use crate::random::Random;
use jiff::Timestamp;
use shared::domain::Platform;
use tokio::time::Duration;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
const DAY_S: i64 = 24 * 60 * 60;
/// Maintenance refreshes a grant that nothing used for so long.
const MAX_IDLE: Duration = DAY.saturating_mul(90);

/// The platform of a grant, and its use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// Pinterest, if its access tokens lived for an hour. Its refresh token rotates.
    Hourly,
    /// Pinterest. Its refresh token rotates.
    Rotating,
    /// Meta. Its access token is exchanged for the next one, which is possible until it expires.
    Exchanged,
    /// Google. Its refresh token stays the same, and requests use it.
    Used,
    /// Google. Its refresh token stays the same, and nothing uses it.
    Idle,
    /// Meta, which never responds.
    Hanging,
}

impl Class {
    pub(super) const ALL: [Class; 6] =
        [Class::Hourly, Class::Rotating, Class::Exchanged, Class::Used, Class::Idle, Class::Hanging];

    pub(super) fn platform(self) -> Platform {
        match self {
            Class::Hourly | Class::Rotating => Platform::Epsilon,
            Class::Exchanged | Class::Hanging => Platform::Beta,
            Class::Used | Class::Idle => Platform::Alpha,
        }
    }

    /// The life of an access token.
    pub(super) fn life(self) -> Duration {
        match self {
            Class::Hourly | Class::Used | Class::Idle => HOUR,
            Class::Rotating => 30 * DAY,
            Class::Exchanged | Class::Hanging => 60 * DAY,
        }
    }

    /// Whether a refresh replaces the refresh token.
    pub(super) fn rotates(self) -> bool {
        matches!(self, Class::Hourly | Class::Rotating)
    }

    /// The life of an access token as its adapter reports it: Meta's is a tenth shorter.
    pub(super) fn stored_life(self) -> Duration {
        match self.platform() {
            Platform::Beta => self.life() * 9 / 10,
            _ => self.life(),
        }
    }

    /// The age of a grant's first tokens. Those of every second grant expire at the same moment, as after an outage: an
    /// hour after the start, or two hours where they live for days. The others expire at any time from 20 minutes on.
    /// Idle grants were used at any time before, and the platform that hangs has due grants from the start.
    pub(super) fn first_age(self, number: u64, random: &mut Random) -> Duration {
        let life = self.stored_life();
        match self {
            Class::Idle => up_to(MAX_IDLE, random),
            Class::Hanging => life,
            Class::Hourly | Class::Used if number.is_multiple_of(2) => Duration::ZERO,
            Class::Rotating | Class::Exchanged if number.is_multiple_of(2) => life - 2 * HOUR,
            _ => up_to(life - HOUR / 3, random),
        }
    }

    /// When maintenance has to have replaced tokens at the latest: before they expire, or within an hour of the day on
    /// which they are idle for too long. `None` if requests replace them.
    pub(super) fn due_by(self, issued_at: Timestamp) -> Option<Timestamp> {
        match self {
            Class::Hourly | Class::Rotating | Class::Exchanged => Some(issued_at + self.stored_life()),
            Class::Idle => {
                let day = (issued_at + MAX_IDLE).as_second() / DAY_S * DAY_S;
                Some(Timestamp::from_second(day).expect("a time") + HOUR)
            }
            Class::Used | Class::Hanging => None,
        }
    }
}

fn up_to(age: Duration, random: &mut Random) -> Duration {
    random.millis(0, u64::try_from(age.as_millis()).expect("a few months"))
}
