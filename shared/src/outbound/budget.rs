//! How much of what a platform is asked may be asked again: a fifth, so that retries do not bury one that fails.

/// What each first attempt earns, in fifths of a retry.
const EARNED: u32 = 1;
/// What a retry costs.
const COST: u32 = 5;
/// What a process that has asked nothing yet may spend: two retries.
const FLOOR: u32 = 2 * COST;
/// No more is saved up than this, ten retries: good hours are no credit for a bad one.
const CAP: u32 = 10 * COST;

/// What there is to spend, in fifths of a retry. After Finagle's retry budget.
#[derive(Debug)]
pub(super) struct Budget(u32);

impl Default for Budget {
    fn default() -> Budget {
        Budget(FLOOR)
    }
}

impl Budget {
    /// Something was asked for the first time.
    pub(super) fn earn(&mut self) {
        self.0 = CAP.min(self.0 + EARNED);
    }

    /// Pays for a retry; `false` when there is not enough.
    pub(super) fn spend(&mut self) -> bool {
        let rest = self.0.checked_sub(COST);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_may_be_asked_again_and_a_little_at_the_start() {
        let mut budget = Budget::default();
        let retries = (0..3_000).filter(|_| {
            budget.earn();
            budget.spend()
        });
        assert_eq!(retries.count(), 3_000 / 5 + 2);
    }

    #[test]
    fn what_is_saved_up_is_little() {
        let mut budget = Budget::default();
        (0..1_000_000).for_each(|_| budget.earn());
        assert_eq!((0..1_000).filter(|_| budget.spend()).count(), 10);
    }
}
