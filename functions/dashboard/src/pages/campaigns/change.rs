//! Changes and deletes a campaign.

use super::create::{change_id, moment};
use super::dry_run::{DryRun, Run};
use super::filter::Filter;
use super::one;
use super::wire::status_word;
use crate::addresses;
use crate::amount::Amount;
use crate::api::{Api, Refusal};
use crate::changes::CHANGES;
use crate::form_errors::Control;
use crate::layout::{path_segment, readable};
use crate::money::budget;
use crate::notice::Notice;
use crate::session::SignedIn;
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use lambda_http::{Body, Response};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared::envelope::query::value;
use shared::envelope::{Shape, WebReply};
use shared::error::Error;
use shared::serve::{ApiCall, WebRequest};

/// The controls of the form.
const CONTROLS: &[Control] =
    &[("name", "name", "Name"), ("budget_amount", "budget_amount", "Budget"), ("apply_at", "apply_at", "Time")];
/// The fields that the form is shown with again.
const FIELDS: [&str; 4] = ["id", "name", "budget_amount", TIME_FIELD];
/// The field with the time for which a change is scheduled; empty for now.
pub(super) const TIME_FIELD: &str = "apply_at";

/// The body of the request, without what stays as it is.
#[derive(Serialize)]
struct Changes<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_amount: Option<Amount>,
}

/// The campaign after a change, in the flat shape.
#[derive(Deserialize)]
struct Changed {
    name: String,
    status: Option<String>,
    budget_amount: Option<Box<RawValue>>,
    budget_period: Option<String>,
    currency: String,
}

/// A change that waits, in the flat shape.
#[derive(Deserialize)]
struct Waiting {
    apply_at: Timestamp,
}

/// A change in the flat shape.
#[derive(Deserialize)]
struct FlatChange {
    state: String,
}

/// What became of a change.
enum Outcome {
    Made(Box<Changed>),
    /// It waits for this time: the one of the form, or the start of the campaign.
    Waits(Timestamp),
    Deleted,
    /// It is not known whether it is made: the ids of its changes.
    Checking(String),
}

/// Changes the name, the status or the budget, now or later.
pub(crate) async fn change(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if changes_nothing(&form) {
        return Ok(Notice::success("Nothing is changed: the values are as before.").then(back(&form)));
    }
    let api = Api::new(request, person);
    let body = serde_json::to_string(&changes(&form)).map_err(Error::internal)?;
    Ok(match send(&api, "PATCH", &form, Some(body)).await {
        Ok(Outcome::Checking(changes)) => return Ok(WebReply::see_other(addresses::outcome(&changes))),
        Ok(outcome) => Notice::success(told(&outcome, time(&form).is_some())),
        Err(refusal) => Notice::refused(refusal, CONTROLS, &kept(&form)),
    }
    .then(back(&form)))
}

/// The dry run of a change, by the platform of the campaign.
pub(super) async fn dry_run(api: &Api<'_>, form: &[(String, String)]) -> Result<Result<Vec<Run>, Refusal>, Error> {
    let body = serde_json::to_string(&changes(form)).map_err(Error::internal)?;
    let run = DryRun::fetch(api, "PATCH", &one::api_path(id(form)), body).await;
    Ok(run.map(DryRun::run))
}

/// Whether a form has the values that the page showed.
pub(super) fn changes_nothing(form: &[(String, String)]) -> bool {
    matches!(changes(form), Changes { name: None, status: None, budget_amount: None })
}

/// Deletes a campaign at its platform, now or later.
pub(crate) async fn delete(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let deleted = send(&Api::new(request, person), "DELETE", &form, None).await;
    let list = Filter::of_form(&form).path();
    Ok(match deleted {
        Ok(Outcome::Deleted) => Notice::success(told(&Outcome::Deleted, false)).then(list),
        Ok(Outcome::Checking(changes)) => WebReply::see_other(addresses::outcome(&changes)),
        Ok(outcome) => Notice::success(told(&outcome, true)).then(back(&form)),
        Err(refusal) if refusal.status == 404 => {
            let message = "There is no such campaign. If you have just deleted it, it is gone.".to_owned();
            Notice::failure(Refusal { message, ..refusal }, &[]).then(list)
        }
        Err(refusal) => Notice::failure(refusal, &[]).then(back(&form)),
    })
}

/// Makes the request of a form, for the form's time if it has one.
async fn send(
    api: &Api<'_>,
    method: &'static str,
    form: &[(String, String)],
    body: Option<String>,
) -> Result<Outcome, Refusal> {
    let path = one::api_path(id(form));
    let at = time(form).map(|at| format!("?{TIME_FIELD}={}", path_segment(&at)));
    let target = &format!("{path}{}", at.unwrap_or_default());
    let response = api.call(ApiCall { method, target, body, shape: Shape::Flat, idempotency_key: None }).await?;
    match response.status() {
        StatusCode::ACCEPTED => api.parse::<Waiting>(&response).map(|waiting| Outcome::Waits(waiting.apply_at)),
        StatusCode::NO_CONTENT => Ok(Outcome::Deleted),
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => match unknown(api, &response).await {
            Some(changes) => Ok(Outcome::Checking(changes)),
            None => api.parse(&response).map(|changed| Outcome::Made(Box::new(changed))),
        },
        _ => api.parse(&response).map(|changed| Outcome::Made(Box::new(changed))),
    }
}

/// The ids of the changes of a response, if their outcome is unknown.
async fn unknown(api: &Api<'_>, response: &Response<Body>) -> Option<String> {
    let ids = change_id(response)?;
    let change: FlatChange = api.get(&format!("{CHANGES}/{}", path_segment(&ids))).await.ok()?;
    matches!(change.state.as_str(), "unknown" | "sending").then_some(ids)
}

/// The time of a form for the API; `None` for now.
pub(super) fn time(form: &[(String, String)]) -> Option<String> {
    moment(value(form, TIME_FIELD).unwrap_or_default().trim())
}

fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

/// The page that the form is on.
fn back(form: &[(String, String)]) -> String {
    if value(form, "back") == Some("one") { addresses::campaign(id(form)) } else { Filter::of_form(form).path() }
}

/// The fields that differ from what the page showed, which the form carries as `was_…`.
fn changes(form: &[(String, String)]) -> Changes<'_> {
    let changed = |name: &str, shown: &str| {
        let typed = value(form, name)?.trim();
        (typed != value(form, shown).unwrap_or_default().trim()).then_some(typed)
    };
    Changes {
        name: changed("name", "was_name"),
        status: value(form, "status").filter(|status| !status.is_empty()),
        budget_amount: changed("budget_amount", "was_budget_amount").map(Amount::typed),
    }
}

fn kept(form: &[(String, String)]) -> Vec<(String, String)> {
    form.iter().filter(|(name, _)| FIELDS.contains(&name.as_str())).cloned().collect()
}

fn told(outcome: &Outcome, has_time: bool) -> String {
    match outcome {
        Outcome::Made(changed) => state(changed),
        Outcome::Checking(_) => "It is not known yet whether the change is made.".to_owned(),
        Outcome::Deleted => "The campaign is deleted: it does not run and spends nothing more.".to_owned(),
        Outcome::Waits(at) => {
            let at = readable(*at);
            let why = if has_time {
                format!("The change is scheduled for {at}.")
            } else {
                format!("The campaign starts at {at}, and the change waits for that.")
            };
            format!("{why} Until then you can cancel it under Activity.")
        }
    }
}

fn state(changed: &Changed) -> String {
    let Changed { name, status, budget_amount, budget_period, currency } = changed;
    let budget = budget(budget_amount.as_deref(), currency, budget_period.as_deref());
    let status = match status.as_deref() {
        Some("ACTIVE") => "is active now, so its platform may spend the budget".to_owned(),
        Some("PAUSED") => "is paused now: nothing is spent until you activate it".to_owned(),
        Some(other) => format!("is changed. Its status is {}", status_word(other)),
        None => "is changed".to_owned(),
    };
    format!("“{name}” {status}. Budget: {budget}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn sent(fields: &[(&str, &str)]) -> String {
        serde_json::to_string(&changes(&form(fields))).unwrap()
    }

    #[test]
    fn only_what_differs_is_sent() {
        let shown = [("was_name", "Spring"), ("was_budget_amount", "25.5")];
        assert_eq!(sent(&[&shown[..], &[("name", "Spring"), ("budget_amount", "25.5")]].concat()), "{}");
        let both = [&shown[..], &[("name", "Summer"), ("budget_amount", "60.25")]].concat();
        assert_eq!(sent(&both), r#"{"name":"Summer","budget_amount":60.25}"#);
        assert_eq!(sent(&[&shown[..], &[("budget_amount", "")]].concat()), r#"{"budget_amount":""}"#);
        assert_eq!(sent(&[("status", "ACTIVE")]), r#"{"status":"ACTIVE"}"#);
    }

    #[test]
    fn a_form_leads_back_to_its_page() {
        assert_eq!(back(&form(&[("id", "alpha_1_2"), ("back", "one")])), "/dashboard/campaigns/one?id=alpha_1_2");
        assert_eq!(back(&form(&[("id", "a"), ("back", "list")])), "/dashboard/campaigns");
        let other = form(&[("id", "a&b"), ("back", "https://example.com/"), ("list", "status=PAUSED")]);
        assert_eq!(back(&other), "/dashboard/campaigns?status=PAUSED");
    }

    #[test]
    fn a_change_that_waits_names_its_time() {
        let waits = Outcome::Waits("2026-12-24T17:00:00Z".parse().unwrap());
        let cancel = "Until then you can cancel it under Activity.";
        assert_eq!(told(&waits, true), format!("The change is scheduled for 24 Dec 2026, 17:00 UTC. {cancel}"));
        let start = "The campaign starts at 24 Dec 2026, 17:00 UTC, and the change waits for that.";
        assert_eq!(told(&waits, false), format!("{start} {cancel}"));
        assert_eq!(time(&form(&[("apply_at", "2026-12-24T17:00")])).as_deref(), Some("2026-12-24T17:00:00Z"));
        assert_eq!(time(&form(&[("apply_at", " ")])), None);
    }

    #[test]
    fn the_notice_says_what_the_state_is() {
        let json =
            r#"{"name":"Spring","status":"ACTIVE","budget_amount":25.5,"budget_period":"DAILY","currency":"USD"}"#;
        let message = "“Spring” is active now, so its platform may spend the budget. Budget: 25.50 USD a day.";
        assert_eq!(state(&serde_json::from_str(json).unwrap()), message);
    }
}
