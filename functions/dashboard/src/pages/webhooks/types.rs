//! The types of events in plain words, in groups.

use shared::domain::EventKind;

/// A group of the form: its heading, and what each type reports.
type Group = (&'static str, &'static [(EventKind, &'static str)]);

const GROUPS: &[Group] = &[
    (
        "Changes to campaigns",
        &[
            (EventKind::ChangeApplied, "the campaign has all of it; a created campaign is a change, too"),
            (EventKind::ChangePartlyApplied, "the campaign has a part of it"),
            (EventKind::ChangeFailed, "the campaign has none of it"),
            (EventKind::ChangeInDoubt, "its outcome is not known yet; another event tells it"),
            (EventKind::ChangeScheduled, "it waits for its time"),
            (EventKind::ChangeLate, "it still waits two minutes after its time"),
            (EventKind::ChangeCanceled, "it was taken back before anything was sent"),
            (EventKind::ChangeAwaitingApproval, "it waits for a person"),
            (EventKind::ChangeApproved, "a person has approved it"),
            (EventKind::ChangeRejected, "a person has rejected it"),
            (EventKind::ChangeExpired, "nobody has approved it in time"),
        ],
    ),
    (
        "Connections",
        &[
            (EventKind::ConnectionActivated, "an ad account is connected"),
            (EventKind::ConnectionRevoked, "it does not work any more, because its consent has ended"),
            (EventKind::ConnectionError, "it does not work, for another reason"),
            (EventKind::ConnectionRecovered, "it works again"),
            (EventKind::ConnectionUpdated, "its label or its user has changed"),
            (EventKind::ConnectionRemoved, "it was removed"),
        ],
    ),
    (
        "API keys, users and spending limits",
        &[
            (EventKind::ApiKeyCreated, "a key was created"),
            (EventKind::ApiKeyRotated, "a key was replaced by a new one"),
            (EventKind::ApiKeyRevoked, "a key was deleted"),
            (EventKind::ApiKeyStopped, "a key was stopped"),
            (EventKind::UserUpdated, "one of your users has another label"),
            (EventKind::UserPaused, "one of your users was paused"),
            (EventKind::UserResumed, "it was resumed"),
            (EventKind::LimitRefused, "a spending limit has refused something, at most once an hour"),
        ],
    ),
    (
        "Quota, plan and webhooks",
        &[
            (EventKind::Quota80Percent, "the requests of the period have reached 80 percent of the quota"),
            (EventKind::Quota100Percent, "they have reached all of it"),
            (EventKind::BillingPlanChanged, "the plan has changed"),
            (EventKind::BillingPastDue, "a payment has failed"),
            (EventKind::WebhookEndpointDisabled, "we have disabled another endpoint of yours"),
        ],
    ),
];

/// A group of checkboxes.
pub(super) struct TypeGroup {
    pub(super) title: &'static str,
    pub(super) choices: Vec<TypeChoice>,
}

/// A checkbox.
pub(super) struct TypeChoice {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) is_chosen: bool,
}

/// The groups, with the chosen types checked.
pub(super) fn groups(is_chosen: impl Fn(EventKind) -> bool) -> Vec<TypeGroup> {
    let choice = |(kind, meaning): &(EventKind, &'static str)| TypeChoice {
        name: kind.as_str(),
        meaning,
        is_chosen: is_chosen(*kind),
    };
    GROUPS.iter().map(|(title, kinds)| TypeGroup { title, choices: kinds.iter().map(choice).collect() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_can_be_chosen_once() {
        let all = groups(|kind| kind == EventKind::ChangeLate);
        let mut names: Vec<_> = all.iter().flat_map(|group| group.choices.iter().map(|choice| choice.name)).collect();
        let mut known = EventKind::ALL.map(EventKind::as_str);
        names.sort_unstable();
        known.sort_unstable();
        assert_eq!(names, known);
        let chosen = all.iter().flat_map(|group| &group.choices).filter(|choice| choice.is_chosen);
        assert_eq!(chosen.map(|choice| choice.name).collect::<Vec<_>>(), ["change.late"]);
    }
}
