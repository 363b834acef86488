//! What an adapter gives: how its platform writes a campaign, a page and a refusal.

use crate::domain::{CampaignDraft, CampaignStatus, Platform, PlatformCampaign};
use crate::error::{Error, Kind};
use crate::outbound::OutboundResponse;
use crate::platforms::fake::{Fake, ReceivedRequest, ScriptedResponse, marker_since};
use crate::platforms::fixtures::account;
use crate::platforms::{AccountSession, AdPlatform, adapter};
use http::{HeaderMap, StatusCode};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use std::fs;

/// The start of the create that is searched for, and the time at which a refusal is read.
pub(super) const NOW: &str = "2026-11-20T12:00:00Z";

/// A platform on the wire.
pub(in crate::platforms) struct Sample {
    pub(in crate::platforms) platform: Platform,
    /// Of the ad account.
    pub(in crate::platforms) currency: &'static str,
    /// A draft with the name `Winter`.
    pub(in crate::platforms) draft: fn() -> CampaignDraft,
    /// The campaign that a create of the draft makes, paused, with this id and time of creation.
    pub(in crate::platforms) row: fn(u64, Timestamp) -> Value,
    /// A page of campaigns; the token is that of the next page.
    pub(in crate::platforms) page: fn(Vec<Value>, Option<&str>) -> Value,
    /// A token of a page.
    pub(in crate::platforms) token: &'static str,
    /// What a request for the first page has, and what a request for the page of the token has in its place.
    pub(in crate::platforms) turn: [&'static str; 2],
    /// Bodies of success that are no page.
    pub(in crate::platforms) no_pages: &'static [&'static str],
    /// Part of the address of a report on spend, and the body of one without rows.
    pub(in crate::platforms) report: Option<[&'static str; 2]>,
    /// Pointer to the name in a row.
    pub(in crate::platforms) name: &'static str,
    /// Pointer to the amount of the budget in a row.
    pub(in crate::platforms) amount: &'static str,
    /// The draft's amount in each form that is read.
    pub(in crate::platforms) amounts: &'static [&'static str],
    /// Values that are no amount.
    pub(in crate::platforms) wrong_amounts: &'static [&'static str],
    /// Whether a row says when its campaign was created.
    pub(in crate::platforms) is_dated: bool,
    /// Each makes another campaign of the row.
    pub(in crate::platforms) others: &'static [Change],
    /// Each hides whether a new campaign with the name is the created one.
    pub(in crate::platforms) unclear: &'static [Change],
    /// Each hides whether the campaign is the created one, whatever else the row says.
    pub(in crate::platforms) hidden: &'static [Change],
    /// Each makes the row unreadable.
    pub(in crate::platforms) malformed: &'static [Change],
    /// Puts the campaign into another ad account, and the kind of error of a search that meets it; `None` if the search
    /// leaves it out.
    pub(in crate::platforms) elsewhere: Option<(Change, Option<Kind>)>,
    /// Pointers to fields of a row that may be malformed.
    pub(in crate::platforms) optional: &'static [&'static str],
    /// Takes the campaign's own budget away, and the kind of error of a change of its amount.
    pub(in crate::platforms) without_budget: (Change, Kind),
    /// The platform's words in a change of the status, for each that callers can write.
    pub(in crate::platforms) words: &'static [(CampaignStatus, &'static str)],
    /// Positions of a list that no list returned.
    pub(in crate::platforms) wrong_positions: &'static [&'static str],
    /// States that no campaign of the platform has.
    pub(in crate::platforms) never: &'static [CampaignStatus],
    /// Texts that cannot be the id of a campaign.
    pub(in crate::platforms) wrong_ids: &'static [&'static str],
    /// The refusal of an access token.
    pub(in crate::platforms) expired: Reply,
    /// The refusal of a call about an ad account that is not there.
    pub(in crate::platforms) missing: Reply,
    /// The kind of a create that is refused because something is missing.
    pub(in crate::platforms) missing_at_create: Kind,
    /// A table of refusals, each a line for [`Refusal::of`].
    pub(in crate::platforms) table: &'static str,
    /// Part of each log line of [`Sample::refusals`]: the id of the request.
    pub(in crate::platforms) logged: &'static str,
    /// The refusal of a request with a message.
    pub(in crate::platforms) saying: fn(&str) -> ScriptedResponse,
    /// The refusals that blame a field of the platform, in each form.
    pub(in crate::platforms) blaming: &'static [fn(&str) -> ScriptedResponse],
    /// The platform's fields, or texts about them, and the fields that errors name.
    pub(in crate::platforms) fields: &'static [(&'static str, Option<&'static str>)],
    /// Bodies that say nothing, besides those of every platform.
    pub(in crate::platforms) silent: &'static [&'static str],
    /// Beginnings of bodies that are nested too deeply.
    pub(in crate::platforms) deep: &'static [&'static str],
    /// Status, kind and whether it is retryable, where a body that says nothing means something else than usual.
    pub(in crate::platforms) by_status: &'static [(u16, Kind, bool)],
    pub(in crate::platforms) throttle: Throttle,
    /// Answers a read that goes before a create.
    pub(in crate::platforms) before_create: fn(&ReceivedRequest) -> Option<ScriptedResponse>,
    /// Answers to a create that leave its outcome open, besides those of every platform.
    pub(in crate::platforms) unclear_creates: &'static [Reply],
}

/// A value at a pointer of a row: the JSON text.
pub(in crate::platforms) struct Set(pub(in crate::platforms) &'static str, pub(in crate::platforms) &'static str);

/// A change of a row.
pub(in crate::platforms) type Change = &'static [Set];

/// A throttle, and the seconds to wait after it.
pub(in crate::platforms) struct Throttle {
    pub(in crate::platforms) reply: Reply,
    /// Without a header.
    pub(in crate::platforms) usual: u64,
    /// With a `Retry-After` of 10 seconds.
    pub(in crate::platforms) after_ten: u64,
}

/// A response: its body is a file in the adapter's `fixtures/errors`, or a text.
pub(in crate::platforms) enum Reply {
    File(u16, &'static str),
    Text(u16, &'static str),
}

/// A refusal, and what it means.
pub(in crate::platforms) struct Refusal {
    pub(in crate::platforms) reply: Reply,
    pub(in crate::platforms) kind: Kind,
    pub(super) code: Option<&'static str>,
    pub(super) field: Option<&'static str>,
    /// Seconds.
    pub(super) wait: Option<u64>,
    pub(in crate::platforms) retryable: bool,
}

/// The kinds of a refusal.
const KINDS: [Kind; 7] = [
    Kind::Conflict,
    Kind::Forbidden,
    Kind::NotFound,
    Kind::PlatformFailed,
    Kind::PlatformRefused,
    Kind::RateLimited,
    Kind::TokenExpired,
];

impl Refusal {
    /// Reads a line of a table: status, body, kind, code, our field, seconds to wait. The body is a text or a file in
    /// `fixtures/errors`. A throttle and a failure are retryable, unless `never` stands in place of the seconds.
    fn of(line: &'static str) -> Refusal {
        let mut cells = line.split(" | ").map(str::trim);
        let mut next = || cells.next().filter(|cell| !cell.is_empty() && *cell != "-");
        let (status, body, kind) = (next().unwrap().parse().unwrap(), next().unwrap(), next().unwrap());
        let kind = KINDS.into_iter().find(|known| format!("{known:?}") == kind).unwrap_or_else(|| panic!("{line}"));
        let (code, field, again) = (next(), next(), next());
        let is_failure = matches!(kind, Kind::PlatformFailed | Kind::RateLimited);
        Refusal {
            reply: if body.starts_with('{') { Reply::Text(status, body) } else { Reply::File(status, body) },
            kind,
            code,
            field,
            wait: again.and_then(|seconds| seconds.parse().ok()),
            retryable: is_failure && again != Some("never"),
        }
    }
}

/// A row with other values.
pub(in crate::platforms) fn with(mut row: Value, change: &[Set]) -> Value {
    for Set(pointer, json) in change {
        set(&mut row, pointer, serde_json::from_str(json).unwrap());
    }
    row
}

/// Sets a value at a pointer, also where there was none.
pub(super) fn set(row: &mut Value, pointer: &str, value: Value) {
    *pointer.split('/').skip(1).fold(row, |inner, name| &mut inner[name]) = value;
}

impl Sample {
    pub(super) fn adapter(&self) -> &'static dyn AdPlatform {
        adapter(self.platform)
    }

    pub(in crate::platforms) fn refusals(&self) -> Vec<Refusal> {
        self.table.lines().filter(|line| !line.trim().is_empty()).map(Refusal::of).collect()
    }

    pub(in crate::platforms) fn session(&self, fake: &Fake) -> AccountSession {
        fake.session_of(self.platform, account(self.platform, self.currency, "UTC"))
    }

    /// The campaign of the create, created so many seconds after the create began.
    pub(in crate::platforms) fn made(&self, id: u64, after: i64) -> Value {
        (self.row)(id, NOW.parse::<Timestamp>().unwrap() + SignedDuration::from_secs(after))
    }

    /// A page of campaigns as a response.
    pub(in crate::platforms) fn page(&self, rows: Vec<Value>, next: Option<&str>) -> ScriptedResponse {
        (200, (self.page)(rows, next).to_string())
    }

    /// Searches for the created campaign.
    pub(in crate::platforms) async fn search(&self, fake: &Fake) -> Result<Vec<PlatformCampaign>, Error> {
        let marker = marker_since(NOW.parse().unwrap());
        self.adapter().find_created(&self.session(fake), &(self.draft)(), &marker).await
    }

    /// The ids of the campaigns that a search finds on these pages.
    pub(in crate::platforms) async fn found(&self, pages: Vec<ScriptedResponse>) -> Result<Vec<String>, Error> {
        let found = self.search(&Fake::answering(pages)).await?;
        Ok(found.into_iter().map(|campaign| campaign.remote_id).collect())
    }

    /// The response for a fake platform.
    pub(in crate::platforms) fn scripted(&self, reply: &Reply) -> ScriptedResponse {
        match reply {
            Reply::Text(status, body) => (*status, (*body).to_owned()),
            Reply::File(status, name) => {
                let platform = self.platform.prefix();
                let path =
                    format!("{}/src/platforms/{platform}/fixtures/errors/{name}.json", env!("CARGO_MANIFEST_DIR"));
                (*status, fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")))
            }
        }
    }

    /// The error that the adapter reads from a response.
    pub(in crate::platforms) fn error(&self, (status, body): ScriptedResponse) -> Error {
        self.error_of(status, HeaderMap::new(), body.into())
    }

    /// The error that the adapter reads from a file in `fixtures/errors`.
    pub(in crate::platforms) fn error_in(&self, status: u16, name: &'static str) -> Error {
        self.error(self.scripted(&Reply::File(status, name)))
    }

    /// The error that the adapter reads from a response with headers.
    pub(in crate::platforms) fn error_of(&self, status: u16, headers: HeaderMap, body: Vec<u8>) -> Error {
        let response = OutboundResponse { status: StatusCode::from_u16(status).unwrap(), headers, body: body.into() };
        (self.adapter().facts().api.classify)(&response, NOW.parse().unwrap()).unwrap_err()
    }
}
