//! The page that removes a connection: what that leaves behind, and the button.

use super::id;
use crate::client::api::Api;
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{CONNECTIONS, remove_connection};
use crate::kit::connections::ConnectionSummary;
use crate::kit::text::grouped;
use crate::kit::words;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::Connection;
use shared::envelope::{RemovalPreview, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/connections/removal.html")]
struct RemovalPage {
    layout: Layout,
    connection: ConnectionSummary,
    /// What goes on or ends, a sentence each.
    left: Vec<String>,
    /// Why it is not known what runs.
    unknown: Option<String>,
}

impl RemovalPage {
    fn new(layout: Layout, connection: &Connection, preview: &RemovalPreview) -> RemovalPage {
        RemovalPage {
            layout,
            connection: ConnectionSummary::of(connection),
            left: left_behind(preview),
            unknown: preview.active.as_ref().err().map(|(_, _, error)| words::error(error)),
        }
    }
}

/// What goes on or ends after a removal, a sentence each.
fn left_behind(preview: &RemovalPreview) -> Vec<String> {
    let RemovalPreview { connection_id: _, active, held, waiting: (scheduled, awaiting) } = preview;
    let (active, has_more) = active.as_ref().map_or((0, false), |active| (active.count, active.has_more));
    let several = [
        (active, "campaign is active and keeps spending.", "campaigns are active and keep spending."),
        (
            held.dated,
            "campaign has a start or end date that we manage: it will not happen.",
            "campaigns have start or end dates that we manage: they will not happen.",
        ),
        (
            held.monthly,
            "campaign has a monthly budget that we manage: it keeps its current daily budget.",
            "campaigns have monthly budgets that we manage: they keep their current daily budgets.",
        ),
        (
            *scheduled + *awaiting,
            "change is scheduled or waits for approval: it is canceled.",
            "changes are scheduled or wait for approval: they are canceled.",
        ),
    ];
    let sentence = |(number, one, many): (usize, &str, &str)| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {many}", grouped(u64::try_from(number).unwrap_or(u64::MAX)))),
    };
    let mut sentences: Vec<String> = several.into_iter().filter_map(sentence).collect();
    if has_more {
        sentences.insert(0, "More campaigns are active than we count.".to_owned());
    }
    sentences
}

/// Shows what a removal leaves behind.
pub(crate) async fn show_removal(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let (api, id) = (Api::new(request, person), id(&request.query));
    let (connection, preview) = tokio::join!(connections::one(&api, id), connections::preview_removal(&api, id));
    let (connection, preview) = (connection.map_err(layout::failed)?, preview.map_err(layout::failed)?);
    let layout = Layout::signed_in(request, "Remove a connection", CONNECTIONS, person);
    Ok(layout::show(request, &RemovalPage::new(layout, &connection, &preview)))
}

/// Removes a connection.
pub(crate) async fn remove(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let removed = connections::remove(&Api::new(request, person), id(&form)).await;
    Ok(match removed {
        Ok(()) => Notice::success("The connection is removed. Its campaigns stay at the platform as they are."),
        Err(refusal) => Notice::failure(refusal, &[]),
    }
    .then(CONNECTIONS))
}

/// The address of the page of a connection.
pub(super) fn path(connection: &ConnectionSummary) -> String {
    remove_connection(&connection.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::connections::tests::connection;
    use shared::domain::{ActiveCampaigns, ConnectionId, ConnectionStatus, HeldCampaigns, Platform};
    use shared::error::Kind;

    fn preview(count: usize, held: (usize, usize), waiting: (usize, usize)) -> RemovalPreview {
        RemovalPreview {
            connection_id: ConnectionId("conn_1".to_owned()),
            active: Ok(ActiveCampaigns { count, has_more: count >= 1_000 }),
            held: HeldCampaigns { dated: held.0, monthly: held.1 },
            waiting,
        }
    }

    fn page(preview: &RemovalPreview) -> String {
        let known = connection("conn_1", Platform::Alpha, ConnectionStatus::Active);
        RemovalPage::new(Layout::signed_out("Remove a connection"), &known, preview).render().unwrap()
    }

    #[test]
    fn each_number_that_is_not_zero_has_a_sentence() {
        assert_eq!(left_behind(&preview(0, (0, 0), (0, 0))), [""; 0]);
        assert_eq!(
            left_behind(&preview(1, (0, 1), (1, 0))),
            [
                "1 campaign is active and keeps spending.",
                "1 campaign has a monthly budget that we manage: it keeps its current daily budget.",
                "1 change is scheduled or waits for approval: it is canceled.",
            ]
        );
        let many = left_behind(&preview(1_000, (2, 0), (1, 2)));
        assert_eq!(
            many[..2],
            ["More campaigns are active than we count.", "1,000 campaigns are active and keep spending."]
        );
        assert_eq!(many.len(), 4, "{many:?}");
        assert!(many[3].starts_with("3 changes are scheduled or wait"), "{many:?}");
    }

    #[test]
    fn a_removal_is_confirmed_on_a_page_that_says_what_goes_on() {
        let runs = page(&preview(3, (0, 0), (0, 0)));
        assert!(runs.contains("<li>3 campaigns are active and keep spending.</li>"), "{runs}");
        assert!(runs.contains("<input type=\"hidden\" name=\"id\" value=\"conn_1\">"), "{runs}");
        let none = page(&preview(0, (0, 0), (0, 0)));
        assert!(none.contains("Nothing is running or waiting there."), "{none}");
        let error = Error::new(Kind::Forbidden, "The consent has ended.");
        let failed = Err((Platform::Alpha, ConnectionId("conn_1".to_owned()), error));
        let unknown = page(&RemovalPreview { active: failed, ..preview(0, (1, 0), (0, 0)) });
        assert!(unknown.contains("We do not know what runs there: The consent has ended."), "{unknown}");
        assert!(unknown.contains("1 campaign has a start") && !unknown.contains("Nothing is running"), "{unknown}");
    }
}
