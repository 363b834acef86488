//! The tool that says why a campaign does not run.

use super::lists::{WHOLE, first_that_fits, pick_members};
use super::read::campaign_id;
use crate::answer::{Answer, ToolError};
use crate::api::Api;
use crate::object::{Object, array, json_text, object};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::{DeliveryReason, DeliveryState};
use shared::error::Error;

/// Numbers of ads, the first that makes the answer small enough. Rejected ads come first.
const MOST_ADS: [usize; 5] = [20, 10, 5, 2, 0];

#[derive(Deserialize)]
struct Answered<'a> {
    #[serde(borrow)]
    delivery: &'a RawValue,
    #[serde(borrow)]
    ads: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Judged {
    state: String,
    reasons: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    reason: String,
}

/// Reads whether a campaign is shown, and adds what to do about each reason.
pub(super) async fn get_delivery(api: &Api<'_>, arguments: Object<'_>) -> Result<Answer, ToolError> {
    arguments.require(&["campaign_id"], &["campaign_id"])?;
    let answered = api.get(&format!("/v1/campaigns/{}/delivery", campaign_id(&arguments)?)).await?;
    let whole = Object::parse(&answered.body)?;
    let Answered { delivery, ads } = serde_json::from_str(&answered.body).map_err(Error::internal)?;
    let judged: Judged = serde_json::from_str(delivery.get()).map_err(Error::internal)?;
    let advice = array(sentences(&judged).iter().map(|sentence| json_text(sentence)));
    first_that_fits(&MOST_ADS, |most| {
        let shown = array(ads.iter().take(most).map(|ad| ad.get().to_owned()));
        let mut members = pick_members(&whole, &["campaign_id", "platform", "status", "delivery", "read_at"], WHOLE);
        members.extend([("advice", advice.clone()), ("ads", shown)]);
        if ads.len() > most {
            members.push(("ads_not_shown", (ads.len() - most).to_string()));
        }
        members
    })
}

/// The state in words, then what to do about each reason, once.
fn sentences(judged: &Judged) -> Vec<String> {
    let state = DeliveryState::parse(&judged.state);
    let state = state.map(|state| format!("{}: {}", state.as_str(), state.meaning()));
    let reasons = reasons(judged).into_iter().filter_map(DeliveryReason::parse);
    let advice = reasons.map(|reason| format!("{}: {}", reason.as_str(), reason.advice()));
    state.into_iter().chain(advice).collect()
}

/// The names of the reasons, each once. A reason may lie at several levels.
fn reasons(judged: &Judged) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for Named { reason } in &judged.reasons {
        if !names.contains(&reason.as_str()) {
            names.push(reason);
        }
    }
    names
}

/// The state of a row of a list, with the names of its reasons.
pub(super) fn summary(delivery: &str) -> Option<String> {
    let judged: Judged = serde_json::from_str(delivery).ok()?;
    let names = array(reasons(&judged).into_iter().map(json_text));
    Some(object([("state", json_text(&judged.state)), ("reasons", names)]))
}
