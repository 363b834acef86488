//! The decision on several changes at once: each is decided on its own, as on its page.

use super::decide::{no_reason, outcome, reason};
use crate::client::approvals;
use crate::client::changes::by_id;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{self, APPROVALS};
use crate::kit::changes::rows;
use crate::kit::form_errors::Detail;
use crate::pages::kept_form::recent_first;
use shared::domain::{Approval, Change, ChangeId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;
use std::time::Duration;
use tokio::time::Instant;

/// The boxes of the list, and the button.
pub(crate) const CHOICES: &str = "ids";
const DECISION: &str = "do";
/// Changes that the notice names.
const MAX_NAMED: usize = 8;
/// Time in which decisions begin, less than a page has. Those that are not reached wait on.
const TIME: Duration = Duration::from_secs(18);

/// A change that a person has ticked, with the version of the campaign that the list showed.
#[derive(Debug, PartialEq, Eq)]
struct Choice {
    id: ChangeId,
    seen: String,
}

/// What a person decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Approve,
    Reject,
}

/// What the box of a change sends: the change, and the campaign as it was when somebody asked for it. The list shows that,
/// so a campaign that has changed since is not changed.
pub(super) fn choice(change: &Change) -> String {
    format!("{} {}", change.id, Approval::version(change.id, change.values_before()))
}

impl Choice {
    fn read(text: &str) -> Option<Choice> {
        let (id, seen) = text.split_once(' ')?;
        Some(Choice { id: ChangeId::parse(id)?, seen: seen.to_owned() })
    }
}

/// Approves or rejects the changes that are ticked, and leads back to the list.
pub(crate) async fn decide_many(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let user = users::named(&form)?;
    let page = user.as_ref().map_or_else(|| APPROVALS.to_owned(), |user| addresses::of_user(APPROVALS, user));
    let decision = match value(&form, DECISION) {
        Some("approve") => Decision::Approve,
        Some("reject") => Decision::Reject,
        _ => return Ok(nothing_ticked().then(page)),
    };
    if decision == Decision::Approve && !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let Some(why) = reason(&form) else { return Ok(no_reason(&form).then(page)) };
    let ticked = form.iter().filter(|(name, _)| name == CHOICES);
    let choices: Vec<Choice> = ticked.filter_map(|(_, text)| Choice::read(text)).collect();
    if choices.is_empty() {
        return Ok(nothing_ticked().then(page));
    }
    let ids: Vec<ChangeId> = choices.iter().map(|choice| choice.id).collect();
    let known = by_id(request, person, &ids).await?;
    let names: Vec<(ChangeId, String)> =
        known.iter().zip(rows(&known, request.now)).map(|(change, row)| (change.id, row.campaign)).collect();
    let until = Instant::now() + TIME;
    let mut outcomes = Vec::new();
    for choice in choices {
        let name = names.iter().find(|(id, _)| *id == choice.id).map_or("A change", |(_, name)| name.as_str());
        let became = if Instant::now() < until {
            decide(request, person, decision, choice, why).await
        } else {
            Notice { message: "There was no time left: it still waits.".to_owned(), ..Notice::default() }
        };
        outcomes.push((name.to_owned(), became));
    }
    Ok(notice(decision, outcomes).then(page))
}

async fn decide(
    request: &WebRequest,
    person: &SignedIn,
    decision: Decision,
    Choice { id, seen }: Choice,
    why: Option<&str>,
) -> Notice {
    let decided = match decision {
        Decision::Approve => approvals::approve(request, person, id, seen).await.map(|change| outcome(&change)),
        Decision::Reject => approvals::reject(request, person, id, why)
            .await
            .map(|_| Notice::success("Rejected: nothing is sent to the platform for it.")),
    };
    decided.unwrap_or_else(|refusal| Notice { message: refusal.in_full(), ..Notice::default() })
}

fn nothing_ticked() -> Notice {
    Notice { message: "Tick the changes to decide on first. Nothing is decided.".to_owned(), ..Notice::default() }
}

/// The outcome of all, and what became of each, first of those that are not decided.
fn notice(decision: Decision, mut outcomes: Vec<(String, Notice)>) -> Notice {
    let (total, done) = (outcomes.len(), outcomes.iter().filter(|(_, became)| became.is_success).count());
    let participle = if decision == Decision::Approve { "approved" } else { "rejected" };
    let changes = if total == 1 { "change is" } else { "changes are" };
    let of = if total > MAX_NAMED { ", the first of them" } else { "" };
    let message = match done {
        0 => format!("Nothing is {participle}{of}:"),
        _ if done == total => format!("{total} {changes} {participle}{of}:"),
        _ => format!("{done} of {total} {changes} {participle}. What became of each{of}:"),
    };
    outcomes.sort_by_key(|(_, became)| became.is_success);
    outcomes.truncate(MAX_NAMED);
    let details = outcomes.into_iter().map(|(name, became)| Detail { field: name, message: became.message }).collect();
    let notice = match done {
        0 => Notice { message, ..Notice::default() },
        _ if done == total => Notice::success(message),
        _ => Notice::part(message),
    };
    Notice { details, ..notice }.shorten_to_fit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::update;
    use shared::domain::CampaignChanges;

    #[test]
    fn a_box_names_the_change_and_what_was_seen() {
        let change = update(CampaignChanges::default());
        let read = Choice::read(&choice(&change)).unwrap();
        assert_eq!(read, Choice { id: change.id, seen: Approval::version(change.id, None) });
        assert_eq!((Choice::read(""), Choice::read("chg_1 2")), (None, None));
    }

    #[test]
    fn the_notice_counts_and_names_each() {
        let failed = || Notice { message: "Not enough left.".to_owned(), ..Notice::default() };
        let of = |outcomes: Vec<Notice>| {
            let named = outcomes.into_iter().map(|became| ("Spring".to_owned(), became)).collect();
            let notice = notice(Decision::Approve, named);
            (notice.tone(), notice.message.clone(), notice.details.len())
        };
        let done = || Notice::success("Approved and applied.");
        assert_eq!(of(vec![done(), done()]), ("good", "2 changes are approved:".to_owned(), 2));
        let part = "1 of 2 changes are approved. What became of each:";
        assert_eq!(of(vec![done(), failed()]), ("part", part.to_owned(), 2));
        assert_eq!(of(vec![failed()]), ("bad", "Nothing is approved:".to_owned(), 1));
        let many = "9 of 10 changes are approved. What became of each, the first of them:";
        let outcomes = std::iter::repeat_with(done).take(9).chain([failed()]).collect();
        assert_eq!(of(outcomes), ("part", many.to_owned(), MAX_NAMED));
    }
}
