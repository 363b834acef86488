//! A customer's user as a resource: its name, its label, its limit, and its pause (D157, D158).

use super::bulk::{BulkAccount, BulkAction, BulkId, Listing};
use super::spending::Spending;
use super::stop::{IN_FLIGHT, holds, is_open};
use super::{
    CampaignId, CampaignStatus, Change, ChangeId, Connection, CustomerId, Erasure, ExternalRef, Requester,
    SpendingLimit,
};
use crate::domain::sha256_hex;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Longest time between the request of a pause and the moment at which it holds: that of a request.
const UNTIL_IT_HOLDS: SignedDuration = SignedDuration::from_secs(30);

/// A user, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub external_ref: ExternalRef,
    pub label: Option<String>,
    /// Its limit, and what counts against it; `None` for a user that never had one and was never paused.
    pub spending: Option<Spending>,
    /// Its erasure, while it goes on.
    pub erasure: Option<Erasure>,
}

/// A change of a user; `None` keeps a value, and `Some(None)` removes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserUpdate {
    pub label: Option<Option<String>>,
    pub spending_limit: Option<Option<SpendingLimit>>,
}

impl User {
    /// Its pause, if it is paused.
    pub fn pause(&self, customer: CustomerId) -> Option<UserPause> {
        let paused_at = self.paused_at()?;
        Some(UserPause { customer, user: self.external_ref.clone(), paused_at })
    }

    /// The time since which it is paused.
    pub fn paused_at(&self) -> Option<Timestamp> {
        self.spending.as_ref()?.stopped_at
    }

    /// Its limit.
    pub fn limit(&self) -> Option<&SpendingLimit> {
        self.spending.as_ref()?.limit.as_ref()
    }
}

/// The pause of a user. Its campaigns are paused by two bulk changes in all of its ad accounts: one at once, and one when
/// nothing that was in flight at the pause is in flight any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPause {
    pub customer: CustomerId,
    pub user: ExternalRef,
    pub paused_at: Timestamp,
}

/// How far the pause of a user is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PauseProgress {
    /// The pauses of its campaigns.
    pub changes: Vec<ChangeId>,
    /// The campaigns that have such a pause, and those of them that are paused.
    pub campaigns: usize,
    pub paused: usize,
    /// All ad accounts are listed twice, and no campaign runs any more.
    pub is_done: bool,
    /// Nothing is tried any more, and a campaign was not paused, or an ad account not read.
    pub is_refused: bool,
}

impl UserPause {
    /// Its two bulk changes, with the time from which each lists the campaigns. The ids follow from the pause, so that
    /// every attempt to store them stores the same.
    pub fn rounds(&self) -> [(BulkId, Timestamp); 2] {
        [(1, self.paused_at), (2, self.second_at())].map(|(round, at)| (self.bulk(round), at))
    }

    /// The time from which nothing is in flight that the pause does not refuse.
    pub fn second_at(&self) -> Timestamp {
        self.paused_at + UNTIL_IT_HOLDS + IN_FLIGHT
    }

    /// Whether a bulk change is one of its two.
    pub fn includes(&self, bulk: BulkId) -> bool {
        self.rounds().iter().any(|(round, _)| *round == bulk)
    }

    fn bulk(&self, round: u8) -> BulkId {
        let UserPause { customer, user, paused_at } = self;
        let digest = sha256_hex(&format!("{customer}#{user}#{}#{round}", paused_at.as_millisecond()));
        let digits = digest.get(..32).and_then(|digits| Uuid::try_parse(digits).ok());
        BulkId(digits.unwrap_or_default())
    }

    /// The bulk changes in an ad account, with the time from which each lists it. A connection whose consent is not
    /// finished has none.
    pub fn accounts(&self, connection: &Connection, by: &Requester) -> Vec<(BulkAccount, Timestamp)> {
        let Some(account) = &connection.account else { return Vec::new() };
        let in_round = |(bulk, due_at)| {
            let account = BulkAccount {
                bulk,
                customer: self.customer,
                platform: connection.platform,
                account_id: account.id.clone(),
                connection: connection.id.clone(),
                external_ref: Some(self.user.clone()),
                action: BulkAction::Status(CampaignStatus::Paused),
                requested_by: by.clone(),
                reference: None,
                key_digest: None,
                created_at: self.paused_at,
                listing: Listing::Pending(None),
                undoes: Vec::new(),
                changes: Vec::new(),
                refused: Vec::new(),
            };
            (account, due_at)
        };
        self.rounds().map(in_round).into()
    }

    /// How far it is, by its ad accounts and their changes.
    pub fn progress(&self, accounts: &[BulkAccount], changes: &[Change]) -> PauseProgress {
        let [(first, _), _] = self.rounds();
        let of_first: Vec<ChangeId> = accounts
            .iter()
            .filter(|account| account.bulk == first)
            .flat_map(|account| account.changes.clone())
            .collect();
        // The pause with the latest outcome decides, and one that is still tried before all; else that of the later round.
        let latest = |pause: &Change| (pause.settled_at.unwrap_or(Timestamp::MAX), !of_first.contains(&pause.id));
        let mut campaigns: BTreeMap<&CampaignId, &Change> = BTreeMap::new();
        for pause in changes {
            let Some(campaign) = &pause.campaign else { continue };
            if campaigns.get(campaign).is_none_or(|known| latest(known) < latest(pause)) {
                campaigns.insert(campaign, pause);
            }
        }
        let is_pending = accounts.iter().any(|account| matches!(account.listing, Listing::Pending(_)));
        let is_listed = accounts.iter().all(|account| account.listing == Listing::Listed);
        let paused = campaigns.values().filter(|pause| holds(pause)).count();
        let is_tried = is_pending || campaigns.values().any(|pause| !holds(pause) && is_open(pause));
        let is_done = is_listed && paused == campaigns.len();
        PauseProgress {
            changes: changes.iter().map(|change| change.id).collect(),
            campaigns: campaigns.len(),
            paused,
            is_done,
            is_refused: !is_done && !is_tried,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        Action, CampaignChanges, ChangeOrigin, ChangeState, ChangeTarget, Currency, KeyId, Platform, Purpose,
    };

    fn pause() -> UserPause {
        UserPause {
            customer: CustomerId(Uuid::nil()),
            user: ExternalRef::parse("shop42").unwrap(),
            paused_at: Timestamp::constant(1_790_000_000, 0),
        }
    }

    fn account(bulk: BulkId, listing: Listing, changes: Vec<ChangeId>) -> BulkAccount {
        BulkAccount {
            bulk,
            customer: pause().customer,
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: crate::domain::ConnectionId("conn_1".to_owned()),
            external_ref: Some(pause().user),
            action: BulkAction::Status(CampaignStatus::Paused),
            requested_by: Requester::ApiKey { id: KeyId::default_key(), name: String::new() },
            reference: None,
            key_digest: None,
            created_at: pause().paused_at,
            listing,
            undoes: Vec::new(),
            changes,
            refused: Vec::new(),
        }
    }

    fn made(number: usize, state: ChangeState) -> Change {
        let target = ChangeTarget {
            customer: pause().customer,
            platform: Platform::Alpha,
            account_id: "1".to_owned(),
            connection: crate::domain::ConnectionId("conn_1".to_owned()),
            currency: Currency::from_code("USD").unwrap(),
            campaign: Some(CampaignId::new(Platform::Alpha, "1", "7")),
            external_ref: None,
        };
        let requested_by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
        let origin = ChangeOrigin::new(Uuid::nil(), requested_by);
        let action = Action::Update(CampaignChanges::of_status(CampaignStatus::Paused));
        let id = ChangeId::new(pause().paused_at, Uuid::nil(), number);
        Change { state, ..Change::scheduled(id, target, origin, Purpose::Bulk, action, pause().paused_at) }
    }

    #[test]
    fn a_pause_is_done_once_each_account_is_listed_twice_and_nothing_runs() {
        let [(first, at), (second, later)] = pause().rounds();
        assert!(first != second && pause().rounds()[0].0 == first && later == at + UNTIL_IT_HOLDS + IN_FLIGHT);
        let listed = |changes: Vec<ChangeId>| account(first, Listing::Listed, changes);
        let (one, two) = (made(1, ChangeState::Scheduled), made(2, ChangeState::Applied));
        let state = |accounts: &[BulkAccount], changes: &[Change]| {
            let progress = pause().progress(accounts, changes);
            (progress.is_done, progress.is_refused)
        };
        let counts = |accounts: &[BulkAccount], changes: &[Change]| {
            let progress = pause().progress(accounts, changes);
            (progress.campaigns, progress.paused)
        };
        let waits = account(second, Listing::Pending(None), Vec::new());
        assert_eq!(state(&[listed(vec![one.id]), waits.clone()], std::slice::from_ref(&one)), (false, false));
        assert_eq!(state(&[listed(Vec::new()), waits], &[]), (false, false), "the second look is to come");
        let seen_again = account(second, Listing::Listed, vec![two.id]);
        let failed = made(1, ChangeState::Failed(crate::domain::ChangeError::default()));
        assert_eq!(counts(&[listed(vec![one.id])], std::slice::from_ref(&one)), (1, 0));
        assert_eq!(counts(&[listed(vec![one.id]), seen_again.clone()], &[failed.clone(), two.clone()]), (1, 1));
        assert_eq!(
            state(&[listed(vec![one.id]), seen_again.clone()], &[failed.clone(), two]),
            (true, false),
            "the later decides"
        );
        let at_second = |number, state, second| Change {
            settled_at: Some(at + jiff::SignedDuration::from_secs(second)),
            ..made(number, state)
        };
        let refused = ChangeState::Failed(crate::domain::ChangeError::default());
        for (applied_at, is_done) in [(900, true), (90, false)] {
            let changes = [at_second(1, ChangeState::Applied, applied_at), at_second(2, refused.clone(), 300)];
            let told = state(&[listed(vec![one.id]), seen_again.clone()], &changes);
            assert_eq!(told, (is_done, !is_done), "{applied_at}");
        }
        let empty = account(second, Listing::Listed, Vec::new());
        assert_eq!(state(&[listed(vec![failed.id]), empty.clone()], &[failed]), (false, true));
        let unread = account(first, Listing::Failed(crate::domain::ChangeError::default()), Vec::new());
        assert_eq!(state(&[unread, empty], &[]), (false, true));
        assert_eq!(state(&[], &[]), (true, false), "a user without ad accounts");
    }
}
