//! Creates the campaign of a form, once for the form's idempotency key: one request for each ad account, because each may
//! have a budget and dates of its own, and the API takes one of each for all `targets`.

use super::account_values::{AccountValues, ticked};
use super::create_checks::{choice_error, field_errors, form_error, shared_amount_error};
use super::create_form::{KEY_FIELD, kept};
use super::create_outcome::{AccountResult, Fields, KeyState, Next, Outcome, next};
use super::wire::OneCampaign;
use crate::client::accounts::{self, Connection, target_name};
use crate::client::api::Api;
use crate::client::draft;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS, NEW_CAMPAIGN};
use crate::kit::amount::Amount;
use crate::kit::form_errors::FormError;
use crate::kit::moment::moment;
use futures_util::future::join_all;
use lambda_http::{Body, Response};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shared::domain::Platform;
use shared::envelope::query::value;
use shared::envelope::{CHANGE_ID_HEADER, Shape, WebReply};
use shared::error::{Error, FieldError};
use shared::serve::{ApiCall, WebRequest};

/// The request in the API.
const PATH: &str = "/v1/campaigns";

/// The body of the request for an ad account.
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
    platform: &'a str,
    organization_id: &'a str,
}

#[derive(Default, Deserialize)]
struct Failed {
    #[serde(default)]
    error: FailedCreate,
}

#[derive(Default, Deserialize)]
struct FailedCreate {
    #[serde(default)]
    code: String,
    #[serde(default)]
    retryable: bool,
}

/// Creates the campaign of a form.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let accounts = ticked(&form);
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        let message = "The form was not complete, so nothing is created. Send it again.".to_owned();
        return Ok(Notice { message, values: kept(&form), ..Notice::default() }.then(NEW_CAMPAIGN));
    };
    if let Some(reply) = refused_choice(&accounts, person, &form) {
        return Ok(reply);
    }
    let api = Api::new(request, person);
    // Without them, the API alone checks the form.
    let connections = accounts::connections(&api).await.unwrap_or_default();
    let errors = errors(&accounts, &connections, &form)?;
    if !errors.is_empty() {
        return Ok(Notice::wrong(errors, &kept(&form)).fitting().then(NEW_CAMPAIGN));
    }
    let sends = accounts.iter().map(|account| send(&api, account, &connections, &form, key));
    let results: Vec<AccountResult> = join_all(sends).await.into_iter().collect::<Result<_, _>>()?;
    Ok(match next(&results, &form) {
        Next::List(notice) => notice.then(CAMPAIGNS),
        Next::Form(notice) => notice.fitting().then(NEW_CAMPAIGN),
        Next::Checking(changes, notice) => {
            let page = addresses::outcome(&changes);
            let reply = notice.map_or_else(|| WebReply::see_other(&page), |notice| notice.fitting().then(&page));
            // The form waits there until it is known whether it must be sent again.
            draft::leave_with(reply, &kept(&form))
        }
    })
}

/// Leads back to a form that chooses no ad accounts, or too many.
pub(super) fn refused_choice(
    accounts: &[AccountValues],
    person: &SignedIn,
    form: &[(String, String)],
) -> Option<WebReply> {
    let error = choice_error(accounts, person.account.customer.plan)?;
    Some(Notice::wrong(vec![error], &kept(form)).fitting().then(NEW_CAMPAIGN))
}

/// The body of the request for an account.
pub(super) fn body(account: &AccountValues, form: &[(String, String)]) -> Result<String, Error> {
    let field = |name| value(form, name).unwrap_or_default().trim();
    let own = |name| account.value(name, form);
    let (platform, organization_id) = account.parts();
    let campaign = NewCampaign {
        name: field("name"),
        goal: field("goal"),
        budget_amount: Amount::typed(own("budget_amount")),
        budget_period: own("budget_period"),
        start_at: moment(own("start_at")),
        end_at: moment(own("end_at")),
        platform,
        organization_id,
    };
    serde_json::to_string(&campaign).map_err(Error::internal)
}

/// The account as the form names it.
pub(super) fn account_name(account: &AccountValues, connections: &[Connection]) -> String {
    target_name(&account.target, connections)
}

/// What is known to be wrong before anything is sent, each sentence once.
fn errors(
    accounts: &[AccountValues],
    connections: &[Connection],
    form: &[(String, String)],
) -> Result<Vec<FormError>, Error> {
    let mut errors: Vec<FormError> = shared_amount_error(accounts, connections, form).into_iter().collect();
    for account in accounts {
        let Some(platform) = Platform::from_upper(account.parts().0) else { continue };
        let connection = accounts::of_target(&account.target, connections);
        let currency = connection.and_then(|known| known.currency);
        let name = account_name(account, connections);
        for error in field_errors(&body(account, form)?, platform, currency) {
            let error = form_error(account, &name, form, &error);
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
    }
    Ok(errors)
}

/// Sends the create for an account. Its key derives from the form's, so a form that is sent again, with other accounts or
/// not, creates nothing twice.
async fn send(
    api: &Api<'_>,
    account: &AccountValues,
    connections: &[Connection],
    form: &[(String, String)],
    key: &str,
) -> Result<AccountResult, Error> {
    let key = format!("{key}/{}", account.target);
    let (method, shape) = ("POST", Shape::Enveloped);
    let call = ApiCall { method, target: PATH, body: Some(body(account, form)?), shape, idempotency_key: Some(&key) };
    let name = account_name(account, connections);
    let account = account.clone();
    Ok(match api.call_once(call).await {
        Ok(response) => AccountResult {
            outcome: read(api, &response),
            change: change_id(&response),
            campaign: campaign_id(&response),
            account,
            name,
        },
        Err(refusal) => {
            let outcome = Outcome::Unknown(refusal.message);
            AccountResult { outcome, change: None, campaign: None, account, name }
        }
    })
}

/// The id of the campaign in a response; `None` in an error.
fn campaign_id(response: &Response<Body>) -> Option<String> {
    serde_json::from_slice::<OneCampaign>(response.body()).ok().map(|one| one.data.id)
}

/// The ids of the changes of a response.
pub(super) fn change_id(response: &Response<Body>) -> Option<String> {
    let ids = response.headers().get(CHANGE_ID_HEADER)?.to_str().ok()?;
    Some(ids.replace(", ", ","))
}

fn read(api: &Api<'_>, response: &Response<Body>) -> Outcome {
    let Err(refusal) = api.parse::<IgnoredAny>(response) else { return Outcome::Created };
    let body: &[u8] = response.body();
    let Failed { error: FailedCreate { code, retryable } } = serde_json::from_slice(body).unwrap_or_default();
    match (refusal.status, KeyState::of(refusal.status, &code, retryable)) {
        (500 | 504, _) => Outcome::Unknown(refusal.message),
        (_, KeyState::InProgress) => Outcome::InProgress,
        (status, key) => {
            let fields = if status == 400 { fields_of(&refusal.message) } else { Fields::new() };
            Outcome::Failed { reason: refusal.message, fields, key }
        }
    }
}

/// The fields of a message of the enveloped shape, which has no `details`: `goal is required; name must not be blank`.
pub(super) fn fields_of(message: &str) -> Fields {
    const KNOWN: [&str; 8] =
        ["name", "goal", "budget_amount", "budget_period", "start_at", "end_at", "apply_at", "campaign_defaults"];
    let mut fields = Fields::new();
    for part in message.split("; ") {
        match part.split_once(' ').filter(|(field, _)| KNOWN.contains(field)) {
            Some((field, message)) => {
                fields.push(FieldError::new(field, message));
            }
            // A message may have a semicolon of its own.
            None => match fields.last_mut() {
                Some(last) => last.message = format!("{}; {part}", last.message),
                None => return Fields::new(),
            },
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn each_account_has_a_request_of_its_own() {
        let form = form(&[
            ("name", " Spring "),
            ("goal", "LEADS"),
            ("budget_amount", "25.50"),
            ("budget_period", "DAILY"),
            ("start_at", "2026-12-01"),
            ("targets", "ALPHA:1"),
            ("targets", "BETA:2"),
            ("budget_amount.BETA:2", "500"),
            ("budget_period.BETA:2", "LIFETIME"),
            ("end_at.BETA:2", "2026-12-24"),
        ]);
        let bodies: Vec<String> = ticked(&form).iter().map(|account| body(account, &form).unwrap()).collect();
        assert_eq!(
            bodies,
            [
                r#"{"name":"Spring","goal":"LEADS","budget_amount":25.50,"budget_period":"DAILY","start_at":"2026-12-01","platform":"ALPHA","organization_id":"1"}"#,
                r#"{"name":"Spring","goal":"LEADS","budget_amount":500,"budget_period":"LIFETIME","start_at":"2026-12-01","end_at":"2026-12-24","platform":"BETA","organization_id":"2"}"#,
            ]
        );
    }

    #[test]
    fn one_mistake_is_told_before_anything_is_sent() {
        let form = form(&[
            ("name", "Spring"),
            ("goal", "LEADS"),
            ("budget_amount", "25.50"),
            ("budget_period", "DAILY"),
            ("targets", "ALPHA:1"),
            ("targets", "BETA:2"),
            ("budget_amount.BETA:2", "0,5"),
        ]);
        let errors = errors(&ticked(&form), &[], &form).unwrap();
        let shown: Vec<_> = errors.iter().map(|error| (error.id.as_str(), error.message.as_str())).collect();
        assert_eq!(shown, [("budget_amount.BETA:2", "Write 0.5 with a dot.")]);
    }

    #[test]
    fn the_fields_of_a_message_are_found() {
        let fields = fields_of("name must not contain emoji on TikTok: a; start_at must not have passed; leave it out");
        let shown: Vec<_> = fields.iter().map(|error| (error.field.as_str(), error.message.as_str())).collect();
        let start = "must not have passed; leave it out";
        assert_eq!(shown, [("name", "must not contain emoji on TikTok: a"), ("start_at", start)]);
        assert!(fields_of("Meta is busy; try again").is_empty());
    }
}
