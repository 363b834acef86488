//! The preview of the form that changes a campaign: the API's dry run. Nothing is changed.

use super::change::{changes_nothing, dry_run, lacks_amount};
use super::change_form::{ChangeForm, kept, readable_time};
use super::dry_run::Run;
use crate::client::api::{Api, Refusal};
use crate::client::draft;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS, CHANGE_PREVIEW};
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/change_preview.html")]
struct ChangePreviewPage {
    layout: Layout,
    /// The address of the campaign's page.
    path: String,
    /// The time for which the change would be scheduled. The dry run is that of the change made now.
    time: Option<String>,
    runs: Vec<Run>,
    /// The dry run that the API refused as a whole.
    refusal: Option<Refusal>,
    form: ChangeForm,
}

/// Leads from the form to its preview.
pub(crate) fn preview_change(request: &WebRequest) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = page_of(&ChangeForm::filled_in(&form));
    if changes_nothing(&form) {
        return Ok(Notice::success("Nothing would change: the values are as before.").then(page));
    }
    if let Some(error) = lacks_amount(&form) {
        return Ok(Notice::wrong(vec![error], &kept(&form)).then(page));
    }
    let too_long =
        || Notice { message: "The name is too long for a preview.".to_owned(), ..Notice::default() }.then(page);
    Ok(draft::leave(&kept(&form), CHANGE_PREVIEW).unwrap_or_else(too_long))
}

/// Shows the preview, and below it the form, which changes exactly that.
pub(crate) async fn show_change_preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let values = draft::find(request, person).filter(|values| !ChangeForm::filled_in(values).id.is_empty());
    let Some(values) = values else { return Ok(WebReply::see_other(CAMPAIGNS)) };
    let run = dry_run(&Api::new(request, person), &values).await?;
    let layout = Layout::signed_in(request, "Preview", CAMPAIGNS, person);
    Ok(layout::show(request, &page(layout, run, &values)))
}

/// The page of the campaign that the form is on.
fn page_of(form: &ChangeForm) -> String {
    addresses::campaign_of_list(&form.id, &form.list)
}

fn page(layout: Layout, runs: Result<Vec<Run>, Refusal>, values: &[(String, String)]) -> ChangePreviewPage {
    let form = ChangeForm::filled_in(values);
    let (runs, refusal) = runs.map_or_else(|refusal| (Vec::new(), Some(refusal)), |runs| (runs, None));
    let time = readable_time(values);
    ChangePreviewPage { layout, path: page_of(&form), time, runs, refusal, form }
}

#[cfg(test)]
mod tests {
    use super::super::dry_run::DryRun;
    use super::*;

    #[test]
    fn the_form_below_a_preview_changes_the_same() {
        let run = serde_json::json!({
            "platform": "ALPHA", "organization_id": "1", "verdict": "would_update", "checked_by": "service",
            "request": { "method": "POST", "url": "https://ads.test/v1", "body": "{}" },
        });
        let run: DryRun = serde_json::from_value(serde_json::json!({ "data": run })).unwrap();
        let values = [("id", "alpha_1_2"), ("name", "Summer"), ("was_name", "Spring"), ("budget_amount", "60.25")];
        let budget = [
            ("was_budget_amount", "55.50"),
            ("currency", "USD"),
            ("status", "ACTIVE"),
            ("apply_at", "2026-12-24T17:00"),
        ];
        let values: Vec<(String, String)> =
            values.iter().chain(&budget).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let html = page(Layout::signed_out("Preview"), Ok(run.run(&[])), &kept(&values)).render().unwrap();
        for text in [
            "Google Ads: 1",
            "Would be changed",
            r#"name="was_name" value="Spring""#,
            r#"value="Summer""#,
            r#"name="was_budget_amount" value="55.50""#,
            r#"value="60.25""#,
            "Budget amount in USD",
            "changes exactly this, at 24 Dec 2026, 17:00 UTC.",
            r#"value="2026-12-24T17:00""#,
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("ACTIVE"), "only the fields of the form: {html}");
    }
}
