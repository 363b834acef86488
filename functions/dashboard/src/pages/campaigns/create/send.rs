//! Creates the campaign of a form, once for the form's idempotency key: one request for each ad account, because each may
//! have a budget and dates of its own, and the API takes one of each for all `targets`.

use super::checks::{field_errors, form_error, shared_amount_error};
use super::large_budgets::{questions, with_answers};
use super::outcome::{AccountResult, NextPage, next_page};
use super::request::{account_name, body, refused_choice};
use crate::client::accounts::{self, Connection};
use crate::client::api::Api;
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::preview_form;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS, NEW_CAMPAIGN};
use crate::kit::campaign_forms::{AccountValues, KEY_FIELD, kept_create, ticked_accounts};
use crate::kit::form_errors::FormError;
use futures_util::future::join_all;
use shared::domain::Platform;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// Creates the campaign of a form.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let accounts = ticked_accounts(&form);
    let Some(key) = value(&form, KEY_FIELD).filter(|key| !key.is_empty()) else {
        let message = "The form was not complete, so nothing is created. Send it again.".to_owned();
        return Ok(Notice { message, values: kept_create(&form), ..Notice::default() }.then(NEW_CAMPAIGN));
    };
    if let Some(reply) = refused_choice(request, person, &form).await {
        return Ok(reply);
    }
    let api = Api::new(request, person);
    // Without them, the API alone checks the form.
    let connections = accounts::connections(&api).await.unwrap_or_default();
    let errors = errors(&accounts, &connections, &form)?;
    if !errors.is_empty() {
        return Ok(Notice::wrong(errors, &kept_create(&form)).shorten_to_fit().then(NEW_CAMPAIGN));
    }
    let questions = questions(&accounts, &connections, &form, &readings::known_budgets(request, person).await);
    if !questions.is_empty() {
        let message = "Nothing is created yet. Send the form again if you mean this:".to_owned();
        let values = with_answers(kept_create(&form), &accounts);
        let notice = Notice { message, errors: questions, values, ..Notice::default() };
        return Ok(notice.shorten_to_fit().then(NEW_CAMPAIGN));
    }
    let sends = accounts.iter().map(|account| send(&api, account, &connections, &form, key));
    let results: Vec<AccountResult> = join_all(sends).await.into_iter().collect::<Result<_, _>>()?;
    Ok(match next_page(&results, &form) {
        NextPage::List(notice) => notice.then(CAMPAIGNS),
        NextPage::Form(notice) => notice.shorten_to_fit().then(NEW_CAMPAIGN),
        NextPage::Checking(changes, notice) => {
            let page = addresses::outcome(&changes);
            let reply = notice.map_or_else(|| WebReply::see_other(&page), |notice| notice.shorten_to_fit().then(&page));
            // The form waits there until it is known whether it must be sent again.
            preview_form::leave_with(reply, &kept_create(&form))
        }
    })
}

/// What is known to be wrong before anything is sent, each sentence once.
pub(super) fn errors(
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
    let result = campaigns::create(api, body(account, form)?, &key).await;
    Ok(AccountResult { account: account.clone(), name: account_name(account, connections), result })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn one_mistake_is_told_before_anything_is_sent() {
        let form = form(&[
            ("name", "Spring"),
            ("goal", "LEADS"),
            ("budget_amount", "25.50"),
            ("budget_period", "DAILY"),
            ("targets", "ALPHA:1"),
            ("targets", "BETA:2"),
            ("budget_amount.BETA:2", "5,000"),
        ]);
        let errors = errors(&ticked_accounts(&form), &[], &form).unwrap();
        let shown: Vec<_> = errors.iter().map(|error| (error.id.as_str(), error.message.as_str())).collect();
        assert_eq!(shown, [("budget_amount.BETA:2", "5,000 can be read two ways: write 5000 or 5.000.")]);
    }
}
