//! What pages say of the pause of a user, as of the stop of a key.

use crate::kit::key_stop::paused_of;
use shared::domain::users::PauseProgress;

/// How far a pause is: `3 of 4 campaigns paused`.
pub(crate) fn progress(progress: &PauseProgress) -> String {
    let PauseProgress { campaigns, paused, is_done, is_refused, .. } = *progress;
    match (campaigns, is_done, is_refused) {
        (_, true, _) => paused_of(campaigns, paused),
        (_, _, true) => {
            format!("{}; the rest is not paused, and we no longer retry", paused_of(campaigns, paused))
        }
        (0, ..) => "Finding its campaigns".to_owned(),
        _ => format!("{}; its ad accounts are checked until nothing runs", paused_of(campaigns, paused)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_says_how_far_it_is_and_whether_it_goes_on() {
        let of = |campaigns, paused, is_done, is_refused| {
            progress(&PauseProgress { changes: Vec::new(), campaigns, paused, is_done, is_refused })
        };
        assert_eq!(of(0, 0, false, false), "Finding its campaigns");
        assert_eq!(of(0, 0, true, false), "No campaign to pause");
        assert_eq!(of(2, 2, true, false), "2 of 2 campaigns paused");
        assert_eq!(of(1, 0, false, false), "0 of 1 campaign paused; its ad accounts are checked until nothing runs");
        assert_eq!(of(2, 1, false, true), "1 of 2 campaigns paused; the rest is not paused, and we no longer retry");
    }
}
