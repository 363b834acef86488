//! Quirks: what TikTok does to some advertisers and on some days.
//!
//! TikTok API for Business v1.3: "Return codes". Deleted advertisers (2026-07), ids that do not rise with time and the old
//! objectives were recorded live. Public connectors read again after 40700, 40200 and 40201. Not verified: the messages of
//! those three codes, whether the work was done before them, and the end of manual campaigns for conversions on
//! 2027-01-01, which only third parties announce.

use jiff::Timestamp;

use super::accounts::Account;
use super::answer::Refusal;
use super::archive;
use crate::platform::RequestContext;
use crate::quirks::Quirk;

pub(crate) const DELETED_ADVERTISER: &str = "deleted_advertiser";
pub(crate) const PASSING_TROUBLES: &str = "passing_troubles";
const TROUBLED_CREATES: &str = "troubled_creates";
pub(crate) const AUTH_CODE_40101: &str = "auth_code_40101";
pub(crate) const ID_SKEW: &str = "id_skew";
const LEGACY_OBJECTIVES: &str = "legacy_objectives";
const SMART_PLUS_ONLY: &str = "smart_plus_only";

pub(crate) const QUIRKS: &[Quirk] = &[
    Quirk { name: DELETED_ADVERTISER, what: "Each grant also names an advertiser that has been deleted." },
    Quirk { name: PASSING_TROUBLES, what: "Every tenth read is not done and answers 40700, 40200 or 40201 in turn." },
    Quirk {
        name: TROUBLED_CREATES,
        what: "One more advertiser opens with the next request; of four creates in it, only one is answered truly.",
    },
    Quirk { name: AUTH_CODE_40101, what: "An invalid auth code answers 40101, not 40110." },
    Quirk {
        name: ID_SKEW,
        what: "Ids of new campaigns run up to 8.6 minutes ahead of their time, each by its own skew.",
    },
    Quirk {
        name: LEGACY_OBJECTIVES,
        what: "One more advertiser opens with the next request; it holds campaigns of old and unknown objectives.",
    },
    Quirk {
        name: SMART_PLUS_ONLY,
        what: "Manual campaigns for conversions are refused now, not only from 2027-01-01.",
    },
];

/// The advertiser that was deleted after the person chose it.
pub(crate) const DELETED: &str = "7301002003004004999";
/// The advertiser whose creates are in trouble.
pub(crate) const TROUBLED: &str = "7301002003004004002";

/// Opens the accounts that a quirk is about, once.
pub(crate) fn open_accounts(accounts: &mut Vec<Account>, moment: &RequestContext<'_>) {
    let mut open = |quirk: &str, make: fn() -> Account| {
        let account = Some(quirk).filter(|quirk| moment.quirk(quirk)).map(|_| make());
        accounts.extend(account.filter(|new| accounts.iter().all(|known| known.id != new.id)));
    };
    open(TROUBLED_CREATES, troubled);
    open(LEGACY_OBJECTIVES, archive::account);
}

fn troubled() -> Account {
    Account::new(TROUBLED.to_owned(), "Harbour Coffee Troubles", "USD", "America/New_York", "Etc/GMT+5")
}

/// Whether an account is there for a quirk alone.
pub(crate) fn is_own(id: &str) -> bool {
    [TROUBLED, archive::ID].contains(&id)
}

/// One of the codes that pass by themselves. A client cannot tell from it if the work was done.
fn trouble(turn: u64) -> Refusal {
    let (code, message) = match turn % 3 {
        0 => (40700, "Internal service error. Please try again later."),
        1 => (40200, "Task error. Please try again later."),
        _ => (40201, "Task is not ready. Please try again later."),
    };
    Refusal::new(code, message)
}

/// Refuses every tenth read before it is done, so that reading again helps.
pub(crate) fn check_read(reads: &mut u64, moment: &RequestContext<'_>) -> Result<(), Refusal> {
    if !moment.quirk(PASSING_TROUBLES) {
        return Ok(());
    }
    *reads += 1;
    if reads.is_multiple_of(10) { Err(trouble(*reads / 10 - 1)) } else { Ok(()) }
}

/// How a create in an advertiser goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Done, and answered as such.
    Fine,
    /// Not done, and refused by this turn of the troubles.
    Refused(u64),
    /// Done, and refused all the same.
    DoneAndRefused(u64),
}

impl Fate {
    /// The next of the advertiser's creates: done and 40700, not done and 40200, done and 40201, and one that is fine.
    pub(crate) fn next(advertiser: &str, creates: &mut u64, moment: &RequestContext<'_>) -> Self {
        if advertiser != TROUBLED || !moment.quirk(TROUBLED_CREATES) {
            return Self::Fine;
        }
        let turn = *creates % 4;
        *creates += 1;
        match turn {
            1 => Self::Refused(turn),
            3 => Self::Fine,
            _ => Self::DoneAndRefused(turn),
        }
    }

    /// Refuses a create that is not to be done.
    pub(crate) fn before(self) -> Result<(), Refusal> {
        if let Self::Refused(turn) = self { Err(trouble(turn)) } else { Ok(()) }
    }

    /// Refuses a create that has been done.
    pub(crate) fn after(self) -> Result<(), Refusal> {
        if let Self::DoneAndRefused(turn) = self { Err(trouble(turn)) } else { Ok(()) }
    }
}

/// Above all ids that are plain numbers in a row.
const FIRST_SKEWED: u64 = 1_800_000_000_000_000;

/// The id of the campaign of this number: time, as the real ones have it, and ahead of it by up to 8.6 minutes.
pub(crate) fn skewed_id(number: u64, now: Timestamp) -> u64 {
    let ahead = match number % 4 {
        1 => 516,
        2 => 0,
        3 => 301,
        _ => 90,
    };
    let second = u64::try_from(now.as_second()).unwrap_or_default() + ahead;
    FIRST_SKEWED + second * 1_000_000 + number % 1_000_000
}

/// From here on manual campaigns for conversions are refused.
const SMART_PLUS_FROM: &str = "2027-01-01 00:00:00";

/// Whether manual campaigns for conversions have ended, `now` in the platform's form.
pub(crate) fn ended_manual(moment: &RequestContext<'_>, now: &str) -> bool {
    moment.quirk(SMART_PLUS_ONLY) || now >= SMART_PLUS_FROM
}
