//! A circuit breaker: after repeated failures it opens and rejects calls, then admits one probe.
//!
//! Each ad account has a breaker, and each platform. The platform's breaker opens only if accounts of several owners
//! fail, so that one failing account blocks no other. An owner is a customer, or one of its users (D167).

use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Consecutive failures that open the breaker.
const FAILURE_THRESHOLD: usize = 5;
/// Of these, the failures of one owner, or of one ad account, that count for a platform. Fewer than the threshold, so
/// that it takes two of each.
const MAX_OF_ONE: usize = 3;
/// The failures must fall within this window. It is longer than three consecutive reads that time out.
const FAILURE_WINDOW: Duration = Duration::from_secs(60);
/// How long the breaker stays open at first. The time doubles after each failed probe.
const MIN_OPEN_TIME: Duration = Duration::from_secs(5);
/// Upper bound, so that a recovered platform is in use again within a minute.
const MAX_OPEN_TIME: Duration = Duration::from_secs(60);
/// A probe that has not ended by then was lost: every attempt has a shorter timeout.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// The ad account of a call, as one customer has connected it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CalledAccount {
    pub customer: Uuid,
    /// The user of the customer to whom the connection belongs; `None` if it belongs to the customer itself.
    pub user: Option<Arc<str>>,
    /// The platform's id of the ad account.
    pub account: Arc<str>,
}

impl CalledAccount {
    /// Whether it belongs to the same user of the same customer, or to the same customer itself.
    fn has_owner_of(&self, other: &CalledAccount) -> bool {
        self.customer == other.customer && self.user == other.user
    }

    /// Whether both owner and ad account are others.
    fn is_apart_from(&self, other: &CalledAccount) -> bool {
        !self.has_owner_of(other) && self.account != other.account
    }
}

/// The part of a platform that a breaker protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protected {
    /// One ad account of one customer.
    Account,
    /// The platform, for all customers.
    Platform,
}

/// The state machine. Closed at first.
#[derive(Debug)]
pub(super) struct Breaker {
    protected: Protected,
    /// The accounts of the consecutive failures that count, at most as many as open the breaker.
    failures: Vec<CalledAccount>,
    first_failure: Option<Instant>,
    open: Option<Open>,
}

/// Rejects every attempt until `until`, then admits one probe at a time.
#[derive(Clone, Debug)]
struct Open {
    until: Instant,
    open_time: Duration,
    /// The time at which the probe in flight is lost.
    probe_end: Option<Instant>,
    /// The account of a failed probe, which may be the only one that fails: accounts apart from it may probe at once.
    suspect: Option<CalledAccount>,
}

/// Permission for one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permit {
    /// The breaker is closed.
    Normal,
    /// The breaker is half-open: this attempt decides whether it closes.
    Probe,
}

impl Breaker {
    pub(super) fn new(protected: Protected) -> Breaker {
        Breaker { protected, failures: Vec::new(), first_failure: None, open: None }
    }

    /// A permit, or `None` while the breaker is open for this account.
    pub(super) fn try_acquire(&mut self, account: &CalledAccount, now: Instant) -> Option<Permit> {
        if self.open_for(account, now).is_some() {
            return None;
        }
        let Some(open) = &mut self.open else { return Some(Permit::Normal) };
        open.probe_end = Some(now + PROBE_TIMEOUT);
        Some(Permit::Probe)
    }

    /// The platform answered, possibly with a refusal: closes the breaker.
    pub(super) fn record_success(&mut self) {
        *self = Breaker::new(self.protected);
    }

    /// No response, or one that reports a failure of the platform.
    pub(super) fn record_failure(&mut self, account: &CalledAccount, permit: Permit, now: Instant) {
        match (&mut self.open, permit) {
            (Some(open), Permit::Probe) => open.record_failed_probe(self.protected, account, now),
            // The attempt began before the breaker opened and adds no information.
            (Some(_), Permit::Normal) => {}
            (None, _) => self.count(account, now),
        }
    }

    fn count(&mut self, account: &CalledAccount, now: Instant) {
        if self.is_over(now) {
            (self.failures, self.first_failure) = (Vec::new(), Some(now));
        }
        let counted = |is_same: fn(&CalledAccount, &CalledAccount) -> bool| {
            self.failures.iter().filter(|known| is_same(known, account)).count()
        };
        let of_one = counted(CalledAccount::has_owner_of).max(counted(|a, b| a.account == b.account));
        if self.protected == Protected::Platform && of_one >= MAX_OF_ONE {
            return;
        }
        self.failures.push(account.clone());
        if self.failures.len() >= FAILURE_THRESHOLD {
            let until = now + MIN_OPEN_TIME;
            self.open = Some(Open { until, open_time: MIN_OPEN_TIME, probe_end: None, suspect: None });
        }
    }

    /// The attempt ended without an outcome: the next one may probe at once.
    pub(super) fn release(&mut self, permit: Permit) {
        if let (Some(open), Permit::Probe) = (&mut self.open, permit) {
            open.probe_end = None;
        }
    }

    /// How long the breaker stays open for an account; `None` when it would admit an attempt.
    pub(super) fn open_for(&self, account: &CalledAccount, now: Instant) -> Option<Duration> {
        let open = self.open.as_ref()?;
        let is_due = open.until <= now || open.suspect.as_ref().is_some_and(|suspect| suspect.is_apart_from(account));
        let until = if is_due { open.probe_end? } else { open.until };
        (until > now).then(|| until.duration_since(now).min(open.open_time))
    }

    /// Whether the breaker can be forgotten: it is closed without a recent failure, or nothing has probed it for long.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        match &self.open {
            Some(open) => open.until.max(open.probe_end.unwrap_or(open.until)) + MAX_OPEN_TIME < now,
            None => self.is_over(now),
        }
    }

    /// Whether the window of the failures is over, or there was none.
    fn is_over(&self, now: Instant) -> bool {
        self.first_failure.is_none_or(|first| now.duration_since(first) > FAILURE_WINDOW)
    }
}

impl Open {
    /// Keeps the breaker open for twice the time. A platform's breaker reopens for everybody only after two failed
    /// probes: of two ad accounts of two owners. After the first it stays open only for that owner and that ad account.
    fn record_failed_probe(&mut self, protected: Protected, account: &CalledAccount, now: Instant) {
        let suspect = self.suspect.take();
        let is_confirmed = suspect.as_ref().is_some_and(|suspect| suspect.is_apart_from(account));
        if !is_confirmed {
            self.open_time = MAX_OPEN_TIME.min(self.open_time * 2);
        }
        if protected == Protected::Platform && !is_confirmed {
            self.suspect = Some(account.clone());
        }
        (self.until, self.probe_end) = (now + self.open_time, None);
    }
}

#[cfg(test)]
mod tests;
