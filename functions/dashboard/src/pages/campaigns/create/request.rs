//! The request that creates the campaign of a form in an ad account.

use super::checks::{choice_error, tick_error, without_tick};
use crate::client::accounts::{Connection, connections, target_name};
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::NEW_CAMPAIGN;
use crate::kit::amount::Amount;
use crate::kit::campaign_forms::{AccountValues, accounts, kept_create};
use crate::kit::form_errors::FormError;
use crate::kit::moment::moment;
use serde::Serialize;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

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

/// The body of the request for an account.
pub(super) fn body(account: &AccountValues, form: &[(String, String)]) -> Result<String, Error> {
    let field = |name| value(form, name).unwrap_or_default().trim();
    let own = |name| account.value(name, form);
    let (platform, organization_id) = account.parts();
    let campaign = NewCampaign {
        name: field("name"),
        goal: field("goal"),
        budget_amount: Amount::parse(own("budget_amount")),
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

/// Leads back to a form that chooses no ad accounts, or too many, or that has a budget for one that it does not choose.
pub(super) async fn refused_choice(
    request: &WebRequest,
    person: &SignedIn,
    form: &[(String, String)],
) -> Option<WebReply> {
    let (plan, known) = (person.account.customer.plan, accounts(form));
    let untold = without_tick(&known);
    let ticked: Vec<AccountValues> = known.iter().filter(|account| account.is_ticked).cloned().collect();
    // Without any tick the budget alone says which account is meant.
    let choice = choice_error(&ticked, plan).filter(|_| untold.is_empty() || !ticked.is_empty());
    let mut errors: Vec<FormError> = choice.into_iter().collect();
    if !untold.is_empty() {
        let connections = connections(&Api::new(request, person)).await.unwrap_or_default();
        errors.extend(untold.iter().map(|account| tick_error(account, &account_name(account, &connections), plan)));
    }
    (!errors.is_empty()).then(|| Notice::wrong(errors, &kept_create(form)).shorten_to_fit().then(NEW_CAMPAIGN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign_forms::ticked_accounts;
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
        let bodies: Vec<String> = ticked_accounts(&form).iter().map(|account| body(account, &form).unwrap()).collect();
        assert_eq!(
            bodies,
            [
                r#"{"name":"Spring","goal":"LEADS","budget_amount":25.50,"budget_period":"DAILY","start_at":"2026-12-01","platform":"ALPHA","organization_id":"1"}"#,
                r#"{"name":"Spring","goal":"LEADS","budget_amount":500,"budget_period":"LIFETIME","start_at":"2026-12-01","end_at":"2026-12-24","platform":"BETA","organization_id":"2"}"#,
            ]
        );
    }
}
