//! What became of creates and changes whose outcome was not known. The page refreshes itself until it is.

use crate::client::session::SignedIn;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::changes::{ChangeRow, rows};
use crate::pages::campaigns::filter::Filter;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::{Action, Change, ChangeId, ChangeStatus};
use shared::envelope::WebReply;
use shared::envelope::query::{pairs, value};
use shared::envelope::request::MAX_TARGETS;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/campaigns/outcome/outcome.html")]
struct OutcomePage {
    layout: Layout,
    /// The address of the list that the person came from.
    list_path: String,
    summary: &'static str,
    rows: Vec<ChangeRow>,
    /// Whether some are not known yet.
    is_open: bool,
    /// Whether a campaign was not created, so that its form is of use again.
    has_failed_create: bool,
    /// Whether all is known, and a campaign is created.
    is_created: bool,
}

/// Shows the page of the changes that the address names.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let ids = value(&request.query, "id").unwrap_or_default().split(',').take(MAX_TARGETS);
    let ids: Vec<ChangeId> = ids.filter_map(ChangeId::parse).collect();
    let changes = match ids.as_slice() {
        [] => Vec::new(),
        ids => request.app.store.changes_by_id(person.customer(), ids, request.now).await?,
    };
    if changes.is_empty() {
        return Err(Error::new(Kind::NotFound, "This change does not exist. Activity lists all changes."));
    }
    let statuses: Vec<ChangeStatus> = changes.iter().map(|change| change.status(request.now)).collect();
    let is_create = |change: &Change| matches!(change.action, Action::Create(_));
    let mut of_creates = changes.iter().zip(&statuses).filter(|(change, _)| is_create(change));
    let page = OutcomePage {
        layout: Layout::signed_in(request, "Outcome", CAMPAIGNS, person),
        list_path: Filter::of(&pairs(value(&request.query, "list"))).path(),
        summary: summary(&statuses),
        is_open: statuses.iter().any(|status| is_open(*status)),
        has_failed_create: of_creates.any(|(_, status)| *status == ChangeStatus::Failed),
        is_created: !statuses.iter().any(|status| is_open(*status)) && {
            let mut of_creates = changes.iter().zip(&statuses).filter(|(change, _)| is_create(change));
            of_creates.any(|(_, status)| *status == ChangeStatus::Applied)
        },
        rows: in_part(rows(&changes, request.now), &statuses),
    };
    Ok(layout::show(request, &page))
}

/// Beside what is done, what is refused is amber: not all has failed.
fn in_part(mut rows: Vec<ChangeRow>, statuses: &[ChangeStatus]) -> Vec<ChangeRow> {
    if statuses.contains(&ChangeStatus::Applied) {
        rows.iter_mut().filter(|row| row.tone == "bad").for_each(|row| row.tone = "warn");
    }
    rows
}

/// Whether this service finds out by itself.
fn is_open(status: ChangeStatus) -> bool {
    matches!(status, ChangeStatus::Sending | ChangeStatus::Unknown)
}

fn summary(statuses: &[ChangeStatus]) -> &'static str {
    let open = statuses.iter().filter(|status| is_open(**status)).count();
    let done = statuses.iter().filter(|status| **status == ChangeStatus::Applied).count();
    match (open, done) {
        (0, done) if done == statuses.len() => "Done",
        (0, 0) => "Not done",
        (0, _) => "Partly done",
        (open, _) if open == statuses.len() => "Not known yet",
        _ => "Partly confirmed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ChangeStatus::{Applied, Failed, Sending, Unknown};

    #[test]
    fn the_summary_says_how_far_it_is() {
        for (statuses, words) in [
            (&[Applied, Applied][..], "Done"),
            (&[Failed], "Not done"),
            (&[Applied, Failed], "Partly done"),
            (&[Unknown, Sending], "Not known yet"),
            (&[Applied, Unknown], "Partly confirmed"),
        ] {
            assert_eq!(summary(statuses), words);
        }
    }

    #[test]
    fn a_page_that_is_not_done_refreshes_itself() {
        let page = |is_open| {
            let (layout, rows) = (Layout::signed_out("Outcome"), Vec::new());
            OutcomePage {
                layout,
                list_path: String::new(),
                summary: "",
                rows,
                is_open,
                has_failed_create: !is_open,
                is_created: !is_open,
            }
            .render()
            .unwrap()
        };
        let refresh = "<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>";
        assert!(page(true).contains(refresh) && page(true).contains("data-live"));
        assert!(!page(false).contains("refresh\"") && !page(false).contains("data-live"));
    }
}
