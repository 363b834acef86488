//! The circuit breakers and the retry budget of one platform, shared by all calls of the process.

use super::breaker::{Breaker, CalledAccount, Permit, Protected};
use super::message::OpenBreaker;
use super::retry_budget::RetryBudget;
use super::{Failure, OutboundResponse};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A timeout after less time than this is the request's deadline, not a failure of the platform.
const MIN_ATTEMPT: Duration = Duration::from_secs(2);
/// Failing ad accounts that are remembered. Beyond it one is forgotten: calls in it are sent until they fail again.
const MAX_ACCOUNTS: usize = 1_000;

/// Circuit breakers and retry budget for the calls in a platform's ad accounts: a breaker for each failing account, and
/// one for the platform.
#[derive(Debug, Default)]
pub struct Breakers(Mutex<Parts>);

#[derive(Debug)]
struct Parts {
    platform: Breaker,
    /// Accounts whose last call failed.
    accounts: HashMap<CalledAccount, Breaker>,
    budget: RetryBudget,
}

impl Default for Parts {
    fn default() -> Parts {
        let platform = Breaker::new(Protected::Platform);
        Parts { platform, accounts: HashMap::new(), budget: RetryBudget::default() }
    }
}

/// An attempt in progress. Dropping it without an outcome returns its permits.
pub(super) struct Attempt {
    breakers: Arc<Breakers>,
    account: CalledAccount,
    platform: Permit,
    /// The permit of the account.
    own: Permit,
    started: Instant,
    is_recorded: bool,
}

impl Breakers {
    /// The open breaker for this ad account; `None` when the next call would be sent.
    pub fn open_breaker(&self, account: &CalledAccount) -> Option<OpenBreaker> {
        self.lock().open_breaker(account, Instant::now())
    }

    /// Starts an attempt, unless a breaker is open.
    pub(super) fn try_start(self: &Arc<Self>, account: &CalledAccount) -> Result<Attempt, Failure> {
        let started = Instant::now();
        let (platform, own) = self.lock().try_acquire(account, started).map_err(Failure::BreakerOpen)?;
        Ok(Attempt { breakers: Arc::clone(self), account: account.clone(), platform, own, started, is_recorded: false })
    }

    /// Adds a first attempt to the retry budget.
    pub(super) fn count_request(&self) {
        self.lock().budget.deposit();
    }

    /// Takes a retry from the budget; `false` if the budget is spent.
    pub(super) fn try_retry(&self) -> bool {
        self.lock().budget.try_withdraw()
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    fn open_breaker(&self, account: &CalledAccount, now: Instant) -> Option<OpenBreaker> {
        let own = self.accounts.get(account).and_then(|breaker| breaker.open_for(account, now));
        let platform = self.platform.open_for(account, now);
        let protected = if platform.is_some() { Protected::Platform } else { Protected::Account };
        own.max(platform).map(|wait| OpenBreaker { protected, wait })
    }

    /// The permits of the platform and of the account. Neither is taken if the other is refused.
    fn try_acquire(&mut self, account: &CalledAccount, now: Instant) -> Result<(Permit, Permit), OpenBreaker> {
        if let Some(open_breaker) = self.open_breaker(account, now) {
            return Err(open_breaker);
        }
        let platform = self.platform.try_acquire(account, now).unwrap_or(Permit::Normal);
        let own = self.accounts.get_mut(account).and_then(|breaker| breaker.try_acquire(account, now));
        Ok((platform, own.unwrap_or(Permit::Normal)))
    }

    /// The breaker of an account that has failed.
    fn breaker_of(&mut self, account: &CalledAccount, now: Instant) -> &mut Breaker {
        if self.accounts.len() >= MAX_ACCOUNTS && !self.accounts.contains_key(account) {
            self.accounts.retain(|_, breaker| !breaker.is_stale(now));
            if self.accounts.len() >= MAX_ACCOUNTS
                && let Some(forgotten) = self.accounts.keys().next().cloned()
            {
                self.accounts.remove(&forgotten);
            }
        }
        self.accounts.entry(account.clone()).or_insert_with(|| Breaker::new(Protected::Account))
    }
}

impl Attempt {
    /// Records the outcome.
    pub(super) fn finish(
        mut self,
        outcome: &Result<OutboundResponse, Failure>,
        is_broken: fn(&OutboundResponse) -> bool,
    ) {
        let now = Instant::now();
        let was_cut_short = matches!(outcome, Err(Failure::TimedOut)) && now.duration_since(self.started) < MIN_ATTEMPT;
        if was_cut_short {
            return;
        }
        self.is_recorded = true;
        let mut parts = self.breakers.lock();
        match outcome {
            Ok(response) if !is_broken(response) => {
                parts.platform.record_success();
                parts.accounts.remove(&self.account);
            }
            _ => {
                parts.platform.record_failure(&self.account, self.platform, now);
                parts.breaker_of(&self.account, now).record_failure(&self.account, self.own, now);
            }
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if self.is_recorded {
            return;
        }
        let mut parts = self.breakers.lock();
        parts.platform.release(self.platform);
        if let Some(breaker) = parts.accounts.get_mut(&self.account) {
            breaker.release(self.own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http::{HeaderMap, StatusCode};
    use tokio::time::advance;
    use uuid::Uuid;

    fn account(customer: u128, account: &str) -> CalledAccount {
        CalledAccount { customer: Uuid::from_u128(customer), user: None, account: account.into() }
    }

    fn attempt(breakers: &Arc<Breakers>, account: &CalledAccount, status: u16) -> Result<(), Failure> {
        let status = StatusCode::from_u16(status).unwrap();
        let response = Ok(OutboundResponse { status, headers: HeaderMap::new(), body: Bytes::new() });
        breakers.try_start(account)?.finish(&response, |response| response.status.is_server_error());
        Ok(())
    }

    fn protected(breakers: &Breakers, account: &CalledAccount) -> Option<Protected> {
        breakers.open_breaker(account).map(|open_breaker| open_breaker.protected)
    }

    #[tokio::test(start_paused = true)]
    async fn the_breaker_of_an_account_opens_before_that_of_its_platform() {
        let breakers = Arc::default();
        let (dead, sibling, other) = (account(1, "1"), account(1, "2"), account(2, "3"));
        while attempt(&breakers, &dead, 500).is_ok() {}
        assert_eq!(protected(&breakers, &dead), Some(Protected::Account));
        assert_eq!((protected(&breakers, &sibling), protected(&breakers, &other)), (None, None));
        for _ in 0..2 {
            attempt(&breakers, &other, 500).unwrap();
        }
        for account in [&dead, &sibling, &other] {
            assert_eq!(protected(&breakers, account), Some(Protected::Platform), "{account:?}");
        }
        advance(Duration::from_secs(5)).await;
        attempt(&breakers, &other, 200).unwrap();
        assert_eq!(protected(&breakers, &sibling), None);
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_is_not_probed_once_for_each_user_of_a_customer() {
        let (breakers, mut sent) = (Arc::default(), 0);
        let of_user = |user: usize| CalledAccount {
            user: Some(user.to_string().into()),
            ..account(1, &format!("account {user}"))
        };
        for _ in 0..60 {
            // A list of all users each second.
            sent += (0..5_000).filter(|user| attempt(&breakers, &of_user(*user), 500).is_ok()).count();
            advance(Duration::from_secs(1)).await;
        }
        // Five failures, then two probes each after 5, 15 and 35 seconds.
        assert_eq!(sent, 5 + 2 * 3);
        assert_eq!(protected(&breakers, &account(2, "of another customer")), Some(Protected::Platform));
    }

    #[tokio::test(start_paused = true)]
    async fn a_broken_account_of_a_user_rests_no_other_user() {
        let breakers = Arc::default();
        let broken = CalledAccount { user: Some("shop1".into()), ..account(1, "1") };
        let other = CalledAccount { user: Some("shop2".into()), ..account(1, "2") };
        while attempt(&breakers, &broken, 500).is_ok() {}
        assert_eq!((protected(&breakers, &broken), protected(&breakers, &other)), (Some(Protected::Account), None));
        attempt(&breakers, &other, 500).unwrap();
        assert_eq!(protected(&breakers, &other), None, "three of one user and one of another are not five");
        attempt(&breakers, &other, 200).unwrap();
        for _ in 0..4 {
            attempt(&breakers, &other, 500).unwrap();
        }
        assert_eq!(protected(&breakers, &account(1, "3")), None, "a response in between begins a new count");
    }

    #[tokio::test(start_paused = true)]
    async fn an_account_that_works_again_is_forgotten() {
        let breakers = Arc::default();
        let only = account(1, "1");
        while attempt(&breakers, &only, 500).is_ok() {}
        advance(Duration::from_secs(5)).await;
        attempt(&breakers, &only, 404).unwrap();
        assert_eq!((breakers.open_breaker(&only), breakers.lock().accounts.len()), (None, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_attempt_returns_both_permits() {
        let breakers = Arc::default();
        let only = account(1, "1");
        while attempt(&breakers, &only, 500).is_ok() {}
        advance(Duration::from_secs(5)).await;
        drop(breakers.try_start(&only).unwrap());
        attempt(&breakers, &only, 200).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn failing_accounts_are_bounded_in_memory() {
        let breakers = Arc::default();
        for number in 0..3 * MAX_ACCOUNTS {
            // Of one customer, so the platform's breaker stays closed.
            attempt(&breakers, &account(1, &number.to_string()), 500).unwrap();
        }
        assert_eq!(breakers.lock().accounts.len(), MAX_ACCOUNTS);
        advance(Duration::from_secs(61)).await;
        attempt(&breakers, &account(1, "later"), 500).unwrap();
        assert_eq!(breakers.lock().accounts.len(), 1, "the others are stale");
    }
}
