//! The preview of the create form: the API's dry run. Nothing is created, and the form's idempotency key stays unused.

use super::account_values::{AccountValues, ticked};
use super::create::{account_name, body, fields_of, refused_choice};
use super::create_accounts::offered;
use super::create_checks::{form_error, shared_amount_error};
use super::create_form::{CreateForm, kept};
use super::dry_run::{DryRun, Run};
use crate::client::accounts::{self, Connection};
use crate::client::api::{Api, Refusal};
use crate::client::draft;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, NEW_CAMPAIGN, PREVIEW};
use crate::pages::layout::{self, Layout};
use askama::Template;
use futures_util::future::join_all;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/preview.html")]
struct PreviewPage {
    layout: Layout,
    name: String,
    runs: Vec<Run>,
    /// Each account has its own dry run, so none is refused for all.
    refusal: Option<Refusal>,
    form: CreateForm,
}

/// Leads from the form to its preview.
pub(crate) fn preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Some(reply) = refused_choice(&ticked(&form), person, &form) {
        return Ok(reply);
    }
    let too_long = || {
        let message = "The form is too long for a preview. Tick fewer ad accounts, or shorten the name.".to_owned();
        Notice { message, values: kept(&form), ..Notice::default() }.then(NEW_CAMPAIGN)
    };
    Ok(draft::leave(&kept(&form), PREVIEW).unwrap_or_else(too_long))
}

/// Shows the preview, and below it the form, which creates exactly that.
pub(crate) async fn show_preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let Some(values) = draft::find(request, person) else { return Ok(WebReply::see_other(NEW_CAMPAIGN)) };
    let accounts = ticked(&values);
    let api = Api::new(request, person);
    let runs = join_all(accounts.iter().map(|account| dry_run(&api, account, &values)));
    let (runs, connections) = tokio::join!(runs, accounts::connections(&api));
    let connections = connections.unwrap_or_default();
    if let Some(error) = shared_amount_error(&accounts, &connections, &values) {
        return Ok(Notice::wrong(vec![error], &kept(&values)).fitting().then(NEW_CAMPAIGN));
    }
    let layout = Layout::signed_in(request, "Preview", CAMPAIGNS, person);
    let has_targets = person.account.customer.plan.limits().has_targets;
    let runs = accounts.iter().zip(runs).map(|(account, run)| Ok((account_name(account, &connections), run?)));
    let runs: Vec<(String, Result<DryRun, Refusal>)> = runs.collect::<Result<_, Error>>()?;
    Ok(layout::show(request, &page(layout, runs, &values, (connections, has_targets))))
}

async fn dry_run(
    api: &Api<'_>,
    account: &AccountValues,
    values: &[(String, String)],
) -> Result<Result<DryRun, Refusal>, Error> {
    Ok(DryRun::fetch(api, "POST", "/v1/campaigns", body(account, values)?).await)
}

fn page(
    layout: Layout,
    runs: Vec<(String, Result<DryRun, Refusal>)>,
    values: &[(String, String)],
    (connections, has_targets): (Vec<Connection>, bool),
) -> PreviewPage {
    let accounts = ticked(values);
    let run = |(account, (name, run)): (&AccountValues, (String, Result<DryRun, Refusal>))| match run {
        Ok(run) => run.named(name),
        Err(refusal) => {
            let message = told(&refusal, account, values);
            Run::refused(name, refusal.status, message)
        }
    };
    PreviewPage {
        layout,
        name: value(values, "name").unwrap_or_default().trim().to_owned(),
        runs: accounts.iter().zip(runs).map(run).collect(),
        refusal: None,
        form: CreateForm::filled_in(values, None, &offered(connections, values), has_targets),
    }
}

/// A refusal as the form tells it.
fn told(refusal: &Refusal, account: &AccountValues, values: &[(String, String)]) -> String {
    let fields = fields_of(&refusal.message).into_iter().map(|error| form_error(account, "", values, &error).message);
    let fields: Vec<String> = fields.collect();
    if fields.is_empty() { refusal.message.clone() } else { fields.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</pre><script>alert(1)</script>";

    fn values(name: &str) -> Vec<(String, String)> {
        let fields = [("name", name), ("goal", "LEADS"), ("budget_amount", "25.50"), ("budget_period", "LIFETIME")];
        let others = [("targets", "ALPHA:1"), ("targets", "BETA:2"), ("idempotency_key", "k")];
        fields.iter().chain(&others).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn shown(text: &str) -> String {
        let run = serde_json::json!({
            "platform": "ALPHA", "verdict": "would_fail", "checked_by": "platform", "error": { "message": text },
            "request": { "method": "POST", "url": "https://ads.test/v1", "body": text },
        });
        let run: DryRun = serde_json::from_value(serde_json::json!({ "data": run })).unwrap();
        let runs = vec![("Google Ads: 1".to_owned(), Ok(run))];
        page(Layout::signed_out("Preview"), runs, &values(text), (Vec::new(), true)).render().unwrap()
    }

    #[test]
    fn the_form_below_a_preview_is_the_same_request() {
        let html = shown("Spring");
        for text in [
            r#"name="idempotency_key" value="k""#,
            r#"value="25.50""#,
            r#"<option value="LIFETIME" selected>"#,
            r#"value="ALPHA:1" checked"#,
            r#"value="BETA:2" checked"#,
            r#"formaction="/dashboard/campaigns/preview""#,
            "POST https://ads.test/v1",
            "Would fail",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }

    #[test]
    fn bodies_and_messages_are_escaped() {
        let html = shown(HOSTILE);
        assert!(!html.contains("<script>alert") && html.contains("&#60;/pre&#62;"), "{html}");
    }

    #[test]
    fn a_refused_preview_says_why_and_keeps_the_form() {
        let refusal =
            Refusal { status: 400, message: "Too low.".to_owned(), details: Vec::new(), request_id: "r".to_owned() };
        let runs = vec![("Google Ads: 1".to_owned(), Err(refusal))];
        let html = page(Layout::signed_out("Preview"), runs, &values("Spring"), (Vec::new(), true)).render().unwrap();
        assert!(
            html.contains("Too low.") && html.contains("Google Ads: 1") && html.contains(r#"value="Spring""#),
            "{html}"
        );
    }
}
