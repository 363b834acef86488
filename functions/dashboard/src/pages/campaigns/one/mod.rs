//! The page of one campaign, and the forms on it.

mod change;
mod change_form;
mod change_preview;
mod control;
mod delivery;
mod glance;
mod kept;
mod numbers;
mod pause;

pub(crate) use change::{change, delete};
pub(crate) use change_preview::{preview_change, show_change_preview};

use super::filter::Filter;
use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::changes::{self, CHANGES};
use crate::client::notice::Notice;
use crate::client::readings::{CampaignRow, KeptCampaign};
use crate::client::session::SignedIn;
use crate::kit::addresses::{CAMPAIGNS, DAILY, campaign_activity, campaign_like};
use crate::kit::campaign::{CampaignSummary, Switch, goal_word};
use crate::kit::changes::{ChangeRow, OnItsWay, rows};
use crate::kit::choice::Choice;
use crate::kit::delivery::Lately;
use crate::kit::money;
use crate::kit::month::{self, MonthWords, Resumption};
use crate::kit::month_end::MonthEndWords;
use crate::kit::pace::{self, Pace};
use crate::kit::report::DailyReport;
use crate::kit::text::{path_segment, readable_text};
use crate::kit::total::Total;
use crate::pages::layout::{self, Layout};
use askama::Template;
use change_form::ChangeForm;
use control::Control;
use delivery::DeliveryPart;
use glance::{LastChange, Running, SpentLately, last_change, last_known, running};
use jiff::Timestamp;
use kept::{Read, Silence};
use numbers::{Shown, month_end, report, spent_lately};
use rust_decimal::Decimal;
use shared::domain::{Campaign, Change, Holder, Platform};
use shared::envelope::WebReply;
use shared::envelope::query::{pairs, value};
use shared::error::Error;
use shared::serve::WebRequest;

/// The latest changes that the page shows.
const CHANGES_SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "pages/campaigns/one/campaign.html")]
struct CampaignPage {
    layout: Layout,
    id: String,
    platform: &'static str,
    /// The list that the person came from: its query string, and its address.
    list: String,
    list_path: String,
    /// The query string as a value in an address.
    list_value: String,
    /// The form that creates a campaign like this one.
    duplicate: String,
    tone: &'static str,
    status: String,
    /// What was asked for and is not confirmed; empty for nothing.
    on_its_way: String,
    /// That its platform does not answer, so that its values are those that were kept.
    silence: Option<Silence>,
    switch: Option<Switch>,
    /// Whether it is running.
    running: Running,
    budget: String,
    /// `None` if nothing was done to it.
    last_change: Option<LastChange>,
    /// The changes that are scheduled or wait for approval.
    waiting: Vec<ChangeRow>,
    /// Names and values.
    facts: Vec<(&'static str, String)>,
    /// What it has spent today; `None` if that is not known.
    today: Option<Today>,
    /// How far the month of a monthly budget is, and how it ends.
    month: Option<MonthWords>,
    month_end: Option<MonthEndWords>,
    form: ChangeForm,
    control: Control,
    /// The options of the days.
    choices: Vec<Choice>,
    /// Its numbers by day; `None` if there are none in these days.
    report: Result<Option<DailyReport>, Refusal>,
    /// Whether it is shown; `None` for one that is switched off.
    delivery: Result<Option<DeliveryPart>, Refusal>,
    /// Its latest changes that do not wait.
    history: Result<Vec<ChangeRow>, Refusal>,
    /// The address of all its changes.
    activity: String,
}

impl CampaignPage {
    /// The page with the daily budget of its address in the form, unless the form has what a person has filled in.
    fn with_daily(mut self, daily: Option<&str>) -> CampaignPage {
        let daily =
            daily.and_then(|daily| Decimal::from_str_exact(daily).ok()).filter(|_| self.layout.notice.is_none());
        self.form.budget = self.form.budget.map(|budget| budget.with_daily(daily));
        self
    }

    /// Whether the campaign is running, as far as its platform answers.
    fn running(
        &self,
        delivery: &Result<Option<DeliveryPart>, Refusal>,
        is_active: bool,
        spent: &SpentLately,
    ) -> Running {
        match &self.silence {
            Some(silence) if silence.has_kept_numbers => last_known(&self.status, is_active, spent, &silence.at),
            Some(_) | None => running(delivery, &self.status, is_active, spent),
        }
    }
}

/// A campaign, and where the page leads back to.
struct CampaignView<'a> {
    campaign: &'a Campaign,
    /// Its ad account for people.
    account: String,
    list: &'a Filter,
    /// The activation with which its monthly budget ends its pause.
    resumption: Option<Resumption>,
    /// The values that were kept, if its platform does not answer, and what the page says of that.
    kept: Option<(&'a KeptCampaign, Silence)>,
}

/// The spend of today.
struct Today {
    /// `364.91 USD`
    spent: String,
    pace: Option<Pace>,
    /// What the platform may spend on a day by its rules.
    rule: String,
}

impl Today {
    /// The spend of today of a campaign; `None` if nothing is known of it.
    fn of(spent: Total, campaign: &Campaign) -> Option<Today> {
        spent.value_to_show()?;
        let pace = Pace::of(spent, campaign.budget_amount, campaign.budget_period);
        Some(Today {
            spent: spent.text(|amount| money::in_currency(amount, campaign.currency)),
            rule: pace::rule_words(campaign.id.platform(), pace),
            pace,
        })
    }
}

/// Shows the page. Without a response of the platform it has the values that were kept; without those it leads to the list,
/// which says why.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = value(&request.query, "id").unwrap_or_default();
    let api = Api::new(request, person);
    let list = Filter::of(&pairs(value(&request.query, "list")));
    let history = format!("{CHANGES}?campaign_id={}&limit={CHANGES_SHOWN}", path_segment(id));
    let (read, history, open) =
        tokio::join!(kept::read(request, person, id), changes::list(&api, &history), changes::open(&api, Some(id)));
    let Read { campaign, delivery, shown: Shown { connections, range, reported, clock }, kept } = read;
    let campaign = match campaign {
        Ok(campaign) => campaign,
        Err(refusal) if matches!(refusal.status, 400 | 403 | 404 | 429 | 500) => return Err(layout::failed(refusal)),
        Err(refusal) => return Ok(Notice::failure(refusal, &[]).then(list.path())),
    };
    let layout = Layout::signed_in(request, campaign.name.clone(), CAMPAIGNS, person);
    let [spent, week, of_month] = spent_lately(&reported, kept.as_ref());
    let today = Today::of(spent, &campaign);
    let lately = Lately::of(spent, week);
    let spent_today = today.as_ref().map(|today| today.spent.clone()).unwrap_or_default();
    let (is_unread, report) = (reported.is_err(), report(&reported, kept.as_ref()));
    let known: Vec<&Change> = open.iter().chain(history.iter().flat_map(|list| &list.changes)).collect();
    let on_its_way = OnItsWay::of_newest(&known, &CampaignSummary::from(&campaign), request.now).words();
    let history = history.map(|list| done(rows(&list.changes, request.now)));
    // Without the connections the account has its number.
    let platform = campaign.id.platform().display_name();
    let account = match &kept {
        Some(kept) => kept.account.clone(),
        None => accounts::account_name(platform, &campaign.account_id, &connections),
    };
    let resumption = resumption(&campaign, &open);
    let open = told(open, &campaign, resumption, request.now);
    let month_end = clock.and_then(|clock| {
        let row = CampaignRow::with_spend(summary_of(&campaign, kept.as_ref()), [spent, week]);
        month_end(&row, of_month, (resumption, clock), request.now)
    });
    let kept = kept.as_ref().map(|kept| (kept, Silence::of(kept, is_unread, &list.list(), request.now)));
    let view = CampaignView { campaign: &campaign, account, list: &list, resumption, kept };
    let page = page(layout, view, request.now).with_daily(value(&request.query, DAILY));
    let spent = SpentLately { lately, today: spent_today };
    let is_active = CampaignSummary::from(&campaign).is_active(request.now);
    let running = page.running(&delivery, is_active, &spent);
    let spending = |part: DeliveryPart| match spent.lately {
        Lately::Today => part.after_spend(&spent.today),
        Lately::Week | Lately::Nothing | Lately::Unknown => part,
    };
    let page = CampaignPage {
        on_its_way,
        running,
        last_change: history.as_ref().ok().and_then(|history| last_change(history)),
        waiting: rows(&open, request.now),
        today,
        month_end,
        choices: range.choices(),
        report,
        delivery: delivery.map(|part| part.map(spending)),
        history,
        ..page
    };
    Ok(layout::show(request, &page))
}

/// What a list shows of the campaign: as it is, or as it was kept if its platform does not answer.
fn summary_of(campaign: &Campaign, kept: Option<&KeptCampaign>) -> CampaignSummary {
    kept.map_or_else(|| CampaignSummary::from(campaign), |kept| kept.row.campaign.clone())
}

/// The activation of a campaign that its monthly budget has paused, among its open changes.
fn resumption(campaign: &Campaign, open: &[Change]) -> Option<Resumption> {
    if !CampaignSummary::from(campaign).is_month_spent {
        return None;
    }
    changes::going_on(open).get(&campaign.id).copied()
}

/// The changes of a campaign without what does not come next: a campaign that runs, or goes on within minutes, does not wait
/// for the activation at the month's end, which this service takes back.
fn told(mut changes: Vec<Change>, campaign: &Campaign, resumption: Option<Resumption>, now: Timestamp) -> Vec<Change> {
    let summary = CampaignSummary::from(campaign);
    if summary.is_active(now) || summary.goes_on_soon(resumption, now) {
        changes.retain(|change| !(change.is_step && change.activates() && change.is_open()));
    }
    changes
}

/// The rows of changes that do not wait.
fn done(rows: Vec<ChangeRow>) -> Vec<ChangeRow> {
    rows.into_iter().filter(|row| row.cancel.is_none() && row.decide.is_none()).collect()
}

/// The page without the numbers and the changes.
fn page(
    layout: Layout,
    CampaignView { campaign, account, list, resumption, kept }: CampaignView<'_>,
    now: Timestamp,
) -> CampaignPage {
    let id = campaign.id.to_string();
    let (kept, silence) = kept.unzip();
    let summary = summary_of(campaign, kept);
    let (status, tone) = summary.badge(resumption, now);
    let month = campaign.monthly.map(|month| month::words(month, campaign.currency));
    // The platform stands in the heading, and the budget in the form and at a glance.
    let mut facts = if kept.is_some() { kept_facts(campaign, account) } else { facts(campaign, account) };
    facts.extend(month.iter().map(|month| ("Daily budget now", month.daily.clone())));
    CampaignPage {
        tone,
        status,
        on_its_way: String::new(),
        silence,
        switch: summary.switch(),
        facts,
        month,
        month_end: None,
        form: control::form(layout.notice.as_ref(), campaign, list.list()),
        control: Control::of(campaign, layout.notice.as_ref()),
        activity: campaign_activity(&id),
        platform: campaign.id.platform().display_name(),
        list_value: path_segment(&list.list()),
        list: list.list(),
        list_path: list.path(),
        duplicate: campaign_like(&id),
        id,
        running: Running { answer: "Not known", why: String::new(), is_warning: false },
        budget: summary.budget(),
        last_change: None,
        waiting: Vec::new(),
        today: None,
        choices: Vec::new(),
        report: Ok(None),
        delivery: Ok(None),
        history: Ok(Vec::new()),
        layout,
    }
}

fn facts(campaign: &Campaign, account: String) -> Vec<(&'static str, String)> {
    let spent = campaign.total_spend_amount.map(|amount| money::in_currency(amount, campaign.currency));
    let spent_label = match campaign.id.platform() {
        // Its report reaches back no further.
        Platform::Epsilon => "Spent in 90 days",
        _ => "Spent since it was created",
    };
    vec![
        ("Ad account", account),
        ("Goal", campaign.goal.map_or("Another goal", goal_word).to_owned()),
        (spent_label, spent.unwrap_or_else(|| "not known".to_owned())),
        ("Start", date(campaign.start_at, campaign.start_held_by, "no start date")),
        ("End", date(campaign.end_at, campaign.end_held_by, "no end date")),
        ("Created", readable_text(campaign.created_at, "not known")),
        ("Last changed", readable_text(campaign.updated_at, "not known")),
    ]
}

/// What is kept of the same, and what is not.
fn kept_facts(campaign: &Campaign, account: String) -> Vec<(&'static str, String)> {
    let unread = || "Cannot be read now".to_owned();
    vec![
        ("Ad account", account),
        ("Goal", unread()),
        ("Start", unread()),
        ("End", date(campaign.end_at, campaign.end_held_by, "no end date")),
    ]
}

/// A date, and whether this service holds it because the platform cannot.
fn date(at: Option<Timestamp>, held_by: Option<Holder>, otherwise: &str) -> String {
    let is_held = at.is_some() && held_by == Some(Holder::Service);
    format!("{}{}", readable_text(at, otherwise), if is_held { ", held by this service" } else { "" })
}
