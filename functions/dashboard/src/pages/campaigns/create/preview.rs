//! The preview of the create form: the API's dry run. Nothing is created, and the form's idempotency key stays unused.

use super::checks::form_error;
use super::form::CreateForm;
use super::large_budgets::{budget_words, sums, with_answers};
use super::outcome::schedule;
use super::request::{account_name, body, refused_choice};
use super::rows::offered_accounts;
use super::send::errors;
use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns::{dry_run_create, wrong_fields};
use crate::client::notice::Notice;
use crate::client::preview_form;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, NEW_CAMPAIGN, PREVIEW};
use crate::kit::campaign::goal_word;
use crate::kit::campaign_forms::{AccountValues, kept_create, ticked_accounts};
use crate::pages::campaigns::dry_runs::DryRunView;
use crate::pages::layout::{self, Layout};
use askama::Template;
use futures_util::future::join_all;
use shared::domain::Goal;
use shared::envelope::query::value;
use shared::envelope::{DryRunResult, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/create/preview.html")]
struct PreviewPage {
    layout: Layout,
    name: String,
    runs: Vec<DryRunView>,
    /// Each account has its own dry run, so none is refused for all.
    refusal: Option<Refusal>,
    form: CreateForm,
    /// The goal for people; empty if none is chosen.
    goal: &'static str,
    /// Each account with its budget, and when its campaign starts and ends.
    schedules: Vec<(String, String)>,
    /// What the budgets come to, by currency and span.
    sums: Vec<String>,
}

impl PreviewPage {
    /// Whether each account would take its campaign, as far as that is known.
    fn is_whole(&self) -> bool {
        self.runs.iter().all(|run| run.tone != "bad")
    }
}

/// Leads from the form to its preview.
pub(crate) async fn preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if let Some(reply) = refused_choice(request, person, &form).await {
        return Ok(reply);
    }
    let too_long = || {
        let message = "The form is too long for a preview. Tick fewer ad accounts, or shorten the name.".to_owned();
        Notice { message, values: kept_create(&form), ..Notice::default() }.then(NEW_CAMPAIGN)
    };
    Ok(preview_form::leave(&kept_create(&form), PREVIEW).unwrap_or_else(too_long))
}

/// Shows the preview, and below it the form, which creates exactly that.
pub(crate) async fn show_preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let Some(values) = preview_form::find(request, person) else { return Ok(WebReply::see_other(NEW_CAMPAIGN)) };
    let accounts = ticked_accounts(&values);
    let api = Api::new(request, person);
    let runs = join_all(accounts.iter().map(|account| dry_run(&api, account, &values)));
    let (runs, connections) = tokio::join!(runs, accounts::connections(&api));
    let connections = connections.unwrap_or_default();
    // What Create would refuse is no preview.
    let wrong = errors(&accounts, &connections, &values)?;
    if !wrong.is_empty() {
        return Ok(Notice::wrong(wrong, &kept_create(&values)).shorten_to_fit().then(NEW_CAMPAIGN));
    }
    let layout = Layout::signed_in(request, "Preview", CAMPAIGNS, person);
    let has_targets = person.account.customer.plan.limits().has_targets;
    let run = |(account, run): (&AccountValues, Result<_, Error>)| {
        let name = account_name(account, &connections);
        Ok(shown(run?, account, name, &values))
    };
    let facts = |one: &AccountValues| {
        let budget = budget_words(one, &connections, &values).map(|words| format!("{words}, "));
        format!("{}{}", budget.unwrap_or_default(), schedule(one, &values))
    };
    let schedules = accounts.iter().map(|one| (account_name(one, &connections), facts(one))).collect();
    let runs = accounts.iter().zip(runs).map(run).collect::<Result<Vec<DryRunView>, Error>>()?;
    let sums = sums(&accounts, &connections, &values);
    // What the preview has shown is asked about no more.
    let values = with_answers(values, &accounts);
    let form = CreateForm::from_form(&values, None, &offered_accounts(connections, &values), has_targets);
    Ok(layout::show(request, &PreviewPage { schedules, sums, ..page(layout, runs, &values, form) }))
}

async fn dry_run(
    api: &Api<'_>,
    account: &AccountValues,
    values: &[(String, String)],
) -> Result<Result<DryRunResult, Refusal>, Error> {
    Ok(dry_run_create(api, body(account, values)?).await)
}

/// The dry run for an account with a name.
fn shown(
    run: Result<DryRunResult, Refusal>,
    account: &AccountValues,
    name: String,
    values: &[(String, String)],
) -> DryRunView {
    match run {
        Ok(result) => DryRunView::new(result, name),
        Err(refusal) => DryRunView::refused(name, refusal.status, refusal_text(&refusal, account, values)),
    }
}

fn page(layout: Layout, runs: Vec<DryRunView>, values: &[(String, String)], form: CreateForm) -> PreviewPage {
    let name = value(values, "name").unwrap_or_default().trim().to_owned();
    let goal = value(values, "goal").and_then(Goal::parse).map_or("", goal_word);
    PreviewPage { layout, name, goal, runs, refusal: None, form, schedules: Vec::new(), sums: Vec::new() }
}

/// A refusal as the form shows it.
fn refusal_text(refusal: &Refusal, account: &AccountValues, values: &[(String, String)]) -> String {
    let fields = wrong_fields(refusal).iter().map(|error| form_error(account, "", values, error).message);
    let fields: Vec<String> = fields.collect();
    if fields.is_empty() { refusal.in_full() } else { fields.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::campaigns::dry_runs::tests::result;
    use shared::domain::ShownRequest;
    use shared::error::Kind;

    const HOSTILE: &str = "</pre><script>alert(1)</script>";

    fn values(name: &str) -> Vec<(String, String)> {
        let fields = [("name", name), ("goal", "LEADS"), ("budget_amount", "25.50"), ("budget_period", "LIFETIME")];
        let others = [("targets", "ALPHA:1"), ("targets", "BETA:2"), ("idempotency_key", "k")];
        fields.iter().chain(&others).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// The preview of a form with this name, of which the account of Google Ads has this run.
    fn rendered(run: DryRunView, name: &str) -> String {
        let values = values(name);
        let form = CreateForm::from_form(&values, None, &[], true);
        page(Layout::signed_out("Preview"), vec![run], &values, form).render().unwrap()
    }

    fn failed(text: &str) -> String {
        let request =
            ShownRequest { method: "POST".to_owned(), url: "https://ads.test/v1".to_owned(), body: text.to_owned() };
        let failed = result(Err(Error::new(Kind::PlatformRefused, text)));
        let run = DryRunView::new(DryRunResult { requests: vec![request], ..failed }, "Google Ads: 1".to_owned());
        rendered(run, text)
    }

    #[test]
    fn the_form_below_a_preview_is_the_same_request() {
        let html = failed("Spring");
        for text in [
            r#"name="idempotency_key" value="k""#,
            r#"value="25.50""#,
            r#"<option value="LIFETIME" selected>"#,
            r#"value="ALPHA:1" checked"#,
            r#"value="BETA:2" checked"#,
            r#"formaction="/dashboard/campaigns/preview""#,
            "POST https://ads.test/v1",
            "Would fail",
            "<p>Goal: Leads</p>",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
    }

    #[test]
    fn bodies_and_messages_are_escaped() {
        let html = failed(HOSTILE);
        assert!(!html.contains("<script>alert") && html.contains("&#60;/pre&#62;"), "{html}");
    }

    #[test]
    fn a_refused_preview_says_why_and_keeps_the_form() {
        let refusal = Refusal {
            status: 400,
            message: "Too low.".to_owned(),
            details: Vec::new(),
            reason: None,
            request_id: "r".to_owned(),
        };
        let (account, values) = (AccountValues::of("ALPHA:1", Default::default()), values("Spring"));
        let run = shown(Err(refusal), &account, "Google Ads: 1".to_owned(), &values);
        let html = rendered(run, "Spring");
        assert!(
            html.contains("Too low.") && html.contains("Google Ads: 1") && html.contains(r#"value="Spring""#),
            "{html}"
        );
    }
}
