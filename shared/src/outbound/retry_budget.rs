//! Limits retries to a fifth of the requests, so that they do not overload a platform that is failing.

/// Deposit of each first attempt, in fifths of a retry.
const DEPOSIT: u32 = 1;
/// Cost of a retry.
const COST: u32 = 5;
/// Balance of a new process: two retries.
const INITIAL: u32 = 2 * COST;
/// Maximum balance, ten retries: hours of success must not pay for a burst of retries.
const MAX: u32 = 10 * COST;

/// The balance, in fifths of a retry. Modelled on Finagle's `RetryBudget`.
#[derive(Debug)]
pub(super) struct RetryBudget(u32);

impl Default for RetryBudget {
    fn default() -> RetryBudget {
        RetryBudget(INITIAL)
    }
}

impl RetryBudget {
    /// Counts a first attempt.
    pub(super) fn deposit(&mut self) {
        self.0 = MAX.min(self.0 + DEPOSIT);
    }

    /// Pays for a retry; `false` if the balance is too low.
    pub(super) fn try_withdraw(&mut self) -> bool {
        let balance = self.0.checked_sub(COST);
        self.0 = balance.unwrap_or(self.0);
        balance.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_the_requests_may_be_retried_and_two_more_initially() {
        let mut budget = RetryBudget::default();
        let retries = (0..3_000).filter(|_| {
            budget.deposit();
            budget.try_withdraw()
        });
        assert_eq!(retries.count(), 3_000 / 5 + 2);
    }

    #[test]
    fn the_balance_is_capped_at_ten_retries() {
        let mut budget = RetryBudget::default();
        (0..1_000_000).for_each(|_| budget.deposit());
        assert_eq!((0..1_000).filter(|_| budget.try_withdraw()).count(), 10);
    }
}
