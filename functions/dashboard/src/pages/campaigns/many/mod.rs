//! Changes many campaigns at once: the page that shows what would be done, and its form.

mod apply;
mod percent;
mod plan;
mod ticked;

pub(crate) use apply::apply;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, campaign_of_list};
use crate::kit::campaign::counted;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::choice::{Choice, choices};
use crate::pages::layout::{self, Layout};
use askama::Template;
use futures_util::{StreamExt, stream};
use plan::{Action, Other, Plan};
use shared::domain::Campaign;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use ticked::{CONCURRENT, IDS_FIELD, Ticked};
use uuid::Uuid;

/// The actions of the form: the value, and what it says.
const ACTIONS: &[(&str, &str)] =
    &[("pause", "Pause"), ("activate", "Activate"), ("budget", "Change budgets by percent")];

#[derive(Template)]
#[template(path = "pages/campaigns/many/many.html")]
struct ManyPage {
    layout: Layout,
    /// Makes a double click or a reload change once.
    key: String,
    /// What is done: the value of the form, and the words of the button.
    action: String,
    button: String,
    lines: Vec<Row>,
    unchanged: Vec<Other>,
    refused: Vec<Other>,
    totals: Vec<String>,
    /// The same page without what was refused; `None` if nothing is left.
    without_refused: Option<String>,
    /// The form that chooses something else.
    ids: Vec<String>,
    actions: Vec<Choice>,
    percent: String,
    error: Option<&'static str>,
    list: String,
    list_path: String,
}

/// A campaign in the table.
struct Row {
    path: String,
    name: String,
    account: String,
    before: String,
    after: String,
    /// The name and the value of its field in the form.
    field: (&'static str, String),
}

/// Shows what would be done. Nothing is changed yet.
pub(crate) async fn confirm(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let ticked = Ticked::read(&request.query);
    if let Some(message) = ticked.refusal() {
        return Ok(Notice { message: message.to_owned(), ..Notice::default() }.then(ticked.list.path()));
    }
    let layout = Layout::signed_in(request, "Change campaigns", CAMPAIGNS, person);
    let page = match ticked.action() {
        Err(error) => page(layout, ticked, None, &[], Some(error)),
        Ok(action) => {
            let api = Api::new(request, person);
            let (campaigns, connections) = tokio::join!(read(&api, &ticked.ids), accounts::connections(&api));
            let plan = Some((action, Plan::of(action, campaigns)));
            page(layout, ticked, plan, &connections.unwrap_or_default(), None)
        }
    };
    Ok(layout::show(request, &page))
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
    ticked: Ticked,
    plan: Option<(Action, Plan)>,
    connections: &[accounts::Connection],
    error: Option<&'static str>,
) -> ManyPage {
    let list = ticked.list.list();
    let action = plan.as_ref().map(|(action, _)| *action);
    let Plan { lines, unchanged, refused, totals } = plan.map(|(_, plan)| plan).unwrap_or_default();
    let fit: Vec<String> =
        ticked.ids.iter().filter(|id| !refused.iter().any(|other| other.id == **id)).cloned().collect();
    let row = |line: plan::Line| Row {
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
    let lines: Vec<Row> = lines.into_iter().map(row).collect();
    ManyPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        button: action.map(|action| action.button(&counted(lines.len()))).unwrap_or_default(),
        without_refused: (!refused.is_empty() && !fit.is_empty()).then(|| ticked.path(&fit)),
        lines,
        unchanged,
        refused,
        totals,
        actions: choices(ACTIONS, &ticked.action),
        action: ticked.action,
        ids: ticked.ids,
        percent: ticked.percent,
        error,
        list_path: ticked.list.path(),
        list,
        layout,
    }
}

#[cfg(test)]
mod tests;
