//! Connections: what needs a person, the platforms that do not answer, the list by platform, the forms of one connection,
//! connect buttons, and a page that removes one.

mod consents;
mod found;
mod list;
mod new_campaigns;
mod removal;
mod settings;
mod trouble;
mod words;

pub(crate) use new_campaigns::set_defaults;
pub(crate) use removal::{remove, show_removal};
pub(crate) use settings::label;

use crate::client::api::Api;
use crate::client::connections;
use crate::client::notice::Notice;
use crate::client::readings::{self, Overview};
use crate::client::session::SignedIn;
use crate::kit::addresses::CONNECTIONS;
use crate::kit::connections::{ConnectionSummary, broken};
use crate::kit::plans::{Room, room};
use crate::pages::layout::{self, Layout};
use askama::Template;
use found::{Found, is_connected};
use list::ConnectionList;
use secrecy::ExposeSecret;
use settings::Settings;
use shared::app::App;
use shared::domain::Platform;
use shared::envelope::query::value;
use shared::envelope::{CallbackRedirect, WebReply};
use shared::error::Error;
use shared::serve::WebRequest;
use shared::skipped_names::SkippedNames;
use trouble::{BrokenConsent, SilentPlatform, broken_consents, silent_platforms};
use words::{ConsentOutcome, checked, not_begun, outcome};

#[derive(Template)]
#[template(path = "pages/connections/connections.html")]
struct ConnectionsPage {
    layout: Layout,
    platforms: Vec<(&'static str, &'static str)>,
    /// The outcome of the platform's consent page.
    outcome: Option<ConsentOutcome>,
    /// What it has brought.
    found: Option<Found>,
    /// The room of the plan; `None` for a plan without a limit.
    room: Option<Room>,
    /// What needs a person.
    consents: Vec<BrokenConsent>,
    silent: Vec<SilentPlatform>,
    /// The forms of the connection that the address names.
    settings: Option<Settings>,
    list: ConnectionList,
}

impl ConnectionsPage {
    /// The plan to which a person upgrades before they connect more.
    fn larger_plan(&self) -> Option<&'static str> {
        self.room.as_ref()?.larger
    }

    /// The room of the plan, unless the outcome of a consent says it already.
    fn untold_room(&self) -> Option<&Room> {
        let is_told = |outcome: &ConsentOutcome| outcome.skipped.iter().any(|skipped| skipped.is_of_plan);
        self.room.as_ref().filter(|_| !self.outcome.as_ref().is_some_and(is_told))
    }
}

/// Shows the page. It asks a platform only after a consent, for the campaigns of what is new: which one does not answer is
/// known of what Home and the list of campaigns read.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let found = async {
        if !is_connected(&request.query) {
            return None;
        }
        let overview = Overview::read(request, person, None).await.ok()?;
        Found::of(&overview, &request.query)
    };
    let (all, reads, found, names) = tokio::join!(
        connections::list(&api),
        readings::last_reads(request, person.customer()),
        found,
        skipped_names(request, person)
    );
    let all = all.map_err(layout::failed)?;
    let summaries: Vec<ConnectionSummary> = all.iter().map(ConnectionSummary::of).collect();
    let template = ConnectionsPage {
        // The list is newer than what the menu has read.
        layout: Layout { broken: broken(&summaries), ..Layout::signed_in(request, "Connections", CONNECTIONS, person) },
        platforms: platforms(&request.app),
        outcome: outcome(&request.query, &all, &person.account, &names),
        found,
        room: room(&person.account),
        consents: broken_consents(&all, &reads),
        silent: silent_platforms(&all, &reads),
        settings: Settings::of(&all, &request.query),
        list: ConnectionList::of(&all, &reads, &request.query),
    };
    Ok(layout::show_with_targets(request, &template, connections::consent_origins(&request.app)))
}

/// Leads to the platform's consent page.
pub(crate) async fn connect(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let platform = value(&form, "platform").unwrap_or_default();
    let back = request.public_url(CONNECTIONS)?;
    Ok(match connections::authorize(&Api::new(request, person), platform, &back).await {
        Ok(consent) => {
            // What could not be read before the consent is read again after it.
            readings::note_any(request, person.customer()).await;
            WebReply::see_other(consent.expose_secret())
        }
        Err(refusal) => not_begun(refusal, &person.account).then(CONNECTIONS),
    })
}

/// Checks all connections with their platforms.
pub(crate) async fn sync(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let synced = connections::sync(&Api::new(request, person)).await;
    let notice = synced.map_or_else(|refusal| Notice::failure(refusal, &[]), |synced| checked(&synced));
    Ok(notice.then(CONNECTIONS))
}

/// The names of the ad accounts that the consent has left out, as far as the address has them.
async fn skipped_names(request: &WebRequest, person: &SignedIn) -> SkippedNames {
    match (request.app.vault(), value(&request.query, CallbackRedirect::SKIPPED_NAMES)) {
        (Ok(vault), Some(sealed)) => SkippedNames::open(vault, person.customer(), sealed).await,
        _ => SkippedNames::default(),
    }
}

/// The platforms that the operator has set up: the name in the API, and the product's.
fn platforms(app: &App) -> Vec<(&'static str, &'static str)> {
    let is_set_up = |platform: &Platform| app.platform_config(*platform).is_some();
    Platform::ALL.into_iter().filter(is_set_up).map(|platform| (platform.as_str(), platform.display_name())).collect()
}

/// The connection of a form.
fn id(form: &[(String, String)]) -> &str {
    value(form, "id").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::trouble::LastReads;
    use super::*;
    use crate::kit::connections::tests::connection;
    use shared::domain::{Connection, ConnectionStatus, Customer, CustomerId, GrantId, Plan};
    use shared::envelope::query::pairs;
    use shared::store::Account;

    fn page(all: &[Connection], query: &str) -> String {
        template(all, &pairs(Some(query))).render().unwrap()
    }

    fn template(all: &[Connection], query: &[(String, String)]) -> ConnectionsPage {
        let reads = LastReads::new();
        ConnectionsPage {
            layout: Layout::signed_out("Connections"),
            platforms: Platform::ALL.map(|platform| (platform.as_str(), platform.display_name())).into(),
            outcome: outcome(query, all, &Account::without_key(customer()), &SkippedNames::default()),
            found: found(query),
            room: room(&Account::without_key(customer())),
            consents: broken_consents(all, &reads),
            silent: silent_platforms(all, &reads),
            settings: Settings::of(all, query),
            list: ConnectionList::of(all, &reads, query),
        }
    }

    #[test]
    fn a_page_of_many_accounts_is_small_and_what_needs_a_person_is_first() {
        let mut all: Vec<Connection> =
            (0..25).map(|at| connection(&format!("conn_{at:032}"), Platform::Beta, ConnectionStatus::Active)).collect();
        for broken in &mut all[..6] {
            broken.status = ConnectionStatus::Revoked;
            broken.grant_id = Some(GrantId("grant_1".to_owned()));
        }
        let html = page(&all, &format!("edit={}", all[7].id));
        assert!(html.len() < 32_000, "{} bytes", html.len());
        assert_eq!(html.matches(">Reconnect<").count(), 1, "{html}");
        assert!(html.contains(" and 1 more</strong>") && html.contains("name=\"categories\""), "{html}");
        let at = |text: &str| html.find(text).unwrap();
        assert!(at("id=\"consents\"") < at("id=\"list\"") && at("id=\"list\"") < at("id=\"connect\""), "{html}");
    }

    fn customer() -> Customer {
        let (id, created_at) = (CustomerId(uuid::Uuid::nil()), "2026-11-01T00:00:00Z".parse().unwrap());
        Customer { id, email: String::new(), plan: Plan::Starter, created_at, disabled: false }
    }

    /// What a consent has brought, if there was one.
    fn found(query: &[(String, String)]) -> Option<Found> {
        let words = "2 campaigns found in 1 ad account.".to_owned();
        is_connected(query).then_some(Found { words, has_campaigns: true, complete_path: Some("/more".to_owned()) })
    }

    #[test]
    fn after_a_consent_the_page_says_what_was_found_and_what_is_next() {
        let all = [connection("new", Platform::Alpha, ConnectionStatus::Active)];
        let html = page(&all, "status=connected&connection_id=new");
        for text in [
            "2 campaigns found in 1 ad account.",
            r#"<a class="button" href="/dashboard/campaigns">See your campaigns</a>"#,
            r#"<a class="button quiet" href="/dashboard/campaigns/new">Create a campaign</a>"#,
            r#"<meta name="goes-on" content="/more">"#,
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        let later = page(&all, "");
        assert!(!later.contains("See your campaigns") && !later.contains("goes-on"), "{later}");
        assert!(later.contains("1 Nov 2026, 00:00 UTC</td>") && !later.contains("never"), "{later}");
    }

    #[test]
    fn a_full_plan_leads_to_billing_and_is_said_once() {
        let all = ["a", "b", "new"].map(|id| connection(id, Platform::Alpha, ConnectionStatus::Active));
        let shown = |query: &str| {
            let full = Account { connections: 3, ..Account::without_key(customer()) };
            let query = pairs(Some(query));
            let outcome = outcome(&query, &all, &full, &SkippedNames::default());
            ConnectionsPage { room: room(&full), outcome, ..template(&all, &query) }.render().unwrap()
        };
        let empty = shown("");
        assert!(empty.contains("Your plan has 3 ad accounts, 3 are connected."), "{empty}");
        assert!(empty.contains("href=\"/dashboard/billing\">Upgrade to Pro to connect more</a>"), "{empty}");
        assert!(!empty.contains(">Connect Google Ads<") && !empty.contains("Connect another</a>"), "{empty}");
        let told = shown("status=connected&connection_id=new&connection_ids=new&skipped=79:PLAN_LIMIT");
        assert_eq!(told.matches("Your plan has 3 ad accounts").count(), 1, "{told}");
        let free = page(&all[..2], "");
        assert!(
            free.contains("Your plan has 3 ad accounts, none is connected.") && free.contains(">Connect Google Ads<")
        );
    }

    #[test]
    fn without_an_account_the_page_begins_with_the_platforms() {
        let html = page(&[], "");
        assert!(html.find("id=\"connect\"") < html.find("No ad account is connected yet."), "{html}");
        assert!(!html.contains("id=\"consents\"") && !html.contains("id=\"silent\""), "{html}");
    }
}
