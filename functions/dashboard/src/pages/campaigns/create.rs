//! Creates a campaign in the ad accounts of a form, once for the form's idempotency key.

use super::create_form::{KEY_FIELD, kept, targets};
use super::outcome::{CreateResponse, KeyState, TargetResult, notice};
use crate::addresses::CAMPAIGNS;
use crate::amount::Amount;
use crate::api::{Api, Detail, Refusal};
use crate::notice::Notice;
use crate::session::SignedIn;
use jiff::civil::DateTime;
use lambda_http::{Body, Response};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::envelope::query::value;
use shared::envelope::{Shape, WebReply};
use shared::error::Error;
use shared::serve::{ApiCall, WebRequest};

/// The body of the request. Every plan has creates in one account, so that one is not sent as `targets`.
#[derive(Serialize)]
struct NewCampaign<'a> {
    name: &'a str,
    goal: &'a str,
    budget_amount: Amount,
    budget_period: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_at: Option<String>,
    #[serde(flatten)]
    place: Place<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Place<'a> {
    One(Target<'a>),
    Several { targets: Vec<Target<'a>> },
}

#[derive(Serialize)]
struct Target<'a> {
    platform: &'a str,
    organization_id: &'a str,
}

#[derive(Deserialize)]
struct Created {
    data: Vec<TargetResult>,
}

#[derive(Deserialize)]
struct Failed {
    error: FailedCreate,
}

#[derive(Default, Deserialize)]
struct FailedCreate {
    #[serde(default)]
    code: String,
    #[serde(default)]
    retryable: bool,
    #[serde(default)]
    results: Vec<TargetResult>,
}

/// Creates the campaign of a form.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    let (Some(key), targets) = (key, targets(&form)) else {
        return Ok(incomplete(&form, "Form", "is not complete: nothing is created. Send it again."));
    };
    if targets.is_empty() {
        return Ok(incomplete(&form, "Ad accounts", "must have at least one account that is ticked."));
    }
    let body = body(&form, &targets)?;
    let method = "POST";
    let target = "/v1/campaigns";
    let shape = Shape::Enveloped;
    let call = ApiCall { method, target, body: Some(body), shape, idempotency_key: Some(key) };
    let api = Api::new(request, person);
    let outcome = match api.call(call).await {
        Ok(response) => read_response(&api, &response, &targets),
        Err(refusal) => CreateResponse::Refused { refusal, key: KeyState::Free },
    };
    Ok(notice(outcome, &targets, &form).then(CAMPAIGNS))
}

/// The body of the request for a form.
pub(super) fn body(form: &[(String, String)], targets: &[&str]) -> Result<String, Error> {
    serde_json::to_string(&new_campaign(form, targets)).map_err(Error::internal)
}

/// Leads back to a form that cannot be sent like this.
pub(super) fn incomplete(form: &[(String, String)], field: &str, message: &str) -> WebReply {
    let details = vec![Detail { field: field.to_owned(), message: message.to_owned() }];
    let message = "The campaign is not created.".to_owned();
    Notice { message, details, values: kept(form), ..Notice::default() }.then(CAMPAIGNS)
}

fn new_campaign<'a>(form: &'a [(String, String)], targets: &[&'a str]) -> NewCampaign<'a> {
    let field = |name| value(form, name).unwrap_or_default().trim();
    let target = |target: &&'a str| {
        let (platform, organization_id) = target.split_once(':').unwrap_or((target, ""));
        Target { platform, organization_id }
    };
    NewCampaign {
        name: field("name"),
        goal: field("goal"),
        budget_amount: Amount::typed(field("budget_amount")),
        budget_period: field("budget_period"),
        start_at: moment(field("start_at")),
        end_at: moment(field("end_at")),
        place: match targets {
            [only] => Place::One(target(only)),
            several => Place::Several { targets: several.iter().map(target).collect() },
        },
    }
}

/// A day as it is, or a time in UTC. The API says what is wrong with any other text.
pub(crate) fn moment(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let has_zone = text.ends_with(['Z', 'z']) || text.get(10..).is_some_and(|time| time.contains(['+', '-']));
    let time = (text.len() > 10 && !has_zone).then(|| text.parse::<DateTime>().ok()).flatten();
    Some(time.map_or_else(|| text.to_owned(), |time| format!("{time}Z")))
}

fn read_response(api: &Api<'_>, response: &Response<Body>, targets: &[&str]) -> CreateResponse {
    let refused = |refusal: Refusal| {
        let body: &[u8] = response.body();
        let FailedCreate { code, retryable, results } =
            serde_json::from_slice(body).map_or_else(|_| FailedCreate::default(), |Failed { error }| error);
        let key = KeyState::of(refusal.status, &code, retryable);
        if results.is_empty() { CreateResponse::Refused { refusal, key } } else { CreateResponse::Results(results) }
    };
    let results = match targets {
        [only] => api.parse::<IgnoredAny>(response).map(|_| vec![TargetResult::created(only)]),
        _ => api.parse::<Created>(response).map(|created| created.data),
    };
    results.map_or_else(refused, CreateResponse::Results)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(targets: &[(&str, &str)]) -> String {
        let fields = [("name", " Spring "), ("goal", "LEADS"), ("budget_amount", "25.50"), ("budget_period", "DAILY")];
        let dates = [("start_at", "2026-12-01"), ("end_at", "")];
        let form: Vec<(String, String)> = fields.iter().chain(&dates).chain(targets).map(owned).collect();
        serde_json::to_string(&new_campaign(&form, &super::targets(&form))).unwrap()
    }

    fn owned((name, value): &(&str, &str)) -> (String, String) {
        ((*name).to_owned(), (*value).to_owned())
    }

    #[test]
    fn one_account_is_no_list_of_targets() {
        assert_eq!(
            sent(&[("targets", "ALPHA:1")]),
            r#"{"name":"Spring","goal":"LEADS","budget_amount":25.50,"budget_period":"DAILY","start_at":"2026-12-01","platform":"ALPHA","organization_id":"1"}"#
        );
    }

    #[test]
    fn the_order_of_the_accounts_does_not_matter() {
        let several = sent(&[("targets", "ZETA:t2_b"), ("targets", "ALPHA:1")]);
        assert_eq!(several, sent(&[("targets", "ALPHA:1"), ("targets", "ZETA:t2_b")]));
        let targets =
            r#""targets":[{"platform":"ALPHA","organization_id":"1"},{"platform":"ZETA","organization_id":"t2_b"}]}"#;
        assert!(several.ends_with(targets), "{several}");
    }

    #[test]
    fn a_time_without_a_zone_is_in_utc() {
        for (typed, sent) in [
            ("2026-12-01", "2026-12-01"),
            ("2026-12-01 09:00", "2026-12-01T09:00:00Z"),
            ("2026-12-01T09:00:30", "2026-12-01T09:00:30Z"),
            ("2026-12-01T09:00:00Z", "2026-12-01T09:00:00Z"),
            ("2026-12-01T09:00:00+01:00", "2026-12-01T09:00:00+01:00"),
            ("tomorrow morning", "tomorrow morning"),
        ] {
            assert_eq!(moment(typed).as_deref(), Some(sent));
        }
        assert_eq!(moment(""), None);
    }
}
