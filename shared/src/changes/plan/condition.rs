//! The conditions of a change on the present campaign. The values that a change was computed from are stored with it,
//! so they hold for each attempt; the preview that an agent has seen is known to its request only.

use crate::changes::facts::Facts;
use crate::changes::request::ChangeRequest;
use crate::domain::{Action, CampaignChanges, CampaignRecord, CampaignValues, PlatformCampaign, Reason};
use crate::error::{Error, Kind};

/// Refuses a campaign that has changed since the caller saw it.
pub(super) fn require_seen(
    request: &ChangeRequest<'_>,
    current: &PlatformCampaign,
    record: &CampaignRecord,
) -> Result<(), Error> {
    let Some(condition) = request.condition else { return Ok(()) };
    condition(&current.clone().complete(&request.connection.id, Some(record.clone())))
}

/// Refuses a campaign that lacks the values which the change was computed from. A removed campaign is refused
/// elsewhere.
pub(super) fn require_values(request: &ChangeRequest<'_>, facts: &Facts) -> Result<(), Error> {
    let Some(only_if) = &request.only_if else { return Ok(()) };
    if facts.current.status.is_final() {
        return Ok(());
    }
    let shown = facts.current.clone().complete(&request.connection.id, Some(facts.record.clone()));
    let differing = differing(only_if, &request.action, &CampaignValues::shown(&shown));
    if differing.is_empty() { Ok(()) } else { Err(changed_since(&differing)) }
}

/// The fields in which a campaign has neither the value that the change was computed from, nor the new value, which an
/// earlier attempt may have set. An ended campaign counts as switched on.
fn differing(only_if: &CampaignChanges, action: &Action, current: &CampaignValues) -> Vec<&'static str> {
    let current = &CampaignValues { status: current.status.switched(), ..current.clone() };
    let set = match action {
        Action::Update(changes) => {
            let missing = changes.clone().against(current).field_names();
            changes.field_names().into_iter().filter(|field| !missing.contains(field)).collect()
        }
        Action::Create(_) | Action::Delete => Vec::new(),
    };
    let lacking = only_if.clone().against(current).field_names();
    lacking.into_iter().filter(|field| !set.contains(field)).collect()
}

fn changed_since(fields: &[&str]) -> Error {
    let message = format!(
        "The campaign was changed since: its {} is not the one that this change was computed from. Nothing was sent.",
        fields.join(" and its "),
    );
    // This refusal says nothing about the connection, so its status stays.
    Error { keeps_connection_status: true, ..Error::new(Kind::Conflict, message) }.because(Reason::ChangedMeanwhile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{BudgetPeriod, CampaignStatus, Currency};

    fn campaign(amount: u32, period: BudgetPeriod, status: CampaignStatus) -> CampaignValues {
        CampaignValues {
            name: "A".to_owned(),
            status,
            budget_amount: Some(amount.into()),
            budget_period: Some(period),
            currency: Currency::from_code("USD").unwrap(),
            start_at: None,
            end_at: None,
        }
    }

    fn budget(amount: u32, period: Option<BudgetPeriod>) -> CampaignChanges {
        CampaignChanges { budget_amount: Some(amount.into()), budget_period: period, ..CampaignChanges::default() }
    }

    #[test]
    fn a_campaign_has_the_values_from_before_the_change_or_from_it() {
        use BudgetPeriod::{Daily, Lifetime, Monthly, Total};
        use CampaignStatus::{Active, Paused};
        let (only_if, action) = (budget(50, Some(Daily)), Action::Update(budget(55, None)));
        let lacking = |current| differing(&only_if, &action, &current);
        assert!(lacking(campaign(50, Daily, Paused)).is_empty() && lacking(campaign(50, Daily, Active)).is_empty());
        assert!(lacking(campaign(55, Daily, Paused)).is_empty(), "an earlier attempt has set it");
        assert_eq!(lacking(campaign(60, Daily, Paused)), ["budget_amount"]);
        assert_eq!(lacking(campaign(50, Monthly, Paused)), ["budget_period"], "it has a monthly budget by now");
        assert_eq!(lacking(campaign(55, Monthly, Paused)), ["budget_period"]);
        let whole = budget(50, Some(Total));
        assert!(differing(&whole, &action, &campaign(50, Lifetime, Paused)).is_empty(), "one period, two names");
        let paused = CampaignChanges::of_status(Paused);
        let activation = Action::Update(CampaignChanges::of_status(Active));
        assert!(differing(&paused, &activation, &campaign(50, Daily, Active)).is_empty());
        let ended = campaign(50, Daily, CampaignStatus::Ended);
        assert!(differing(&paused, &activation, &ended).is_empty(), "it is switched on");
        let draft = campaign(50, Daily, CampaignStatus::Draft);
        assert_eq!(differing(&paused, &activation, &draft), ["status"]);
        assert_eq!(differing(&paused, &Action::Delete, &campaign(50, Daily, Active)), ["status"]);
    }
}
