//! Changes many campaigns at once: the page that shows what would be done, and its form.

mod apply;
mod percent;
mod preview;
mod selection;
mod unread;

pub(crate) use apply::apply;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, campaign_of_list};
use crate::kit::campaign::{CampaignSummary, campaign_count};
use crate::kit::campaign_forms::KEY_FIELD;
use crate::pages::layout::{self, Layout};
use askama::Template;
use futures_util::{StreamExt, stream};
use preview::{Action, BudgetKind, BulkPreview, OtherCampaign, PlannedChange};
use selection::{CONCURRENT, IDS_FIELD, Selection};
use shared::domain::Campaign;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use std::collections::HashMap;
use unread::Unread;
use uuid::Uuid;

#[derive(Template)]
#[template(path = "pages/campaigns/bulk_edit/bulk_edit.html")]
struct BulkEditPage {
    layout: Layout,
    /// Makes a double click or a reload change once.
    key: String,
    /// What is done: the value of the form, and the words of the button.
    action: String,
    button: String,
    lines: Vec<PreviewRow>,
    unchanged: Vec<OtherCampaign>,
    refused: Vec<OtherCampaign>,
    totals: Vec<String>,
    /// Campaigns with a budget that is many times those of the others, and how many times.
    large: Vec<(String, String)>,
    /// What the platforms may spend.
    sums: Vec<String>,
    /// The campaigns of each currency and period, if one amount does not fit all: what they are, and the page of them alone.
    kinds: Vec<(String, String)>,
    /// The same page without what was refused; `None` if nothing is left.
    without_refused: Option<String>,
    /// The form of new budgets, and whether it is shown.
    ids: Vec<String>,
    is_of_budgets: bool,
    /// The campaigns with their budgets, as long as nothing is planned: those that are kept.
    chosen: Vec<(String, String)>,
    percent: String,
    amount: String,
    error: Option<String>,
    list: String,
    list_path: String,
}

/// A campaign in the table.
struct PreviewRow {
    path: String,
    name: String,
    account: String,
    before: String,
    after: String,
    /// The name and the value of its field in the form.
    field: (&'static str, String),
}

impl BulkEditPage {
    /// The error at the field of an action. That of no action stands at the percentage.
    fn error_of(&self, action: &str) -> Option<&str> {
        let of = if self.action == "set" { "set" } else { "budget" };
        self.error.as_deref().filter(|_| of == action)
    }
}

/// Shows what would be done. Nothing is changed yet.
pub(crate) async fn confirm(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let selection = Selection::read(&request.query);
    if let Some(message) = selection.refusal() {
        return Ok(Notice { message: message.to_owned(), ..Notice::default() }.then(selection.list.path()));
    }
    let layout = Layout::signed_in(request, "Change campaigns", CAMPAIGNS, person);
    let page = match selection.action() {
        Err(error) => page(layout, selection, None, &[], Some(error)),
        Ok(None) => {
            let chosen = chosen(&selection.ids, &readings::kept_campaigns(request, person).await);
            BulkEditPage { chosen, ..page(layout, selection, None, &[], None) }
        }
        Ok(Some(action)) => {
            let api = Api::new(request, person);
            let (campaigns, connections) = tokio::join!(read(&api, &selection.ids), accounts::connections(&api));
            let connections = connections.unwrap_or_default();
            let unread = Unread::of(request, person, &campaigns, &connections).await;
            let preview = BulkPreview::of(action, campaigns, &unread);
            let large = preview.large(action, &readings::known_budgets(request, person).await);
            let page = page(layout, selection, Some((action, preview)), &connections, None);
            BulkEditPage { large, ..page }
        }
    };
    Ok(layout::show(request, &page))
}

/// The ticked campaigns with their budgets.
fn chosen(ids: &[String], kept: &HashMap<String, CampaignSummary>) -> Vec<(String, String)> {
    let known = ids.iter().filter_map(|id| kept.get(id));
    known.map(|campaign| (campaign.name.clone(), campaign.budget())).collect()
}

/// Reads campaigns as they are now, in this order.
async fn read(api: &Api<'_>, ids: &[String]) -> Vec<(String, Result<Campaign, Refusal>)> {
    let reads = stream::iter(ids.to_vec()).map(|id| async move {
        let campaign = campaigns::one(api, &id).await;
        (id, campaign)
    });
    reads.buffered(CONCURRENT).collect().await
}

fn page(
    layout: Layout,
    selection: Selection,
    preview: Option<(Action, BulkPreview)>,
    connections: &[accounts::Connection],
    error: Option<String>,
) -> BulkEditPage {
    let list = selection.list.list();
    let action = preview.as_ref().map(|(action, _)| *action);
    let sums = preview.as_ref().map(|(action, preview)| preview.sums(*action)).unwrap_or_default();
    let BulkPreview { lines, unchanged, refused, totals, kinds } =
        preview.map(|(_, preview)| preview).unwrap_or_default();
    let fit: Vec<String> =
        selection.ids.iter().filter(|id| !refused.iter().any(|other| other.id == **id)).cloned().collect();
    let row = |line: PlannedChange| PreviewRow {
        path: campaign_of_list(&line.id, &list),
        account: accounts::target_name(&line.target, connections),
        field: match line.budget {
            Some((was, new)) => ("budget", format!("{} {was} {new}", line.id)),
            None => (IDS_FIELD, line.id),
        },
        name: line.name,
        before: line.before,
        after: line.after,
    };
    let lines: Vec<PreviewRow> = lines.into_iter().map(row).collect();
    let budget = lines.first().map(|line| line.after.as_str()).unwrap_or_default();
    BulkEditPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        button: action.map(|action| action.button(&campaign_count(lines.len()), budget)).unwrap_or_default(),
        kinds: kinds.iter().map(|kind| (kind_words(kind), selection.path(&kind.ids))).collect(),
        without_refused: (!refused.is_empty() && !fit.is_empty()).then(|| selection.path(&fit)),
        lines,
        unchanged,
        refused,
        totals,
        large: Vec::new(),
        sums,
        is_of_budgets: selection.is_of_budgets(),
        chosen: Vec::new(),
        action: selection.action,
        ids: selection.ids,
        percent: selection.percent,
        amount: selection.amount,
        error,
        list_path: selection.list.path(),
        list,
        layout,
    }
}

/// `Only the 3 campaigns in USD a day`
fn kind_words(kind: &BudgetKind) -> String {
    format!("Only the {} in {}", campaign_count(kind.ids.len()), kind.unit)
}

#[cfg(test)]
mod tests;
