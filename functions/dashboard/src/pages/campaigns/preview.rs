//! The preview of the create form: the API's dry run. Nothing is created, and the form's idempotency key stays unused.

use super::create::{body, incomplete};
use super::create_form::{CreateForm, kept, targets};
use super::dry_run::{DryRun, Run};
use crate::accounts::{self, Connection};
use crate::addresses::{CAMPAIGNS, PREVIEW};
use crate::api::{Api, Refusal};
use crate::draft;
use crate::layout::{self, Layout};
use crate::session::SignedIn;
use askama::Template;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "preview.html")]
struct PreviewPage {
    layout: Layout,
    name: String,
    runs: Vec<Run>,
    /// The dry run that the API refused as a whole.
    refusal: Option<Refusal>,
    form: CreateForm,
}

/// Leads from the form to its preview.
pub(crate) fn preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if targets(&form).is_empty() {
        return Ok(incomplete(&form, "Ad accounts", "must have at least one account that is ticked."));
    }
    let too_long =
        || incomplete(&[], "Form", "is too long for a preview. Tick fewer ad accounts, or shorten the name.");
    Ok(draft::leave(person, kept(&form), PREVIEW).unwrap_or_else(too_long))
}

/// Shows the preview, and below it the form, which creates exactly that.
pub(crate) async fn show_preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let Some(values) = draft::find(request, person) else { return Ok(WebReply::see_other(CAMPAIGNS)) };
    let targets = targets(&values);
    let body = body(&values, &targets)?;
    let api = Api::new(request, person);
    let run = DryRun::fetch(&api, "POST", "/v1/campaigns", body);
    let (run, connections) = tokio::join!(run, accounts::connections(&api));
    let connections = connections.unwrap_or_default();
    let layout = Layout::signed_in(request, "Preview", CAMPAIGNS, person);
    let has_targets = person.account.customer.plan.limits().has_targets;
    let page = page(layout, run.map(|run| run.runs(&targets, &connections)), &values, (&connections, has_targets));
    Ok(layout::show(request, &page))
}

fn page(
    layout: Layout,
    runs: Result<Vec<Run>, Refusal>,
    values: &[(String, String)],
    (connections, has_targets): (&[Connection], bool),
) -> PreviewPage {
    let (runs, refusal) = runs.map_or_else(|refusal| (Vec::new(), Some(refusal)), |runs| (runs, None));
    PreviewPage {
        layout,
        name: value(values, "name").unwrap_or_default().trim().to_owned(),
        runs,
        refusal,
        form: CreateForm::filled_in(values.to_vec(), connections, has_targets),
    }
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
        let run: DryRun = serde_json::from_value(serde_json::json!({ "data": [run] })).unwrap();
        let values = values(text);
        page(Layout::signed_out("Preview"), Ok(run.runs(&["ALPHA:1"], &[])), &values, (&[], true)).render().unwrap()
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
        let html = page(Layout::signed_out("Preview"), Err(refusal), &values("Spring"), (&[], true)).render().unwrap();
        assert!(html.contains("Too low.") && html.contains(r#"value="Spring""#), "{html}");
    }
}
