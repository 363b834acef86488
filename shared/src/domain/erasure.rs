//! The erasure of a customer's user (D169): what is done until nothing of it is left.

use super::{CampaignId, ChangeId, ConnectionId, ExternalRef, KeyId, Platform, Requester, variants};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};
use std::collections::BTreeSet;
use strum::{IntoStaticStr, VariantArray};

/// The longest day of an ad account, on which the clocks are put back: what counts against a limit until the day is over
/// does not count any more after this time.
const LONGEST_DAY: SignedDuration = SignedDuration::from_hours(25);

/// The erasure of a user. Maintenance does one step after the other, and each may be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    pub requested_by: Requester,
    pub requested_at: Timestamp,
    /// Whether it goes on although campaigns run, or have an unknown outcome that nobody can read any more.
    pub leave_running: bool,
    pub step: ErasureStep,
    /// The pause of the user that it has begun.
    pub paused_at: Option<Timestamp>,
    /// Since when nobody changes anything in its connections any more.
    pub closed_at: Option<Timestamp>,
    /// What is erased.
    pub subject: ErasureSubject,
    /// Changes whose outcome it waits for, the first of them.
    pub open: Vec<ChangeId>,
    pub walk: Walk,
}

/// A step of an erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ErasureStep {
    /// The campaigns of the user are paused.
    Pausing,
    /// Nobody changes anything in its connections any more, and each outcome becomes known.
    Closing,
    /// Its connections are removed, and grants that nobody else uses are revoked.
    Disconnecting,
    /// Its records are erased.
    Erasing,
}

impl ErasureStep {
    /// All steps, in their order.
    pub const ALL: [ErasureStep; 4] = variants();

    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// By what the records of a user are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureSubject {
    /// Its ad accounts, in no order.
    pub accounts: BTreeSet<ErasedAccount>,
    /// Its connections.
    pub connections: BTreeSet<String>,
    /// The API keys that were bound to it.
    pub keys: BTreeSet<String>,
}

/// An ad account.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ErasedAccount {
    #[serde_as(as = "DisplayFromStr")]
    pub platform: Platform,
    pub account_id: String,
}

impl ErasureSubject {
    /// Whether an ad account is among them.
    pub fn has_account(&self, platform: Platform, account_id: &str) -> bool {
        self.accounts.iter().any(|known| known.platform == platform && known.account_id == account_id)
    }

    /// Whether a campaign is in one of the ad accounts. No platform has an account whose id is the beginning of another's
    /// up to an underscore.
    pub fn has_campaign(&self, campaign: &CampaignId) -> bool {
        let is_in = |known: &ErasedAccount| {
            known.platform == campaign.platform() && campaign.remote_in(&known.account_id).is_some()
        };
        self.accounts.iter().any(is_in)
    }

    /// Whether a connection is among them.
    pub fn has_connection(&self, connection: &str) -> bool {
        self.connections.contains(connection)
    }

    /// Whether a key is among them.
    pub fn has_key(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// Adds a connection and its ad account, if it has one.
    pub fn add_connection(&mut self, id: &ConnectionId, platform: Platform, account_id: Option<&str>) {
        self.connections.insert(id.0.clone());
        let account = account_id.map(|id| ErasedAccount { platform, account_id: id.to_owned() });
        self.accounts.extend(account);
    }

    /// Adds a key.
    pub fn add_key(&mut self, key: &KeyId) {
        self.keys.insert(key.0.clone());
    }

    /// Whether a text, such as a response, names something of the user: a campaign or a connection by its id, or the user
    /// itself in quotes.
    pub fn is_named_in(&self, text: &str, user: &ExternalRef) -> bool {
        let campaigns = |known: &ErasedAccount| format!("{}_{}_", known.platform.prefix(), known.account_id);
        text.contains(&format!("\"{user}\""))
            || self.connections.iter().any(|id| text.contains(id.as_str()))
            || self.accounts.iter().any(|known| names_word(text, &campaigns(known)))
    }
}

/// Whether a text has a word that begins with this.
fn names_word(text: &str, start: &str) -> bool {
    let is_start = |index: usize| text[..index].bytes().next_back().is_none_or(|byte| !is_word(byte));
    text.match_indices(start).any(|(index, _)| is_start(index))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How far the records of the customer are read. They are read until one walk over all of them finds nothing.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walk {
    pub part: WalkPart,
    /// The sort key of the last record that was read; in [`ErasureStep::Closing`] the change before the user's ones that are
    /// read next.
    pub after: Option<String>,
    /// Whether it has found something.
    #[serde(default)]
    pub has_found: bool,
    /// Whether something counts against the limit of a key until the day of its ad account is over.
    #[serde(default)]
    pub has_counting: bool,
}

/// A partition of the table with records of a customer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkPart {
    #[default]
    Records,
    UsageLog,
}

impl Walk {
    /// The walk after a page that ends at this sort key, or ends its partition. `None` once all is read.
    pub fn after_page(&self, last: Option<String>) -> Option<Walk> {
        match (last, self.part) {
            (Some(last), _) => Some(Walk { after: Some(last), ..self.clone() }),
            (None, WalkPart::Records) => Some(Walk { part: WalkPart::UsageLog, after: None, ..self.clone() }),
            (None, WalkPart::UsageLog) => None,
        }
    }
}

impl Erasure {
    /// A new erasure.
    pub fn new(requested_by: Requester, requested_at: Timestamp, leave_running: bool) -> Erasure {
        Erasure {
            requested_by,
            requested_at,
            leave_running,
            step: if leave_running { ErasureStep::Closing } else { ErasureStep::Pausing },
            paused_at: None,
            closed_at: None,
            subject: ErasureSubject::default(),
            open: Vec::new(),
            walk: Walk::default(),
        }
    }

    /// The time from which on nothing of the user counts against the limit of a key any more.
    pub fn counts_until(&self) -> Timestamp {
        self.closed_at.unwrap_or(self.requested_at) + LONGEST_DAY
    }

    /// The same erasure at another step.
    #[must_use]
    pub fn at(self, step: ErasureStep) -> Erasure {
        Erasure { step, open: Vec::new(), walk: Walk::default(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> ErasureSubject {
        let mut subject = ErasureSubject::default();
        subject.add_connection(&ConnectionId("conn_1".to_owned()), Platform::Delta, Some("7"));
        subject.add_connection(&ConnectionId("conn_2".to_owned()), Platform::Beta, None);
        subject
    }

    #[test]
    fn a_text_names_a_user_by_its_campaigns_its_connections_or_itself() {
        let user = ExternalRef::parse("shop4").unwrap();
        for (text, is_named) in [
            (r#"{"id":"delta_7_1"}"#, true),
            ("delta_7_1 is removed", true),
            (r#"{"id":"delta_70_1"}"#, false),
            (r#"{"id":"a_delta_7_1"}"#, false),
            (r#"{"connection_id":"conn_2"}"#, true),
            (r#"{"external_ref":"shop4"}"#, true),
            (r#"{"external_ref":"shop42"}"#, false),
            ("", false),
        ] {
            assert_eq!(subject().is_named_in(text, &user), is_named, "{text}");
        }
    }

    #[test]
    fn a_campaign_belongs_to_its_ad_account() {
        let has = |platform, account| subject().has_campaign(&CampaignId::new(platform, account, "1"));
        assert!(has(Platform::Delta, "7") && !has(Platform::Delta, "70") && !has(Platform::Beta, "7"));
    }

    #[test]
    fn a_walk_reads_both_partitions_and_ends() {
        let begun = Walk { has_found: true, ..Walk::default() };
        let next = begun.after_page(Some("a".to_owned())).unwrap();
        assert_eq!((next.part, next.after.as_deref()), (WalkPart::Records, Some("a")));
        let logs = next.after_page(None).unwrap();
        assert_eq!((logs.part, logs.after.as_deref(), logs.has_found), (WalkPart::UsageLog, None, true));
        assert_eq!(logs.after_page(None), None);
    }

    #[test]
    fn an_erasure_that_leaves_what_runs_pauses_nothing() {
        let by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
        let step = |leave_running| Erasure::new(by.clone(), Timestamp::UNIX_EPOCH, leave_running).step;
        assert_eq!((step(false), step(true)), (ErasureStep::Pausing, ErasureStep::Closing));
    }
}
