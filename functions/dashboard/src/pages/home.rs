//! The first page after a sign-in: the first steps, the use of the plan, and connections that need a person.

use crate::addresses::{CAMPAIGNS, CONNECTIONS, HOME, KEYS};
use crate::changes::Row;
use crate::layout::{self, Layout};
use crate::pages::{activity, approvals, connections, webhooks};
use crate::plans;
use crate::session::SignedIn;
use askama::Template;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// Connections that the page shows; the page of connections shows all.
const MAX_ATTENTION: usize = 5;
/// Changes that wait for a person; the page of approvals shows all.
const MAX_WAITING: usize = 5;
/// Changes that are late; the activity shows all.
const MAX_LATE: usize = 5;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    layout: Layout,
    plan: &'static str,
    used: u64,
    limit: u64,
    used_shown: String,
    limit_shown: String,
    period_end: String,
    steps: [Step; 3],
    is_started: bool,
    /// Changes that wait for a person, and how many more there are.
    waiting: Vec<Row>,
    more_waiting: usize,
    /// Scheduled changes whose time is over, and how many more there are.
    late: Vec<Row>,
    more_late: usize,
    attention: Vec<connections::Row>,
    /// How many more need a person.
    more: usize,
    /// Endpoints of webhooks that need a person.
    webhooks: Vec<webhooks::Row>,
}

/// A step of the first five minutes.
struct Step {
    is_done: bool,
    /// The first that is not done.
    is_next: bool,
    title: &'static str,
    text: &'static str,
    link: (&'static str, &'static str),
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let SignedIn { account, .. } = person;
    let connected = account.connections > 0;
    let connections = async { if connected { connections::all(request, person).await } else { Ok(Vec::new()) } };
    let has_campaign = request.app.store.has_campaign(person.customer());
    let waiting = approvals::waiting(request, person, MAX_WAITING);
    let webhooks = webhooks::attention(request, person);
    let late = activity::late(request, person, MAX_LATE);
    let (connections, has_campaign, waiting, webhooks, late) =
        tokio::join!(connections, has_campaign, waiting, webhooks, late);
    let (connections, has_campaign, (waiting, more_waiting)) = (connections?, has_campaign?, waiting?);
    let (late, more_late) = late?;
    let steps = steps(!connections.is_empty(), has_campaign, !account.keys.all().is_empty());
    let attention = || connections.iter().filter(|row| row.needs_consent);
    let more = attention().count().saturating_sub(MAX_ATTENTION);
    let plan = account.customer.plan;
    let used = account.usage.requests_used;
    let limit = plan.limits().requests_per_period;
    let template = HomePage {
        layout: Layout {
            broken: connections::broken(&connections),
            ..Layout::signed_in(request, "Home", HOME, person)
        },
        plan: plans::name(plan),
        used,
        limit,
        used_shown: layout::grouped(used),
        limit_shown: layout::grouped(limit),
        period_end: layout::readable(account.usage.period_end),
        waiting,
        more_waiting,
        late,
        more_late,
        is_started: steps.iter().all(|step| step.is_done),
        steps,
        attention: connections.into_iter().filter(|row| row.needs_consent).take(MAX_ATTENTION).collect(),
        more,
        webhooks: webhooks?,
    };
    Ok(layout::show_with_targets(request, &template, connections::consent_origins(&request.app)))
}

fn steps(has_connection: bool, has_campaign: bool, has_key: bool) -> [Step; 3] {
    let step = |is_done, is_next, title, text, link| Step { is_done, is_next, title, text, link };
    [
        step(
            has_connection,
            !has_connection,
            "Connect an ad account",
            "You give access at the platform, and can end it there or here.",
            ("Connect an account", CONNECTIONS),
        ),
        step(
            has_campaign,
            has_connection && !has_campaign,
            "Create a campaign",
            "It starts paused, so nothing is spent until you activate it.",
            ("Create a campaign", CAMPAIGNS),
        ),
        step(
            has_key,
            has_connection && has_campaign && !has_key,
            "Create an API key",
            "Programs send it with every request.",
            ("Create a key", KEYS),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_next_step_is_marked() {
        for (done, next) in [
            ((false, false, false), Some(0)),
            ((false, true, true), Some(0)),
            ((true, false, true), Some(1)),
            ((true, true, false), Some(2)),
            ((true, true, true), None),
        ] {
            let steps = steps(done.0, done.1, done.2);
            assert_eq!(steps.iter().position(|step| step.is_next), next, "{done:?}");
            assert!(steps.iter().filter(|step| step.is_next).count() <= 1 && steps[2].link.1 == KEYS);
        }
    }
}
