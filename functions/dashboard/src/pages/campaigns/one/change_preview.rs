//! The preview of the form that changes a campaign: the API's dry run. Nothing is changed.

use super::change_form::{ChangeForm, edit, fields_to_keep, lacks_amount, readable_time};
use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::preview_form;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, CAMPAIGNS, CHANGE_PREVIEW};
use crate::pages::campaigns::dry_runs::DryRunView;
use crate::pages::campaigns::form_page;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/one/change_preview.html")]
struct ChangePreviewPage {
    layout: Layout,
    /// The address of the campaign's page.
    path: String,
    /// The time for which the change would be scheduled. The dry run is that of the change made now.
    time: Option<String>,
    runs: Vec<DryRunView>,
    /// The dry run that the API refused as a whole.
    refusal: Option<Refusal>,
    form: ChangeForm,
}

/// Leads from the form to its preview.
pub(crate) fn preview_change(request: &WebRequest) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = page_of(&ChangeForm::from_form(&form));
    if edit(&form).is_empty() {
        return Ok(Notice::success("Nothing would change: the values are the same.").then(page));
    }
    if let Some(error) = lacks_amount(&form) {
        return Ok(Notice::wrong(vec![error], &fields_to_keep(&form)).then(page));
    }
    let too_long =
        || Notice { message: "The name is too long for a preview.".to_owned(), ..Notice::default() }.then(page);
    Ok(preview_form::leave(&fields_to_keep(&form), CHANGE_PREVIEW).unwrap_or_else(too_long))
}

/// Shows the preview, and below it the form, which changes exactly that.
pub(crate) async fn show_change_preview(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let values = preview_form::find(request, person).filter(|values| !form_page::id(values).is_empty());
    let Some(values) = values else { return Ok(WebReply::see_other(CAMPAIGNS)) };
    let api = Api::new(request, person);
    let edit = edit(&values);
    let run = campaigns::dry_run_update(&api, form_page::id(&values), &edit);
    let (run, connections) = tokio::join!(run, accounts::connections(&api));
    // Without the connections the account has its number.
    let run = run.map(|result| DryRunView::in_account(result, &connections.unwrap_or_default()));
    let layout = Layout::signed_in(request, "Preview", CAMPAIGNS, person);
    Ok(layout::show(request, &page(layout, run.map_err(Refusal::in_one_message), &values)))
}

/// The page of the campaign that the form is on.
fn page_of(form: &ChangeForm) -> String {
    addresses::campaign_of_list(&form.id, &form.list)
}

fn page(layout: Layout, run: Result<DryRunView, Refusal>, values: &[(String, String)]) -> ChangePreviewPage {
    let form = ChangeForm::from_form(values);
    let (runs, refusal) = run.map_or_else(|refusal| (Vec::new(), Some(refusal)), |run| (vec![run], None));
    ChangePreviewPage { layout, path: page_of(&form), time: readable_time(values), runs, refusal, form }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::campaigns::dry_runs::tests::result;
    use shared::envelope::{DryRunResult, DryRunVerdict};

    #[test]
    fn the_form_below_a_preview_changes_the_same() {
        let run = DryRunView::in_account(DryRunResult { verdict: DryRunVerdict::WouldUpdate, ..result(Ok(())) }, &[]);
        let values = [("id", "alpha_1_2"), ("name", "Summer"), ("was_name", "Spring"), ("budget_amount", "60.25")];
        let budget = [
            ("was_budget_amount", "55.50"),
            ("currency", "USD"),
            ("status", "ACTIVE"),
            ("apply_at", "2026-12-24T17:00"),
        ];
        let values: Vec<(String, String)> =
            values.iter().chain(&budget).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let html = page(Layout::signed_out("Preview"), Ok(run), &fields_to_keep(&values)).render().unwrap();
        for text in [
            "Google Ads: 1",
            "Would be changed",
            r#"name="was_name" value="Spring""#,
            r#"value="Summer""#,
            r#"name="was_budget_amount" value="55.50""#,
            r#"value="60.25""#,
            "Budget in USD",
            "makes exactly this change, at 24 Dec 2026, 17:00 UTC.",
            r#"value="2026-12-24T17:00""#,
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("ACTIVE"), "only the fields of the form: {html}");
    }
}
