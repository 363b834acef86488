//! Activity: what was done to campaigns, by which person or key and with what outcome, newest first.

mod by_name;
mod cancel;
mod export;
mod filter;
mod whole;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::changes;
use crate::client::paused_all::{self, PausedAll};
use crate::client::readings::{self, Overview};
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{self, ACTIVITY};
use crate::kit::changes::{ChangeRow, Entry, Part, entries, rows_for};
use crate::kit::choice::Choice;
use crate::kit::only_user::OnlyUser;
use crate::pages::layout::{self, Layout};
use askama::Template;
use by_name::{Named, find};
pub(crate) use cancel::{cancel, page_of};
pub(crate) use export::download;
use filter::Filter;
use jiff::Timestamp;
use shared::domain::{ApiKeyInfo, Change, PersonId};
use shared::envelope::{ChangeList, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use whole::Read;

/// Rows on a page, beside the rest of an entry with which it ends.
const ROWS: usize = 25;

#[derive(Template)]
#[template(path = "pages/activity/activity.html")]
struct ActivityPage {
    layout: Layout,
    filter: Filter,
    only_user: Option<OnlyUser>,
    is_connected: bool,
    states: Vec<Choice>,
    kinds: Vec<Choice>,
    keys: Vec<Choice>,
    people: Vec<Choice>,
    entries: Vec<Entry>,
    /// The pause of everything, while it can be undone; on the newest page of everything.
    paused_all: Option<PausedAll>,
    /// The query string of this page, with which the form in a row comes back to it.
    list: String,
    /// The reason for which there are no rows.
    refusal: Option<Refusal>,
    older: Option<String>,
    /// The page of the only key, where it is stopped and reverted.
    key_page: Option<String>,
    /// Name and address of the only campaign.
    campaign: Option<(String, String)>,
    /// The campaigns that a person has asked for by their name.
    named: Option<Named>,
}

impl ActivityPage {
    /// Whether nothing was ever done.
    fn is_new(&self) -> bool {
        let is_empty = self.entries.is_empty() && self.refusal.is_none() && self.older.is_none();
        is_empty && self.filter.is_empty() && self.filter.is_newest()
    }
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let (filter, user) = (Filter::read(&request.query), users::named(&request.query)?);
    let named = find(request, person, &filter, user.as_ref()).await;
    if let Some(only) = named.as_ref().and_then(Named::only) {
        return Ok(WebReply::see_other(only));
    }
    let api = Api::new(request, person).acting_for(user.as_ref());
    // Without the connections an account has its number.
    let (list, connections) = tokio::join!(whole::read(&api, &filter), accounts::connections(&api));
    let connections = connections.unwrap_or_default();
    let is_whole = user.is_none() && filter.is_empty() && filter.is_newest();
    let paused_all = if is_whole {
        let kept = Overview::after_pause_of_all(request, person, &connections).await;
        paused_all::read(&api, person, &kept).await
    } else {
        None
    };
    let people = &person.people;
    let (read, refusal) = list.map_or_else(|refusal| (Read::nothing(), Some(refusal)), |read| (read, None));
    let Read { list: ChangeList { changes, next_cursor, .. }, is_whole: ends_whole } = read;
    let since = if is_whole { Vec::new() } else { since(request, person, &changes).await };
    let rows = told(&changes, since, &person.session.person, request.now);
    let mut rows = changes::with_account_names(rows, &connections);
    rows.iter_mut().for_each(|row| row.name_person(people));
    name_campaigns(&mut rows, request, person).await;
    if filter.campaign().is_empty() {
        rows.iter_mut().for_each(|row| row.only = row.campaign_id.as_deref().map(|id| filter.of_campaign(id)));
    }
    let newest = rows.first().cloned();
    let newest = newest.as_ref();
    let part = Part {
        has_newer: !filter.is_newest(),
        has_older: next_cursor.is_some() && !ends_whole,
        is_filtered: filter.parts_bulk_changes(),
    };
    let name = newest.map_or(filter.campaign(), |row| &row.campaign);
    let campaign = (!filter.campaign().is_empty()).then(|| (name.to_owned(), addresses::campaign(filter.campaign())));
    let keys = person.account.keys.all();
    let template = ActivityPage {
        layout: Layout::signed_in(request, "Activity", ACTIVITY, person),
        only_user: OnlyUser::new(user.as_ref(), filter.of_all_users()),
        is_connected: person.account.connections > 0,
        states: filter.states(),
        kinds: filter.kinds(),
        keys: filter.keys(keys, user.as_ref(), newest.map(|row| row.who.as_str())),
        people: filter.people(people, newest.map(|row| row.who.as_str())),
        older: next_cursor.map(|cursor| filter.older(&cursor)),
        key_page: filter.key().map(addresses::one_key),
        campaign,
        named,
        list: filter.list(),
        entries: named_entries(entries(&changes, rows, part), keys),
        paused_all,
        refusal,
        filter,
    };
    Ok(layout::show(request, &template))
}

/// The entries with the names of the keys that were stopped.
fn named_entries(mut entries: Vec<Entry>, keys: &[ApiKeyInfo]) -> Vec<Entry> {
    entries.iter_mut().for_each(|entry| entry.name_stop(keys));
    entries
}

/// Names the campaigns whose names the changes do not have, as they were kept last.
async fn name_campaigns(rows: &mut [ChangeRow], request: &WebRequest, person: &SignedIn) {
    if rows.iter().all(|row| row.is_named) {
        return;
    }
    let kept = readings::kept_campaigns(request, person).await;
    for row in rows {
        if let Some(campaign) = row.campaign_id.as_ref().and_then(|id| kept.get(id)) {
            row.name_campaign(&campaign.name);
        }
    }
}

/// The changes since the oldest of these. They tell which of these are undone, also by a change that the page does not show.
/// Without an answer, the changes of the page tell it.
async fn since(request: &WebRequest, person: &SignedIn, shown: &[Change]) -> Vec<Change> {
    let undoable = shown.iter().rev().find(|change| change.inverse().is_some());
    match undoable {
        Some(oldest) => {
            changes::since(request, person, oldest.created_at()).await.map(|(since, _)| since).unwrap_or_default()
        }
        None => Vec::new(),
    }
}

/// The rows of the changes of the page. `since` has them, too, as far as it reaches back.
fn told(shown: &[Change], since: Vec<Change>, me: &PersonId, now: Timestamp) -> Vec<ChangeRow> {
    let is_in = |list: &[Change], one: &Change| list.iter().any(|other| other.id == one.id);
    let older: Vec<Change> = shown.iter().filter(|change| !is_in(&since, change)).cloned().collect();
    let all = [since, older].concat();
    let rows = rows_for(&all, Some(me), now).into_iter().zip(&all);
    rows.filter(|(_, change)| is_in(shown, change)).map(|(row, _)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::{at, now, person, update, values};
    use crate::kit::times::with_times;
    use shared::domain::{
        CampaignChanges, CampaignId, CampaignStatus, CampaignValues, ChangeId, ChangeState, Executor,
    };
    use uuid::Uuid;

    /// A pause of a campaign that ran, in one bulk change.
    fn paused(campaign: u128) -> Change {
        let has = |status| Some(CampaignValues { status, ..values("Spring") });
        Change {
            id: ChangeId::new(now(), Uuid::from_u128(campaign), 0),
            campaign: CampaignId::parse(&format!("alpha_1_{campaign}")),
            executed_by: Executor::Bulk,
            requested_by: person(Some("ada@example.com")),
            state: ChangeState::Applied,
            before: has(CampaignStatus::Active),
            after: has(CampaignStatus::Paused),
            ..update(CampaignChanges::of_status(CampaignStatus::Paused))
        }
    }

    fn page(entries: Vec<Entry>, query: &str) -> ActivityPage {
        let query = shared::envelope::query::pairs(Some(query));
        ActivityPage {
            layout: Layout::signed_out("Activity"),
            filter: Filter::read(&query),
            only_user: None,
            is_connected: true,
            states: Vec::new(),
            kinds: Vec::new(),
            keys: Vec::new(),
            people: Vec::new(),
            entries,
            paused_all: None,
            list: String::new(),
            refusal: None,
            older: None,
            key_page: None,
            campaign: None,
            named: None,
        }
    }

    #[test]
    fn a_bulk_change_is_one_entry_that_folds_out_its_rows() {
        let changes = [paused(1), paused(2)];
        let rows = told(&changes, Vec::new(), &PersonId("p".to_owned()), now());
        let html = page(entries(&changes, rows, Part::default()), "").render().unwrap();
        for text in [
            "<td data-label=\"What\">Paused 2 campaigns<br><strong>−100.00 USD a day together</strong></td>",
            "<td data-label=\"Campaign\">2 campaigns<br><span class=\"fine\">Google Ads</span></td>",
            "<tr class=\"many\"><td colspan=\"5\"><details><summary>The 2 changes<span class=\"hidden\"> of ",
            "\">See all or undo</a></td></tr>",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert_eq!(html.matches("action=\"/dashboard/activity/undo\"").count(), 2, "each row has its undo: {html}");
        let times = with_times(&html, None);
        assert!(times.contains("<td data-label=\"When\"><time datetime=\"2026-12-01T09:00:00Z\">"), "{times}");
        assert_eq!(
            times.matches("<time ").count(),
            1 + 1 + 2 * 2,
            "of the entry, and of each row and its undo: {times}"
        );
    }

    #[test]
    fn a_change_is_undone_also_where_the_page_does_not_show_the_undo() {
        let pause = paused(1);
        let inverse = pause.inverse().unwrap();
        let undo = Change {
            id: ChangeId::new(at("2026-12-01T09:30:00Z"), Uuid::nil(), 0),
            campaign: pause.campaign.clone(),
            only_if: Some(inverse.only_if),
            state: ChangeState::Applied,
            before: pause.after.clone(),
            after: pause.before.clone(),
            ..update(inverse.changes)
        };
        let (me, shown) = (PersonId("p".to_owned()), [pause.clone()]);
        let row = told(&shown, vec![undo.clone(), pause], &me, now()).remove(0);
        assert!(row.undo.is_none() && row.undone.unwrap().words.starts_with("Undone by you at "));
        let cut = told(&shown, vec![undo], &me, now());
        assert!(cut.len() == 1 && cut[0].undone.is_some(), "what is read does not reach back to it");
        assert!(told(&shown, Vec::new(), &me, now())[0].undo.is_some(), "nothing was read");
    }
}
