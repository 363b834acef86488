//! The page of one campaign.

use super::change::TIME_FIELD;
use super::change_form::{Budget, ChangeForm};
use super::filter::Filter;
use super::month::Month;
use super::wire::{Campaign, OneCampaign, goal_word};
use crate::client::accounts::{self, Connection, platform_name};
use crate::client::api::{Api, Refusal};
use crate::client::changes::{self, CHANGES};
use crate::client::insights::{self, Group, Range, Report};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, campaign_activity, campaign_like};
use crate::kit::changes::{Row, rows};
use crate::kit::choice::Choice;
use crate::kit::money;
use crate::pages::layout::{self, Layout, readable_text};
use askama::Template;
use jiff::Timestamp;
use shared::domain::CampaignId;
use shared::envelope::WebReply;
use shared::envelope::query::{pairs, value};
use shared::error::Error;
use shared::serve::WebRequest;

/// The latest changes that the page shows.
const CHANGES_SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "pages/campaigns/campaign.html")]
struct CampaignPage {
    layout: Layout,
    id: String,
    platform: String,
    /// The list that the person came from: its query string, and its address.
    list: String,
    list_path: String,
    /// The form that creates a campaign like this one.
    duplicate: String,
    tone: &'static str,
    status: &'static str,
    next_status: Option<(&'static str, &'static str)>,
    /// Names and values.
    facts: Vec<(&'static str, String)>,
    /// How far the month of a monthly budget is.
    month: Option<Month>,
    form: ChangeForm,
    /// The options of the days.
    choices: Vec<Choice>,
    /// Its numbers by day; `None` if there are none in these days.
    report: Result<Option<Report>, Refusal>,
    /// Its latest changes.
    history: Result<Vec<Row>, Refusal>,
    /// The address of all its changes.
    activity: String,
}

/// The campaign in the API.
pub(super) fn api_path(id: &str) -> String {
    format!("/v1/campaigns/{}", layout::path_segment(id))
}

/// Shows the page. Without a response of the platform, it leads to the list, which says why.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let api = Api::new(request, person);
    let path = api_path(id);
    let list = Filter::of(&pairs(value(&request.query, "list")));
    let history = format!("{CHANGES}?campaign_id={}&limit={CHANGES_SHOWN}", layout::path_segment(id));
    let (campaign, (connections, range, group), history) =
        tokio::join!(api.read::<OneCampaign>(&path), numbers(request, &api, id), changes::list(&api, &history));
    let campaign = match campaign {
        Ok(one) => one.data,
        Err(refusal) if matches!(refusal.status, 400 | 403 | 404 | 429 | 500) => return Err(layout::failed(refusal)),
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(list.path())),
    };
    let layout = Layout::signed_in(request, campaign.name.clone(), CAMPAIGNS, person);
    let report = group.map(|group| (!group.is_empty()).then(|| Report::new(&group, range, 1)));
    let history = history.map(|list| rows(&list.changes, request.now));
    // Without the connections the account has its number.
    let platform = platform_name(&campaign.platform);
    let account = accounts::account_name(platform, &campaign.organization_id, &connections);
    let page = page(layout, (campaign, account), &list, request.now);
    let page = CampaignPage { choices: range.choices(), report, history, ..page };
    Ok(layout::show(request, &page))
}

/// The connections, the days that the page shows of a campaign, and what it did on each. Its days are those of the
/// platform's reports on its ad account, so the connections come first.
async fn numbers(request: &WebRequest, api: &Api<'_>, id: &str) -> (Vec<Connection>, Range, Result<Group, Refusal>) {
    let connections = accounts::connections(api).await.unwrap_or_default();
    let campaign = CampaignId::parse(id);
    let own = campaign.and_then(|campaign| connections.iter().find(|connection| connection.has(&campaign)));
    let range = Range::read(&request.query, request.now);
    let range = own.map_or(range, |own| range.on(own.today(request.now)));
    let account = insights::of_campaign(api, &api_path(id), range).await;
    (connections, range, account.map(|account| Group::of(account, range)))
}

/// The page without the numbers and the changes.
fn page(layout: Layout, (campaign, account): (Campaign, String), list: &Filter, now: Timestamp) -> CampaignPage {
    let filled = layout.notice.as_ref().filter(|notice| notice.value("id") == Some(campaign.id.as_str()));
    let typed = |name: &str, current: &str| filled.and_then(|notice| notice.value(name)).unwrap_or(current).to_owned();
    // The other forms of the page have no name.
    let apply_at = filled.filter(|notice| notice.value("name").is_some()).and_then(|notice| notice.value(TIME_FIELD));
    let period = campaign.budget_period.clone().unwrap_or_default();
    let amount = campaign.budget_amount.as_ref().map(|amount| money::digits(amount, &campaign.currency));
    CampaignPage {
        tone: campaign.tone(now),
        status: campaign.status_word(now),
        next_status: campaign.next_status(),
        facts: facts(&campaign, account),
        month: campaign.pacing.as_ref().map(|pacing| pacing.words(&campaign.currency)),
        form: ChangeForm {
            id: campaign.id.clone(),
            was_name: campaign.name.clone(),
            name: typed("name", &campaign.name),
            budget: amount.map(|amount| Budget {
                amount: typed("budget_amount", &amount),
                was_amount: amount,
                period: typed("budget_period", &period),
                was_period: period,
                currency: campaign.currency,
            }),
            apply_at: apply_at.unwrap_or_default().to_owned(),
            list: list.list(),
        },
        activity: campaign_activity(&campaign.id),
        platform: platform_name(&campaign.platform).to_owned(),
        list: list.list(),
        list_path: list.path(),
        duplicate: campaign_like(&campaign.id),
        id: campaign.id,
        choices: Vec::new(),
        report: Ok(None),
        history: Ok(Vec::new()),
        layout,
    }
}

fn facts(campaign: &Campaign, account: String) -> Vec<(&'static str, String)> {
    let spent = campaign.total_spend_amount.as_ref().map(|amount| money::amount(amount, &campaign.currency));
    vec![
        ("Platform", platform_name(&campaign.platform).to_owned()),
        ("Ad account", account),
        ("Goal", goal_word(&campaign.goal).to_owned()),
        ("Budget", campaign.budget()),
        ("Spent so far", spent.unwrap_or_else(|| "not known".to_owned())),
        ("Start", date(campaign.start_at, campaign.start_held_by.as_deref(), "no start date")),
        ("End", date(campaign.end_at, campaign.end_held_by.as_deref(), "no end date")),
        ("Created", readable_text(campaign.created_at, "not known")),
        ("Last changed", readable_text(campaign.updated_at, "not known")),
    ]
}

/// A date, and whether this service holds it because the platform cannot.
fn date(at: Option<Timestamp>, held_by: Option<&str>, otherwise: &str) -> String {
    let is_held = at.is_some() && held_by == Some("service");
    format!("{}{}", readable_text(at, otherwise), if is_held { ", held by this service" } else { "" })
}
