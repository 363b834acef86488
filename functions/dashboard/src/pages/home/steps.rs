//! The first steps of an account, in their order.

use crate::kit::addresses::{CAMPAIGNS, CONNECTIONS, KEYS};

/// A step of the first five minutes.
pub(super) struct Step {
    pub(super) is_done: bool,
    /// The first that is not done.
    pub(super) is_next: bool,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
    pub(super) link: (&'static str, &'static str),
}

/// The steps. The page marks the first that is not done.
pub(super) fn steps(has_connection: bool, has_campaign: bool, has_key: bool) -> [Step; 3] {
    let step = |is_done, is_next, title, text, link| Step { is_done, is_next, title, text, link };
    [
        step(
            has_connection,
            !has_connection,
            "Connect an ad account",
            "You give access at the platform, and can end it there or here.",
            ("Connect an account", CONNECTIONS),
        ),
        step(
            has_campaign,
            has_connection && !has_campaign,
            "Create a campaign",
            "It starts paused, so nothing is spent until you activate it.",
            ("Create a campaign", CAMPAIGNS),
        ),
        step(
            has_key,
            has_connection && has_campaign && !has_key,
            "Create an API key",
            "Programs send it with every request.",
            ("Create a key", KEYS),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_step_is_marked() {
        for (done, next) in [
            ((false, false, false), Some(0)),
            ((false, true, true), Some(0)),
            ((true, false, true), Some(1)),
            ((true, true, false), Some(2)),
            ((true, true, true), None),
        ] {
            let steps = steps(done.0, done.1, done.2);
            assert_eq!(steps.iter().position(|step| step.is_next), next, "{done:?}");
            assert!(steps.iter().filter(|step| step.is_next).count() <= 1 && steps[2].link.1 == KEYS);
        }
    }
}
