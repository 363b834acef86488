//! Makes the bulk change: one request of the API for the status, and one for the budgets, which change only if
//! the campaigns still have those that the page has shown.

use super::read;
use super::selection::{ACTION_FIELD, MAX_CAMPAIGNS, Selection};
use super::unread::Unread;
use crate::client::api::Api;
use crate::client::campaigns::{BudgetEdit, BulkTargets, StartedBulk, bulk_status, set_budgets, set_statuses};
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::readings;
use crate::client::session::SignedIn;
use crate::kit::amount::Amount;
use crate::kit::campaign::{Switch, campaign_count};
use crate::kit::campaign_forms::KEY_FIELD;
use crate::kit::form_errors::Detail;
use crate::kit::money::in_currency;
use crate::kit::words;
use crate::pages::campaigns::bulk::{done, name, not_changed, reply_refused, reply_started, status_page};
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::saved_notice::{SavedFields, raise_words};
use crate::pages::campaigns::undo;
use rust_decimal::Decimal;
use shared::domain::{Campaign, Change, ChangeError, Reason};
use shared::envelope::query::value;
use shared::envelope::{BulkStatus, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use uuid::Uuid;

/// Most campaigns that the notice names.
const MAX_NAMED: usize = 8;
/// The button of the list that pauses the ticked campaigns.
const PAUSE_FIELD: &str = "pause";

/// The budget of a campaign as the page has shown it, and the new one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NewBudget {
    id: String,
    was: Decimal,
    new: Decimal,
}

impl NewBudget {
    /// Reads the field of a row: the id, and the budgets before and after.
    fn read(text: &str) -> Option<NewBudget> {
        let mut parts = text.split(' ');
        let id = parts.next().filter(|id| !id.is_empty())?.to_owned();
        let mut amount = || Decimal::from_str_exact(parts.next()?).ok();
        let (was, new) = (amount()?, amount()?);
        Some(NewBudget { id, was, new })
    }

    fn edit(&self) -> BudgetEdit<'_> {
        let amount = |amount: Decimal| Amount::parse(&amount.to_string());
        BudgetEdit { id: &self.id, budget_amount: amount(self.new), from: amount(self.was) }
    }
}

/// Makes the change of the form, once for its idempotency key.
pub(crate) async fn apply(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let selection = Selection::read(&form);
    let api = Api::new(request, person);
    let key = value(&form, KEY_FIELD).filter(|key| !key.is_empty());
    if value(&form, PAUSE_FIELD).is_some() {
        return Ok(pause(&api, &selection).await);
    }
    match (key, value(&form, ACTION_FIELD)) {
        (Some(key), Some("pause")) => Ok(switch_all(&api, &selection, Switch::Pause, key).await),
        (Some(key), Some("activate")) => Ok(switch_all(&api, &selection, Switch::Activate, key).await),
        (Some(key), Some("budget" | "set")) => Ok(change_budgets(request, person, &selection, &form, key).await),
        _ => Ok(not_complete(&selection)),
    }
}

fn not_complete(selection: &Selection) -> WebReply {
    let message = "The form is incomplete, so nothing has changed. Tick the campaigns again.".to_owned();
    Notice { message, ..Notice::default() }.then(selection.list.path())
}

/// Pauses the ticked campaigns of the list at once: nothing is spent, and the page of the outcome activates them again. A
/// second click finds them paused. After a failure they are still ticked.
async fn pause(api: &Api<'_>, selection: &Selection) -> WebReply {
    if let Some(message) = selection.refusal() {
        return Notice { message: message.to_owned(), ..Notice::default() }.then(selection.list.path());
    }
    let key = Uuid::new_v4().to_string();
    let started = set_statuses(api, Switch::Pause, BulkTargets::Ids(&selection.ids), &key).await;
    reply_started(started, Switch::Pause, &key, selection.list.path_with_ticks(&selection.ids), &selection.list)
}

async fn switch_all(api: &Api<'_>, selection: &Selection, switch: Switch, key: &str) -> WebReply {
    if let Some(message) = selection.refusal() {
        return Notice { message: message.to_owned(), ..Notice::default() }.then(selection.list.path());
    }
    let started = set_statuses(api, switch, BulkTargets::Ids(&selection.ids), key).await;
    reply_started(started, switch, key, selection.path(&selection.ids), &selection.list)
}

async fn change_budgets(
    request: &WebRequest,
    person: &SignedIn,
    selection: &Selection,
    form: &[(String, String)],
    key: &str,
) -> WebReply {
    let api = &Api::new(request, person);
    let budgets = form.iter().filter(|(name, _)| name == "budget");
    let budgets: Option<Vec<NewBudget>> = budgets.map(|(_, text)| NewBudget::read(text)).collect();
    let budgets = budgets.filter(|budgets| (1..=MAX_CAMPAIGNS).contains(&budgets.len()));
    let Some(budgets) = budgets else { return not_complete(selection) };
    let edits: Vec<BudgetEdit<'_>> = budgets.iter().map(NewBudget::edit).collect();
    let started = match set_budgets(api, &edits, key).await {
        Ok(started) => started,
        Err(refusal) => {
            let ids: Vec<String> = budgets.into_iter().map(|budget| budget.id).collect();
            return reply_refused(refusal, "changed", key, selection.path(&ids));
        }
    };
    let id = started.bulk.to_string();
    match bulk_status(api, &id).await {
        Ok(bulk) if bulk.is_settled(request.app.clock.now()) => {
            readings::note_end(request, person.customer(), &id).await;
            let details = not_saved(request, person, &budgets, &started, &bulk).await;
            let raises = raises(api, &bulk).await;
            saved_notice(&started, &bulk, details, raises, &selection.list).then(selection.list.path())
        }
        // That page reports what is still open.
        _ => WebReply::see_other(status_page(&id, &selection.list)),
    }
}

/// The campaigns whose budgets are not saved, by their names as they are now, and why.
async fn not_saved(
    request: &WebRequest,
    person: &SignedIn,
    budgets: &[NewBudget],
    started: &StartedBulk,
    bulk: &BulkStatus,
) -> Vec<Detail> {
    let not_changed = not_changed(started, bulk);
    let ids: Vec<String> = not_changed.iter().take(MAX_NAMED).map(|(campaign, _)| campaign.to_string()).collect();
    let read = read(&Api::new(request, person), &ids).await;
    let unread = Unread::of(request, person, &read, &[]).await;
    let mut campaigns = read.into_iter().map(|(_, campaign)| campaign.ok());
    let details = not_changed.into_iter().map(|(id, error)| {
        let id = id.to_string();
        let was = budgets.iter().find(|budget| budget.id == id).map(|budget| budget.was);
        match campaigns.next().flatten() {
            Some(campaign) => Detail { message: failure_text(error, was, &campaign), field: campaign.name },
            None => Detail { field: unread.name(&id), message: words::message(&error.message) },
        }
    });
    details.collect()
}

/// The campaigns whose budgets are lowered while a raise of them is scheduled or waits for approval, each with the words of
/// it. Two lists tell that of all campaigns.
async fn raises(api: &Api<'_>, bulk: &BulkStatus) -> Vec<Detail> {
    let changes = bulk.accounts.iter().flat_map(|(_, changes)| changes);
    let lowered: Vec<_> =
        changes.filter_map(|change| Some((change, SavedFields::of(change).filter(SavedFields::is_lowered)?))).collect();
    let open = if lowered.is_empty() { Vec::new() } else { changes::open(api, None).await };
    let raise = |(change, saved): (&Change, SavedFields<'_>)| {
        let own: Vec<Change> = open.iter().filter(|other| other.campaign == change.campaign).cloned().collect();
        let (message, _) = raise_words(saved.raise_after(&own)?, "");
        Some(Detail { field: name(change), message })
    };
    lowered.into_iter().filter_map(raise).collect()
}

fn failure_text(error: &ChangeError, was: Option<Decimal>, campaign: &Campaign) -> String {
    match (error.reason, was) {
        (Some(Reason::ChangedMeanwhile), Some(was)) => {
            format!("was changed since: its budget is no longer {}.", in_currency(was, campaign.currency))
        }
        _ => words::message(&error.message),
    }
}

/// The notice of the outcome, with a button that undoes what is saved, and a link to each campaign.
fn saved_notice(
    started: &StartedBulk,
    bulk: &BulkStatus,
    mut details: Vec<Detail>,
    mut raises: Vec<Detail>,
    list: &Filter,
) -> Notice {
    let done = done(bulk);
    let saved = done + started.unchanged;
    let undo = if done == 0 { Vec::new() } else { undo::fields_for_bulk(started.bulk, list) };
    let link = Some((status_page(&started.bulk.to_string(), list), "Before and after of each".to_owned()));
    if details.is_empty() {
        raises.truncate(MAX_NAMED);
        let message = format!("Saved: the budgets of {}.", campaign_count(saved));
        return Notice { details: raises, link, ..Notice::success(message) }.undone_by(undo).shorten_to_fit();
    }
    let mut message = format!("{saved} of {} saved.", campaign_count(saved + details.len()));
    match details.len() {
        0..=MAX_NAMED => message.push_str(" Not saved:"),
        number => message = format!("{message} {number} are not, the first of them:"),
    }
    details.truncate(MAX_NAMED);
    details.extend(raises.into_iter().take(MAX_NAMED));
    Notice { is_part: saved > 0, message, details, undo, link, ..Notice::default() }.shorten_to_fit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::bulk_sample::bulk;
    use shared::domain::{BulkAction, BulkId, ChangeState};

    #[test]
    fn a_field_has_the_id_and_both_budgets() {
        let read = NewBudget::read("alpha_1_2 12.5 13.75").unwrap();
        let body = serde_json::to_string(&read.edit()).unwrap();
        assert_eq!(body, r#"{"id":"alpha_1_2","budget_amount":13.75,"from":12.5}"#);
        for text in ["", "alpha_1_2", "alpha_1_2 1", "alpha_1_2 a 2", " 1 2"] {
            assert_eq!(NewBudget::read(text), None, "{text}");
        }
    }

    #[test]
    fn the_notice_counts_and_names_what_is_not_saved() {
        let started = |unchanged| StartedBulk { bulk: BulkId(Uuid::nil()), unchanged, refused: Vec::new() };
        let list = Filter::of(&[]);
        let done = bulk(BulkAction::Budgets, vec![ChangeState::Applied; 2]);
        let raise = Detail { field: "Spring".to_owned(), message: "But a raise waits.".to_owned() };
        let notice = saved_notice(&started(0), &done, Vec::new(), vec![raise], &list);
        assert!(notice.is_success);
        assert_eq!(notice.undo[0], ("bulk".to_owned(), BulkId(Uuid::nil()).to_string()));
        assert_eq!(notice.message, "Saved: the budgets of 2 campaigns.");
        assert_eq!(notice.details[0].message, "But a raise waits.");
        assert!(notice.link.unwrap().0.starts_with("/dashboard/campaigns/status?id="));
        let failed = bulk(BulkAction::Budgets, vec![ChangeState::Failed(ChangeError::default())]);
        let low = Detail { field: "Spring".to_owned(), message: "Too low.".to_owned() };
        let notice = saved_notice(&started(1), &failed, vec![low], Vec::new(), &list);
        assert!(!notice.is_success && notice.undo.is_empty());
        assert_eq!(notice.message, "1 of 2 campaigns saved. Not saved:");
        assert_eq!((notice.details[0].field.as_str(), notice.details[0].message.as_str()), ("Spring", "Too low."));
    }
}
