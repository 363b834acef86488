//! The answer to a form that begins a bulk change.

use crate::client::api::Refusal;
use crate::client::campaigns::StartedBulk;
use crate::client::notice::Notice;
use crate::kit::addresses;
use crate::kit::campaign::Switch;
use crate::kit::campaign_forms::KEY_FIELD;
use crate::pages::campaigns::filter::Filter;
use shared::envelope::WebReply;

/// Leads to the page that shows how far the change is. After a failure or during an earlier request it may have begun:
/// the same form continues it.
pub(in super::super) fn reply_started(
    started: Result<StartedBulk, Refusal>,
    switch: Switch,
    key: &str,
    back: String,
    list: &Filter,
) -> WebReply {
    match started {
        Ok(started) => WebReply::see_other(status_page(&started.bulk.to_string(), list)),
        Err(refusal) => reply_refused(refusal, switch.participle(), key, back),
    }
}

/// The page that shows how far a bulk change is, and leads back to a list.
pub(in super::super) fn status_page(bulk: &str, list: &Filter) -> String {
    addresses::bulk_of_list(bulk, &list.list())
}

/// Leads back to the form, and says whether campaigns may be `done`, such as paused.
pub(in super::super) fn reply_refused(refusal: Refusal, done: &str, key: &str, back: String) -> WebReply {
    let may_have_begun = refusal.status >= 500 || refusal.status == 409;
    let kept = [(KEY_FIELD.to_owned(), key.to_owned())];
    told(refusal, done, if may_have_begun { &kept } else { &[] }).then(back)
}

/// What is certain after a request that has failed: it reads all campaigns before it changes the first one.
fn told(refusal: Refusal, done: &str, kept: &[(String, String)]) -> Notice {
    // An earlier request with the same key is under way.
    let is_unknown = refusal.is_unknown() || refusal.status == 409;
    let notice = Notice::failure(refusal, kept);
    let reason = &notice.message;
    if is_unknown {
        let message = format!(
            "It is not known whether the campaigns are {done}. {reason} Activity has those that are. Nothing is done twice \
             if you press it again."
        );
        let link = Some((addresses::ACTIVITY.to_owned(), "Activity".to_owned()));
        return Notice { message, link, ..notice };
    }
    Notice { message: format!("No campaign was {done}. {reason}"), request_id: None, ..notice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::Reason;

    fn refusal(status: u16, reason: Option<Reason>) -> Refusal {
        let message = "LinkedIn failed to answer properly.".to_owned();
        Refusal { status, message, details: Vec::new(), reason, request_id: "r".to_owned() }
    }

    #[test]
    fn a_failure_says_whether_campaigns_may_be_paused() {
        let silent = told(refusal(502, Some(Reason::PlatformFailed)), "paused", &[]);
        assert_eq!(silent.message, "No campaign was paused. LinkedIn failed to answer properly.");
        assert_eq!((silent.request_id, silent.link), (None, None));
        for (status, reason) in [(504, Some(Reason::OutcomeUnknown)), (500, None), (409, Some(Reason::StateConflict))] {
            let unknown = told(refusal(status, reason), "paused", &[]);
            assert!(unknown.message.starts_with("It is not known whether the campaigns are paused."), "{unknown:?}");
            assert_eq!((unknown.request_id.as_deref(), unknown.link.is_some()), (Some("r"), true), "{status}");
        }
    }
}
