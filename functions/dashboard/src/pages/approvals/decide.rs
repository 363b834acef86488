//! The decision of a person.

use crate::client::approvals::{self, MAX_REASON};
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::client::users;
use crate::kit::addresses::{self, APPROVALS, BACK, HOME, TO_HOME, TO_LIST};
use crate::kit::changes::{ChangeRow, rows};
use crate::kit::form_fields::pick;
use crate::kit::text::{isolated, readable};
use crate::kit::words;
use crate::pages::kept_form::recent_first;
use jiff::Timestamp;
use shared::domain::{Change, ChangeError, ChangeId, ChangeState, is_invisible};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field of a form with the name of the campaign, which is said again after a sign-in.
pub(crate) const NAME_FIELD: &str = "name";
/// The field of a form with the reason of a rejection.
pub(crate) const REASON: &str = "reason";

/// The state of a change whose approval has failed, for its notice.
const NOT_APPROVED: &str = " It is not approved: nothing was changed, and it still waits.";

/// What an approved change has made, in words, and the fields of the form that undoes it; no fields where nothing does.
pub(crate) type Made = (Option<String>, Vec<(String, String)>);

/// Approves the change of a form, and leads back to its page: that of the change, from there to the next one, or a list.
pub(crate) async fn approve(
    request: &WebRequest,
    person: &SignedIn,
    made: fn(&Change) -> Made,
) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = (change_of(&form)?, page_of(&form));
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let seen = value(&form, "seen").unwrap_or_default().to_owned();
    // A list has the next change itself, but not the campaign as it is now.
    let is_in_list = value(&form, BACK).is_some();
    let notice = match approvals::approve(request, person, id, seen).await {
        Ok(change) => {
            let decided = lead_on(with_undo(outcome(&change), made(&change)), id, &person.awaiting);
            if is_in_list { Notice { link: None, ..decided } } else { decided }
        }
        Err(refusal) => {
            let review = (addresses::approval(&id.to_string()), "Review it as it is now".to_owned());
            let failed = Notice::failure(refusal, &[]);
            let waits = approvals::still_waits(request, person, id).await;
            let message = format!("{}{}", failed.message, if waits { NOT_APPROVED } else { "" });
            Notice { link: is_in_list.then_some(review), message, ..failed }
        }
    };
    Ok(notice.then(page))
}

/// Rejects the change of a form, and leads back to its page, and from there to the next one.
pub(crate) async fn reject(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let (id, page) = (change_of(&form)?, page_of(&form));
    let Some(why) = reason(&form) else { return Ok(no_reason(&form).then(page)) };
    Ok(match approvals::reject(request, person, id, why).await {
        Ok(change) => lead_on(rejected(change, why.is_some(), request.now), id, &person.awaiting),
        Err(refusal) => Notice::failure(refusal, &pick(&form, &[REASON])),
    }
    .then(page))
}

/// `Rejected: Activate, for “Spring”.` A row has no reason; the page of the change has.
fn rejected(change: Change, has_reason: bool, now: Timestamp) -> Notice {
    let what: Vec<String> = rows(&[change], now).into_iter().map(rejected_words).collect();
    let reason = if has_reason { " Who asked for it reads your reason with it." } else { "" };
    Notice::success(format!("Rejected: {} Nothing is sent to the platform.{reason}", what.concat()))
}

fn rejected_words(ChangeRow { campaign, what, is_named, .. }: ChangeRow) -> String {
    let campaign = if is_named { isolated(&campaign) } else { campaign };
    format!("{}, for {campaign}.", what.join(", "))
}

/// The change of a form.
fn change_of(form: &[(String, String)]) -> Result<ChangeId, Error> {
    value(form, "id").and_then(ChangeId::parse).ok_or_else(|| Error::not_found("change"))
}

/// The page to which a form about a change leads back.
pub(crate) fn page_of(form: &[(String, String)]) -> String {
    match value(form, BACK) {
        Some(TO_HOME) => HOME.to_owned(),
        Some(TO_LIST) => list_of(form),
        _ => addresses::approval(value(form, "id").unwrap_or_default()),
    }
}

/// The list that a form is on: that of a user, or of all.
pub(crate) fn list_of(form: &[(String, String)]) -> String {
    let user = users::named(form).ok().flatten();
    user.map_or_else(|| APPROVALS.to_owned(), |user| addresses::of_user(APPROVALS, &user))
}

/// The reason of a form that rejects, if it has one; `None` for what is no line of visible characters.
pub(super) fn reason(form: &[(String, String)]) -> Option<Option<&str>> {
    let text = value(form, REASON).unwrap_or_default().trim();
    let is_line = text.chars().count() <= MAX_REASON && !text.contains(is_invisible);
    is_line.then(|| Some(text).filter(|text| !text.is_empty()))
}

/// The refusal of such a reason. The form has it again.
pub(super) fn no_reason(form: &[(String, String)]) -> Notice {
    let message = format!("Nothing is rejected yet. A reason is one line of at most {MAX_REASON} visible characters.");
    Notice { message, values: pick(form, &[REASON]), ..Notice::default() }
}

fn with_undo(outcome: Notice, (words, undo): Made) -> Notice {
    let message = match words {
        Some(words) => format!("{} {words}", outcome.message),
        None => outcome.message.clone(),
    };
    Notice { message, ..outcome }.undone_by(undo)
}

/// The outcome of a decision with the number of the changes that still wait, and a link to the one after it. `waiting` are
/// those that waited before it, in the order of the list.
fn lead_on(outcome: Notice, decided: ChangeId, waiting: &[ChangeId]) -> Notice {
    let at = waiting.iter().position(|id| *id == decided).unwrap_or_default();
    let (before, after) = waiting.split_at(at);
    let left: Vec<&ChangeId> = after.iter().chain(before).filter(|id| **id != decided).collect();
    let told = match left.len() {
        0 => "Nothing else waits for approval.".to_owned(),
        1 => "1 more waits for approval.".to_owned(),
        more => format!("{more} more wait for approval."),
    };
    let words = match left.len() {
        1 => "Review the last one that waits".to_owned(),
        more => format!("Review the next of {more} that wait"),
    };
    let link = left.first().map(|id| (addresses::approval(&id.to_string()), words));
    Notice { message: format!("{} {told}", outcome.message), link, ..outcome }
}

/// What became of an approved change.
pub(super) fn outcome(change: &Change) -> Notice {
    match (&change.state, change.apply_at) {
        (ChangeState::Applied, _) => Notice::success("Approved and applied."),
        (ChangeState::Scheduled, Some(at)) if change.sent_at.is_none() && change.began_at() < at => {
            Notice::success(format!("Approved. It takes effect at {}.", readable(at)))
        }
        (ChangeState::Scheduled, _) => Notice::success(format!(
            "Approved and scheduled. {} has not accepted it yet: we keep retrying.",
            change.platform.display_name()
        )),
        (ChangeState::PartlyApplied(error), _) => {
            Notice { is_part: true, ..failed("Approved, but only a part of it was applied", Some(error)) }
        }
        (ChangeState::Failed(error), _) => failed("Approved, but it was not applied", Some(error)),
        (ChangeState::Canceled(reason), _) => failed("It was canceled at the same moment", reason.as_ref()),
        (ChangeState::Sending | ChangeState::AwaitingApproval | ChangeState::Rejected(_) | ChangeState::Expired, _) => {
            Notice::success("Approved. The outcome is not known yet: this page will show it.")
        }
    }
}

fn failed(what: &str, error: Option<&ChangeError>) -> Notice {
    let message =
        error.map_or_else(|| format!("{what}."), |error| format!("{what}: {}", words::message(&error.message)));
    Notice { message, ..Notice::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::changes::sample::{now, update, values};
    use crate::kit::form_fields::form;
    use shared::domain::{CampaignChanges, CampaignStatus};
    use uuid::Uuid;

    fn id(number: usize) -> ChangeId {
        ChangeId::new(now(), Uuid::nil(), number)
    }

    #[test]
    fn a_decision_leads_to_the_next_change_and_says_how_many_are_left() {
        let after = |decided, waiting: &[usize]| {
            let waiting: Vec<ChangeId> = waiting.iter().map(|number| id(*number)).collect();
            let notice = lead_on(Notice::success("Approved and applied."), id(decided), &waiting);
            assert!(notice.is_success);
            (notice.message, notice.link)
        };
        let page = |number| addresses::approval(&id(number).to_string());
        let three = "Approved and applied. 3 more wait for approval.".to_owned();
        let next = |number| Some((page(number), "Review the next of 3 that wait".to_owned()));
        assert_eq!(after(2, &[1, 2, 3, 4]), (three.clone(), next(3)));
        assert_eq!(after(4, &[1, 2, 3, 4]), (three.clone(), next(1)), "from the last to what was skipped");
        assert_eq!(after(5, &[1, 2, 3]), (three, next(1)), "it waited no more");
        let last = Some((page(1), "Review the last one that waits".to_owned()));
        assert_eq!(after(2, &[1, 2]), ("Approved and applied. 1 more waits for approval.".to_owned(), last));
        assert_eq!(after(1, &[1]), ("Approved and applied. Nothing else waits for approval.".to_owned(), None));
    }

    #[test]
    fn a_form_leads_back_to_the_page_that_it_is_on() {
        let of = |fields: &[(&str, &str)]| page_of(&form(fields));
        assert_eq!(of(&[("id", "chg_1")]), "/dashboard/approvals/one?id=chg_1");
        assert_eq!(of(&[("id", "chg_1"), ("back", "home")]), HOME);
        assert_eq!(of(&[("id", "chg_1"), ("back", "list")]), APPROVALS);
        let of_user = [("id", "chg_1"), ("back", "list"), ("external_ref", "shop42")];
        assert_eq!(of(&of_user), "/dashboard/approvals?external_ref=shop42");
        assert_eq!(of(&[("id", "a&b"), ("back", "https://example.com/")]), "/dashboard/approvals/one?id=a%26b");
    }

    #[test]
    fn a_rejection_names_the_change() {
        let asked = values("Spring");
        let change = Change { asked: Some(asked), ..update(CampaignChanges::of_status(CampaignStatus::Active)) };
        let told =
            |has_reason| rejected(change.clone(), has_reason, now()).message.replace(['\u{2068}', '\u{2069}'], "");
        assert_eq!(told(false), "Rejected: Activate, for “Spring”. Nothing is sent to the platform.");
        assert!(told(true).ends_with("Nothing is sent to the platform. Who asked for it reads your reason with it."));
    }

    #[test]
    fn a_reason_is_a_short_visible_line() {
        let of = |text: &str| reason(&form(&[(REASON, text)])).map(|why| why.map(str::to_owned));
        assert_eq!(
            (of(" Too much. "), of("  "), reason(&[])),
            (Some(Some("Too much.".to_owned())), Some(None), Some(None))
        );
        assert_eq!(of(&"é".repeat(MAX_REASON)).map(|why| why.is_some()), Some(true));
        assert_eq!((of(&"é".repeat(MAX_REASON + 1)), of("a\nb"), of("a\u{202e}b")), (None, None, None));
        let sent = form(&[("id", "chg_1"), (REASON, "a\nb")]);
        assert_eq!(no_reason(&sent).value(REASON), Some("a\nb"));
    }

    #[test]
    fn an_approval_says_what_it_has_made_and_can_be_undone() {
        let undo = form(&[("change", "chg_1")]);
        let made = (Some("Activated “Spring”.".to_owned()), undo.clone());
        let notice = with_undo(Notice::success("Approved and applied."), made);
        assert_eq!((notice.message.as_str(), notice.undo), ("Approved and applied. Activated “Spring”.", undo));
        assert!(with_undo(Notice::success("Approved."), (None, Vec::new())).undo.is_empty());
    }
}
