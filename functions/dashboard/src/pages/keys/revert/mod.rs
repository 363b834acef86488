//! Reverts what an API key did: the page that shows what each campaign was before it, and the form that gives the ticked
//! ones these values back, by one bulk change (D175).

mod plan;

use crate::client::accounts::{self, Connection, account_name};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, KEYS, bulk_status, key_activity, key_revert, sign_in_again};
use crate::kit::campaign::campaign_count;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::choice::{Choice, choices};
use crate::pages::layout::{self, Layout};
use askama::Template;
use futures_util::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use plan::{RevertPlan, RevertRow, StayRow, Touched};
use shared::domain::{CampaignId, Change, ChangeState, KeyId, MAX_BULK_IDS};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use uuid::Uuid;

/// The field with the changes of a ticked campaign.
const CHANGES_FIELD: &str = "changes";
const SINCE_FIELD: &str = "since";
/// The times since which a revert goes back: the value of the form, and what it says.
const SINCE: &[(&str, &str)] = &[("day", "In the last 24 hours"), ("week", "In the last 7 days"), ("all", "Ever")];
/// Most rows of the page, so that it stays small.
const SHOWN: usize = 100;
/// Campaigns read at a time, less than each plan has slots.
const CONCURRENT: usize = 5;

#[derive(Template)]
#[template(path = "pages/keys/revert/revert.html")]
struct RevertPage {
    layout: Layout,
    id: String,
    name: String,
    /// Makes a double click or a reload revert once.
    key: String,
    since: String,
    choices: Vec<Choice>,
    /// The activity of the key.
    activity: String,
    plan: PlanView,
    /// Whether the key can still make changes.
    is_live: bool,
    /// Why the changes are not shown.
    refusal: Option<String>,
    /// Whether the person signed in recently enough.
    is_recent: bool,
    sign_in_again: String,
}

/// What would be done, for people.
struct PlanView {
    rows: Vec<Row<RevertRow>>,
    stay: Vec<Row<StayRow>>,
    /// `3 campaigns`
    as_before: Option<String>,
    sums: Vec<String>,
    activated: Option<String>,
    not_daily: Option<String>,
    /// Rows that the page leaves out.
    more: usize,
}

/// A campaign with its page and its ad account.
struct Row<T> {
    path: String,
    platform: &'static str,
    account: String,
    of: T,
}

/// Shows what would be done. Nothing is changed yet.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let id = KeyId(value(&request.query, "id").unwrap_or_default().to_owned());
    let since = value(&request.query, SINCE_FIELD).unwrap_or("day");
    let api = Api::new(request, person);
    let from = since_time(since, request.now);
    let (read, connections) = tokio::join!(read(&api, &id, from), accounts::connections(&api));
    let (touched, refusal) = match read {
        Ok(Some(touched)) => (touched, None),
        Ok(None) => (Vec::new(), Some(too_many())),
        Err(refusal) => (Vec::new(), Some(refusal.in_full())),
    };
    let known = person.account.keys.all().iter().find(|key| key.id == id);
    let layout = Layout::signed_in(request, "Revert what a key did", KEYS, person);
    let template = RevertPage {
        key: layout.value(KEY_FIELD).map_or_else(|| Uuid::new_v4().to_string(), str::to_owned),
        layout,
        name: known.map_or_else(|| deleted_name(&touched, &id), |key| key.name.clone()),
        is_live: known.is_some_and(|key| key.stopped_at.is_none()),
        choices: choices(SINCE, since),
        since: since.to_owned(),
        activity: key_activity(&id.0),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&page(&id.0, since)),
        refusal,
        plan: PlanView::of(RevertPlan::of(&touched, request.now), &connections.unwrap_or_default()),
        id: id.0,
    };
    Ok(layout::show(request, &template))
}

/// Reverts the ticked campaigns of a form, once for its idempotency key.
pub(crate) async fn revert(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let page = page(value(&form, "id").unwrap_or_default(), value(&form, SINCE_FIELD).unwrap_or("day"));
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let ticked = form.iter().filter(|(name, _)| name == CHANGES_FIELD);
    let ids: Vec<String> = ticked.flat_map(|(_, ids)| ids.split(',')).map(str::to_owned).collect();
    let key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    let Some(key) = key.filter(|_| !ids.is_empty()) else {
        let message = "Nothing is reverted: tick at least one campaign.".to_owned();
        return Ok(Notice { message, ..Notice::default() }.then(page));
    };
    Ok(match campaigns::undo_set(&Api::new(request, person), &ids, key).await {
        Ok(started) if started.refused.is_empty() => WebReply::see_other(bulk_status(&started.bulk.to_string())),
        Ok(started) => {
            let stay = campaign_count(started.refused.len());
            let message = format!("{stay} cannot be reverted any more. Look at what was changed since.");
            Notice { message, ..Notice::default() }.then(bulk_status(&started.bulk.to_string()))
        }
        Err(refusal) => {
            // It may have begun: the same form continues it.
            let may_have_begun = refusal.status >= 500 || refusal.status == 409;
            let kept = [(KEY_FIELD.to_owned(), key.to_owned())];
            Notice::failure(refusal, if may_have_begun { &kept } else { &[] }).then(page)
        }
    })
}

/// The address of the page.
fn page(id: &str, since: &str) -> String {
    let since = SINCE.iter().find(|(value, _)| *value == since).map_or("day", |(value, _)| value);
    format!("{}&{SINCE_FIELD}={since}", key_revert(id))
}

/// The time from which on changes are reverted; `None` for all.
fn since_time(since: &str, now: Timestamp) -> Option<Timestamp> {
    match since {
        "all" => None,
        "week" => Some(now - SignedDuration::from_hours(7 * 24)),
        _ => Some(now - SignedDuration::from_hours(24)),
    }
}

fn too_many() -> String {
    format!(
        "The key has made more than {MAX_BULK_IDS} changes in this time, which is the most at once. Choose a shorter time."
    )
}

/// The name that a deleted key had, by its changes.
fn deleted_name(touched: &[Touched], id: &KeyId) -> String {
    let of_key = |change: &&Change| change.requested_by.is_key(id);
    let change = touched.iter().flat_map(|one| &one.own).find(of_key);
    change
        .map_or_else(|| "a deleted key".to_owned(), |change| crate::kit::changes::requester_text(&change.requested_by))
}

/// The campaigns that a key has changed since a time, as they are now; `None` for more changes than one revert takes. What
/// the service did to keep a date or a month is not the key's.
async fn read(api: &Api<'_>, key: &KeyId, from: Option<Timestamp>) -> Result<Option<Vec<Touched>>, Refusal> {
    let Some(changes) = changes::of_key(api, &key.0, from).await? else { return Ok(None) };
    let touched = by_campaign(changes).into_iter().map(|(id, own)| async move {
        let text = id.to_string();
        let (now, history) = tokio::join!(campaigns::one(api, &text), changes::of_campaign(api, &text));
        history.map(|history| Touched::of(key, id, own, history, now))
    });
    let touched: Vec<Result<Touched, Refusal>> = stream::iter(touched).buffered(CONCURRENT).collect().await;
    touched.into_iter().collect::<Result<Vec<_>, _>>().map(Some)
}

/// The changes of each campaign that may have changed it, in the order of the list.
fn by_campaign(changes: Vec<Change>) -> Vec<(CampaignId, Vec<Change>)> {
    let mut campaigns: Vec<(CampaignId, Vec<Change>)> = Vec::new();
    for change in changes.into_iter().filter(|change| !change.is_step && !change.is_held && may_have_changed(change)) {
        let Some(id) = change.campaign.clone() else { continue };
        match campaigns.iter_mut().find(|(known, _)| *known == id) {
            Some((_, own)) => own.push(change),
            None => campaigns.push((id, vec![change])),
        }
    }
    campaigns
}

fn may_have_changed(change: &Change) -> bool {
    !matches!(
        change.state,
        ChangeState::Failed(_) | ChangeState::Canceled(_) | ChangeState::Rejected(_) | ChangeState::Expired
    )
}

impl PlanView {
    fn of(plan: RevertPlan, connections: &[Connection]) -> PlanView {
        let RevertPlan { rows, stay, as_before, sums, activated, not_daily } = plan;
        let count = |number: usize| (number > 0).then(|| campaign_count(number));
        let more = rows.len().saturating_sub(SHOWN) + stay.len().saturating_sub(SHOWN);
        let reverts =
            rows.into_iter().take(SHOWN).map(|row| Row::new(&row.id.clone(), &row.account.clone(), row, connections));
        let stays =
            stay.into_iter().take(SHOWN).map(|row| Row::new(&row.id.clone(), &row.account.clone(), row, connections));
        PlanView {
            rows: reverts.collect(),
            stay: stays.collect(),
            as_before: count(as_before),
            sums,
            activated: count(activated),
            not_daily: count(not_daily),
            more,
        }
    }
}

impl<T> Row<T> {
    fn new(id: &CampaignId, account: &str, of: T, connections: &[Connection]) -> Row<T> {
        let platform = id.platform().display_name();
        Row {
            path: addresses::campaign(&id.to_string()),
            platform,
            account: account_name(platform, account, connections),
            of,
        }
    }
}
