//! What pages say of the erasure of a user.

use shared::domain::Erasure;
use shared::domain::erasure::ErasureStep;

/// What is done now, and what may hold it up.
pub(crate) fn progress(erasure: &Erasure) -> String {
    match (erasure.step, erasure.open.len()) {
        (ErasureStep::Pausing, _) => "Its campaigns are being paused. A pause that a platform refuses, and an ad account \
                                      that cannot be read, are tried again every hour."
            .to_owned(),
        (ErasureStep::Closing, 0) => "Its campaigns are not changed any more, and what was sent to the platforms before \
                                      gets its outcome."
            .to_owned(),
        (ErasureStep::Closing, 1) => waits_for("1 change whose outcome is"),
        (ErasureStep::Closing, open) => waits_for(&format!("{open} changes whose outcomes are")),
        (ErasureStep::Disconnecting, _) => {
            "What waits is canceled, its ad accounts are disconnected, and their consents are revoked.".to_owned()
        }
        (ErasureStep::Erasing, _) => "Its ad accounts are disconnected, and its records are being erased, from 15 minutes \
                                      after that on. What counts against the limit of an API key counts until the day of \
                                      the ad account is over."
            .to_owned(),
    }
}

fn waits_for(changes: &str) -> String {
    format!(
        "Its campaigns are not changed any more. It waits for {changes} not known: nothing is erased \
         while money is open."
    )
}

/// Whether it may be told to go on although something runs: it waits for a pause or for an outcome.
pub(crate) fn may_leave_running(erasure: &Erasure) -> bool {
    let waits = match erasure.step {
        ErasureStep::Pausing | ErasureStep::Closing => true,
        ErasureStep::Disconnecting | ErasureStep::Erasing => false,
    };
    waits && !erasure.leave_running
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use shared::domain::{ChangeId, KeyId, Requester};
    use uuid::Uuid;

    fn at(step: ErasureStep) -> Erasure {
        let by = Requester::ApiKey { id: KeyId::default_key(), name: String::new() };
        Erasure::new(by, Timestamp::UNIX_EPOCH, false).at(step)
    }

    #[test]
    fn each_step_says_what_is_done_and_what_it_waits_for() {
        let open = |number: usize| {
            let ids = (0..number).map(|number| ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::nil(), number));
            progress(&Erasure { open: ids.collect(), ..at(ErasureStep::Closing) })
        };
        assert!(open(0).ends_with("gets its outcome."), "{}", open(0));
        assert!(open(1).contains("waits for 1 change whose outcome is not known"), "{}", open(1));
        assert!(open(2).contains("waits for 2 changes whose outcomes are not known"), "{}", open(2));
        let mut said: Vec<String> = ErasureStep::ALL.map(|step| progress(&at(step))).into();
        said.dedup();
        assert_eq!(said.len(), ErasureStep::ALL.len(), "{said:?}");
    }

    #[test]
    fn only_what_waits_may_go_on_although_something_runs() {
        let may = |step| may_leave_running(&at(step));
        assert_eq!(ErasureStep::ALL.map(may), [true, true, false, false]);
        assert!(!may_leave_running(&Erasure { leave_running: true, ..at(ErasureStep::Closing) }), "it does already");
    }
}
