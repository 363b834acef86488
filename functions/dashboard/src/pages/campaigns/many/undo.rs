//! Undoes a change of many budgets, each by itself, unless somebody has changed the campaign since.

use super::apply::{BEGIN_TIME, MAX_NAMED};
use super::ticked::{CONCURRENT, MAX_CAMPAIGNS};
use crate::client::api::Api;
use crate::client::changes;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::campaign::counted;
use crate::kit::changes::latest_values;
use crate::kit::form_errors::Detail;
use crate::kit::text::readable;
use crate::pages::campaigns::filter::Filter;
use crate::pages::campaigns::reversal::{Undone, reverse};
use crate::pages::campaigns::undo_form;
use futures_util::{StreamExt, stream};
use shared::domain::{CampaignId, Change, ChangeId};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;
use tokio::time::Instant;

/// What became of a change, by the name of its campaign.
enum Outcome {
    Undone,
    NotUndone(Detail),
    /// There was no time to begin: the id of the change.
    NotBegun(ChangeId),
}

/// Undoes changes, given by their ids.
pub(in super::super) async fn undo_budgets(
    request: &WebRequest,
    person: &SignedIn,
    form: &[(String, String)],
    ids: &str,
) -> Result<WebReply, Error> {
    let ids: Vec<ChangeId> = ids.split(',').take(MAX_CAMPAIGNS).filter_map(ChangeId::parse).collect();
    let found = changes::by_id(request, person, &ids).await?;
    let api = Api::new(request, person);
    let until = Instant::now() + BEGIN_TIME;
    let each = stream::iter(found).map(|change| {
        let api = &api;
        async move { one(api, &change, until).await }
    });
    let outcomes: Vec<Outcome> = each.buffered(CONCURRENT).collect().await;
    let list = Filter::of_form(form);
    Ok(told(outcomes, &list).then(list.path()))
}

async fn one(api: &Api<'_>, change: &Change, until: Instant) -> Outcome {
    if Instant::now() >= until {
        return Outcome::NotBegun(change.id);
    }
    let message = match reverse(api, change, true).await {
        Undone::Made(_) | Undone::Already => return Outcome::Undone,
        Undone::Waits(at) => format!("waits for its start at {}.", readable(at)),
        Undone::Checking => "is not known yet. Look at it in a minute.".to_owned(),
        Undone::ChangedSince => "was changed since.".to_owned(),
        Undone::Impossible => "has no budget from before.".to_owned(),
        Undone::Refused(refusal) => refusal.message,
    };
    let id = || change.campaign.as_ref().map(CampaignId::to_string).unwrap_or_default();
    let field = latest_values(change).map_or_else(id, |values| values.name.clone());
    Outcome::NotUndone(Detail { field, message })
}

/// The notice of the outcomes. Its button undoes those that were not begun.
fn told(outcomes: Vec<Outcome>, list: &Filter) -> Notice {
    let total = outcomes.len();
    let (mut undone, mut details, mut left) = (0, Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Outcome::Undone => undone += 1,
            Outcome::NotUndone(detail) => details.push(detail),
            Outcome::NotBegun(id) => left.push(id),
        }
    }
    if undone == total && total > 0 {
        return Notice::success(format!("Undone: the budgets of {} are as before.", counted(total)));
    }
    let mut message = format!("{undone} of {} undone.", counted(total));
    if !left.is_empty() {
        message = format!("There was no time for all: press Undo for the others. {message}");
    }
    match details.len() {
        0 => {}
        1..=MAX_NAMED => message.push_str(" Not undone:"),
        number => message = format!("{message} {number} are not, the first of them:"),
    }
    details.truncate(MAX_NAMED);
    Notice { message, details, undo: undo_form::of_changes(&left, list), ..Notice::default() }.fitting()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use uuid::Uuid;

    fn id(number: usize) -> ChangeId {
        ChangeId::new(Timestamp::UNIX_EPOCH, Uuid::nil(), number)
    }

    #[test]
    fn the_notice_counts_and_names_what_is_not_undone() {
        let list = Filter::of(&[]);
        let all = told(vec![Outcome::Undone, Outcome::Undone], &list);
        assert_eq!((all.is_success, all.message.as_str()), (true, "Undone: the budgets of 2 campaigns are as before."));
        let changed = Detail { field: "Spring".to_owned(), message: "was changed since.".to_owned() };
        let part = told(vec![Outcome::Undone, Outcome::NotUndone(changed)], &list);
        assert_eq!((part.is_success, part.message.as_str()), (false, "1 of 2 campaigns undone. Not undone:"));
        assert_eq!((part.details[0].field.as_str(), part.undo.len()), ("Spring", 0));
        let late = told(vec![Outcome::Undone, Outcome::NotBegun(id(0))], &list);
        assert_eq!((late.is_success, late.undo[0].1.clone()), (false, id(0).to_string()));
        assert!(!told(Vec::new(), &list).is_success, "changes of nobody");
    }

    #[test]
    fn the_form_for_all_changes_fits_into_the_notice() {
        let ids: Vec<ChangeId> = (0..MAX_CAMPAIGNS).map(id).collect();
        let detail = Detail { field: "é".repeat(100), message: "é".repeat(300) };
        let undo = undo_form::of_changes(&ids, &Filter::of(&[]));
        let notice = Notice { details: vec![detail; MAX_NAMED], undo, ..Notice::default() }.fitting();
        let fields: usize = notice.undo.iter().map(|(name, value)| name.len() + value.len()).sum();
        assert!(fields > 1_800 && serde_json::to_vec(&notice).unwrap().len() <= 2_600, "{fields}");
    }
}
