//! What a manager asks first of a campaign: whether it is running, how much of its budget today has spent, and what
//! changed last.

use super::delivery::DeliveryPart;
use crate::client::api::Refusal;
use crate::kit::changes::ChangeRow;
use crate::kit::delivery::{Lately, tone};
use shared::domain::DeliveryState;

/// Whether a campaign is running.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Running {
    /// `Yes`, `No`, `Not yet`, `Ready`
    pub(super) answer: &'static str,
    /// Why, in a line.
    pub(super) why: String,
    /// Whether it needs a look.
    pub(super) is_warning: bool,
}

/// What changed last.
pub(super) struct LastChange {
    pub(super) what: String,
    pub(super) who: String,
    pub(super) time: String,
}

/// What a campaign has spent lately.
#[derive(Clone, Debug)]
pub(super) struct SpentLately {
    pub(super) lately: Lately,
    /// Today, for people: `364.91 USD`.
    pub(super) today: String,
}

/// What is said of a campaign whose platform does not answer: what it was at the last answer, such as `at 02:58 UTC`.
pub(super) fn last_known(status: &str, is_active: bool, spent: &SpentLately, at: &str) -> Running {
    let why = match spent.lately {
        _ if !is_active => return Running { answer: "No", why: status.to_owned(), is_warning: false },
        Lately::Today => format!("It was running and had spent {} today {at}.", spent.today),
        Lately::Week | Lately::Nothing => format!("It was active and had spent nothing today {at}."),
        Lately::Unknown => format!("It was active {at}."),
    };
    Running { answer: "Not known", why, is_warning: false }
}

/// Whether the campaign runs: by what it has spent today, by what its platform says of it, and else by its status for people.
pub(super) fn running(
    delivery: &Result<Option<DeliveryPart>, Refusal>,
    status: &str,
    is_active: bool,
    spent: &SpentLately,
) -> Running {
    let of = |answer, why| Running { answer, why, is_warning: false };
    match delivery {
        Ok(Some(part)) => told(part, spent),
        Err(_) if is_active && spent.lately == Lately::Today => {
            of("Yes", format!("It has spent {} today. What its platform says cannot be read now.", spent.today))
        }
        Err(_) if is_active => of("Not known", format!("{status}. We cannot tell right now whether it runs.")),
        Ok(None) | Err(_) => of("No", status.to_owned()),
    }
}

/// What a platform says, as far as the spend does not contradict it.
fn told(part: &DeliveryPart, SpentLately { lately, today }: &SpentLately) -> Running {
    let lately = *lately;
    let reason = part.reasons.first().map_or_else(|| part.meaning.clone(), |row| format!("{}.", row.title));
    let spends = format!("It has spent {today} today");
    let quiet =
        if lately == Lately::Unknown { "What it has spent today is not known." } else { "It has spent nothing today." };
    let (answer, why) = match (part.delivery, lately) {
        (DeliveryState::Waiting, Lately::Today) if part.is_before_start => {
            ("Yes", format!("{spends}, so it runs, although its platform still says it has not started."))
        }
        (DeliveryState::Waiting, Lately::Week) if part.is_before_start => {
            let why =
                "It has spent nothing today. It has in the last 7 days, although its platform says it has not started.";
            ("Not now", why.to_owned())
        }
        (DeliveryState::Waiting, Lately::Today | Lately::Week) => ("Not now", reason),
        (DeliveryState::Waiting, Lately::Nothing | Lately::Unknown) => ("Not yet", reason),
        (DeliveryState::Eligible, Lately::Today) => ("Yes", format!("{spends}, and its platform reports no problem.")),
        (DeliveryState::Eligible, _) => ("Ready", format!("Its platform reports no problem. {quiet}")),
        (DeliveryState::Limited, Lately::Today) => ("Yes, with a problem", format!("{spends}. {reason}")),
        (DeliveryState::Limited, _) => ("Ready, with a problem", format!("{reason} {quiet}")),
        (DeliveryState::Unknown, Lately::Today) => {
            ("Yes", format!("{spends}. Its platform does not say whether it runs."))
        }
        (DeliveryState::Unknown, _) => ("Not known", reason),
        (DeliveryState::Blocked | DeliveryState::Off, _) => ("No", reason),
    };
    let is_sure = answer == "Yes" || part.delivery == DeliveryState::Unknown;
    Running { answer, why, is_warning: !is_sure && tone(part.delivery) != "good" }
}

/// The newest change that does not wait.
pub(super) fn last_change(history: &[ChangeRow]) -> Option<LastChange> {
    let row = history.first()?;
    Some(LastChange { what: row.what.join(", "), who: row.who.clone(), time: row.time.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(lately: Lately) -> SpentLately {
        SpentLately { lately, today: "364.91 USD".to_owned() }
    }

    /// What is said of a campaign in this state.
    fn said(state: DeliveryState, is_before_start: bool, lately: Lately) -> (&'static str, String) {
        let part = DeliveryPart { is_before_start, ..DeliveryPart::sample(state) };
        let Running { answer, why, .. } = running(&Ok(Some(part)), "Active", true, &spent(lately));
        (answer, why)
    }

    #[test]
    fn the_first_answer_is_whether_the_campaign_runs() {
        let refusal = || Refusal {
            status: 502,
            message: String::new(),
            details: Vec::new(),
            reason: None,
            request_id: String::new(),
        };
        let off = running(&Ok(None), "Paused", false, &spent(Lately::Today));
        assert_eq!((off.answer, off.why.as_str(), off.is_warning), ("No", "Paused", false));
        let unread = |lately| running(&Err(refusal()), "Active", true, &spent(lately));
        assert_eq!(unread(Lately::Unknown).answer, "Not known");
        assert_eq!(unread(Lately::Today).answer, "Yes");
    }

    #[test]
    fn a_silent_platform_is_not_said_to_run_the_campaign() {
        let said = |is_active, lately| {
            let Running { answer, why, .. } = last_known("Paused", is_active, &spent(lately), "at 01:03 UTC");
            (answer, why)
        };
        let spending = "It was running and had spent 364.91 USD today at 01:03 UTC.";
        assert_eq!(said(true, Lately::Today), ("Not known", spending.to_owned()));
        assert_eq!(said(true, Lately::Unknown), ("Not known", "It was active at 01:03 UTC.".to_owned()));
        assert_eq!(said(false, Lately::Today), ("No", "Paused".to_owned()));
    }

    #[test]
    fn what_has_spent_today_is_not_said_to_wait() {
        let why = "It has spent 364.91 USD today, so it runs, although its platform still says it has not started.";
        assert_eq!(said(DeliveryState::Waiting, true, Lately::Today), ("Yes", why.to_owned()));
        for state in DeliveryState::ALL {
            for is_before_start in [true, false] {
                let (answer, _) = said(state, is_before_start, Lately::Today);
                assert!(answer != "Not yet" && answer != "Not known", "{state:?}: {answer}");
            }
        }
        assert_eq!(said(DeliveryState::Waiting, true, Lately::Week).0, "Not now");
        assert_eq!(said(DeliveryState::Waiting, true, Lately::Nothing).0, "Not yet");
        let ready = "Its platform reports no problem. It has spent nothing today.";
        assert_eq!(said(DeliveryState::Eligible, false, Lately::Nothing), ("Ready", ready.to_owned()));
    }
}
