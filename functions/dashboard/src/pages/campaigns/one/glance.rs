//! What a manager asks first of a campaign: whether it is running, how much of its budget today has spent, and what
//! changed last.

use super::delivery::DeliveryPart;
use crate::client::api::Refusal;
use crate::kit::changes::ChangeRow;
use crate::kit::delivery::tone;
use shared::domain::DeliveryState;

/// Whether a campaign is running.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Running {
    /// `Yes`, `No`, `Not yet`
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

/// Whether the campaign runs, by what its platform says of it, and else by its status for people.
pub(super) fn running(delivery: &Result<Option<DeliveryPart>, Refusal>, status: &str, is_active: bool) -> Running {
    match delivery {
        Ok(Some(part)) => {
            let reason = part.reasons.first().map(|row| row.title.clone());
            Running {
                answer: answer(part.delivery),
                why: reason.unwrap_or_else(|| part.meaning.to_owned()),
                is_warning: tone(part.delivery) != "good" && part.delivery != DeliveryState::Unknown,
            }
        }
        Err(_) if is_active => {
            let why = format!("{status}. Whether it is shown cannot be read now.");
            Running { answer: "Not known", why, is_warning: false }
        }
        Ok(None) | Err(_) => Running { answer: "No", why: status.to_owned(), is_warning: false },
    }
}

fn answer(state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Eligible => "Yes",
        DeliveryState::Limited => "Yes, with a fault",
        DeliveryState::Waiting => "Not yet",
        DeliveryState::Blocked | DeliveryState::Off => "No",
        DeliveryState::Unknown => "Not known",
    }
}

/// The newest change that does not wait.
pub(super) fn last_change(history: &[ChangeRow]) -> Option<LastChange> {
    let row = history.first()?;
    Some(LastChange { what: row.what.join(", "), who: row.who.clone(), time: row.time.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_is_whether_the_campaign_runs() {
        let refusal = Refusal {
            status: 502,
            message: String::new(),
            details: Vec::new(),
            reason: None,
            request_id: String::new(),
        };
        let off = running(&Ok(None), "Paused", false);
        assert_eq!((off.answer, off.why.as_str(), off.is_warning), ("No", "Paused", false));
        let unread = running(&Err(refusal), "Active", true);
        assert_eq!(unread.answer, "Not known", "{unread:?}");
        let answers = DeliveryState::ALL.map(answer);
        assert_eq!(answers.iter().filter(|answer| answer.starts_with("Yes")).count(), 2, "{answers:?}");
    }
}
