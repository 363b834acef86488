//! The addresses of the pages that other pages link to, and the menu.

use crate::kit::text::path_segment;
use rust_decimal::Decimal;
use shared::domain::{ChangeId, ExternalRef};

pub(crate) const HOME: &str = "/dashboard";
pub(crate) const SIGN_IN: &str = "/dashboard/sign-in";
pub(crate) const CALLBACK: &str = "/dashboard/callback";
pub(crate) const SIGN_OUT: &str = "/dashboard/sign-out";
pub(crate) const KEYS: &str = "/dashboard/keys";
pub(crate) const KEY: &str = "/dashboard/keys/one";
pub(crate) const KEY_REVERT: &str = "/dashboard/keys/revert";
pub(crate) const KEY_ROTATE: &str = "/dashboard/keys/rotate";
pub(crate) const KEY_FREE: &str = "/dashboard/keys/free";
pub(crate) const KEY_RESUME: &str = "/dashboard/keys/resume";
pub(crate) const AGENTS: &str = "/dashboard/agents";
pub(crate) const AGENT_LIMIT: &str = "/dashboard/agents/limit";
pub(crate) const AGENT_SIGN_OUT: &str = "/dashboard/agents/sign-out";
/// Where the program of an agents' host leads a person who connects it, and where that person decides.
pub(crate) const CONNECT: &str = "/dashboard/connect";
pub(crate) const CONSENT: &str = "/dashboard/connect/consent";
pub(crate) const CONNECTIONS: &str = "/dashboard/connections";
pub(crate) const REMOVE_CONNECTION: &str = "/dashboard/connections/remove";
pub(crate) const USERS: &str = "/dashboard/users";
pub(crate) const USER: &str = "/dashboard/users/one";
pub(crate) const USER_LIMIT: &str = "/dashboard/users/limit";
pub(crate) const USER_LIMIT_REMOVAL: &str = "/dashboard/users/remove-limit";
pub(crate) const USER_FREE: &str = "/dashboard/users/free";
pub(crate) const USER_RESUME: &str = "/dashboard/users/resume";
pub(crate) const USER_ERASE: &str = "/dashboard/users/erase";
pub(crate) const CAMPAIGNS: &str = "/dashboard/campaigns";
pub(crate) const VIEWS: &str = "/dashboard/campaigns/views";
pub(crate) const NEW_CAMPAIGN: &str = "/dashboard/campaigns/new";
pub(crate) const OUTCOME: &str = "/dashboard/campaigns/outcome";
pub(crate) const CHANGE: &str = "/dashboard/campaigns/change";
pub(crate) const PREVIEW: &str = "/dashboard/campaigns/preview";
pub(crate) const CHANGE_PREVIEW: &str = "/dashboard/campaigns/change/preview";
pub(crate) const PAUSE_ALL: &str = "/dashboard/campaigns/pause-all";
pub(crate) const UNDO: &str = "/dashboard/campaigns/undo";
pub(crate) const BULK_EDIT: &str = "/dashboard/campaigns/many";
pub(crate) const STATUS: &str = "/dashboard/campaigns/status";
pub(crate) const CANCEL_CHANGE: &str = "/dashboard/activity/cancel";
pub(crate) const UNDO_IN_ACTIVITY: &str = "/dashboard/activity/undo";
pub(crate) const APPROVALS: &str = "/dashboard/approvals";
pub(crate) const APPROVAL: &str = "/dashboard/approvals/one";
pub(crate) const DECIDE: &str = "/dashboard/approvals/decide";
pub(crate) const APPROVE: &str = "/dashboard/approvals/approve";
pub(crate) const REJECT: &str = "/dashboard/approvals/reject";
pub(crate) const ACTIVITY: &str = "/dashboard/activity";
pub(crate) const INSIGHTS: &str = "/dashboard/insights";
pub(crate) const MONTHS: &str = "/dashboard/months";
pub(crate) const MONTHS_CSV: &str = "/dashboard/months/csv";
pub(crate) const INSIGHTS_CSV: &str = "/dashboard/insights/csv";
pub(crate) const CAMPAIGNS_CSV: &str = "/dashboard/campaigns/csv";
pub(crate) const ACTIVITY_CSV: &str = "/dashboard/activity/csv";
pub(crate) const USAGE_CSV: &str = "/dashboard/usage/csv";
pub(crate) const WEBHOOKS: &str = "/dashboard/webhooks";
pub(crate) const WEBHOOK: &str = "/dashboard/webhooks/one";
pub(crate) const WEBHOOK_CHANGE: &str = "/dashboard/webhooks/change";
pub(crate) const WEBHOOK_ROTATE: &str = "/dashboard/webhooks/rotate";
pub(crate) const USAGE: &str = "/dashboard/usage";
pub(crate) const BILLING: &str = "/dashboard/billing";
pub(crate) const SETTINGS: &str = "/dashboard/settings";
pub(crate) const INVITE: &str = "/dashboard/settings/people/invite";
pub(crate) const REMOVE_PERSON: &str = "/dashboard/settings/people/remove";
pub(crate) const SET_ROLE: &str = "/dashboard/settings/people/role";
pub(crate) const REPORTING: &str = "/dashboard/settings/reporting";
pub(crate) const TIME_ZONE: &str = "/dashboard/settings/time-zone";
pub(crate) const REDIRECT_URIS: &str = "/dashboard/settings/redirect-uris";

/// Pages that belong together in the menu.
pub(crate) struct MenuGroup {
    pub(crate) name: &'static str,
    kind: MenuKind,
    pages: &'static [(&'static str, &'static str)],
}

/// How a group of the menu is shown on a wide screen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MenuKind {
    /// Its pages stand in the bar.
    Bar,
    /// Its pages open below its name.
    Folded,
    /// The same below the name of the person, with the way out.
    Account,
}

impl MenuGroup {
    /// Whether its pages open below a name.
    pub(crate) fn is_folded(&self) -> bool {
        self.kind != MenuKind::Bar
    }

    /// Whether it is the person's own.
    pub(crate) fn is_account(&self) -> bool {
        self.kind == MenuKind::Account
    }

    /// Name and address of each page.
    pub(crate) fn pages(&self) -> &'static [(&'static str, &'static str)] {
        self.pages
    }
}

/// The menu.
pub(crate) const MENU: &[MenuGroup] = &[
    MenuGroup { name: "Work", kind: MenuKind::Bar, pages: WORK },
    MenuGroup { name: "Developers", kind: MenuKind::Folded, pages: DEVELOPERS },
    MenuGroup {
        name: "Account",
        kind: MenuKind::Account,
        pages: &[("Billing", BILLING), ("People and settings", SETTINGS)],
    },
];
const WORK: &[(&str, &str)] = &[
    ("Home", HOME),
    ("Campaigns", CAMPAIGNS),
    ("Insights", INSIGHTS),
    ("Months", MONTHS),
    ("Activity", ACTIVITY),
    ("Approvals", APPROVALS),
    ("Agents", AGENTS),
    ("Connections", CONNECTIONS),
];
const DEVELOPERS: &[(&str, &str)] =
    &[("API keys", KEYS), ("Webhooks", WEBHOOKS), ("End users", USERS), ("Usage", USAGE), ("Docs", "/v1/docs")];

/// The page of a campaign.
pub(crate) fn campaign(id: &str) -> String {
    format!("{CAMPAIGNS}/one?id={}", path_segment(id))
}

/// Why a campaign runs or does not, on its page.
pub(crate) fn delivery_of(id: &str) -> String {
    format!("{}#delivery", campaign(id))
}

/// The field, and the parameter of the list, with the page to which a form comes back.
pub(crate) const BACK: &str = "back";
/// Its value for the page of months.
pub(crate) const TO_MONTHS: &str = "months";
/// The parameter with the bulk change on whose page a form is.
pub(crate) const OF_BULK: &str = "of";
/// The value of [`BACK`] for the first page.
pub(crate) const TO_HOME: &str = "home";
/// The value of [`BACK`] for the list that a form is in.
pub(crate) const TO_LIST: &str = "list";

/// The parameter with the amount that the page of months advises.
pub(crate) const NEED: &str = "need";
/// The parameter that puts this amount into the field.
pub(crate) const FILL: &str = "fill";

/// The id of the field with a budget. A browser gives the focus to the field that an address names, also without the script.
pub(crate) const BUDGET: &str = "budget_amount";

/// The list with the form that changes the budget of a campaign in its row, which is found by its name. Once it is saved, the
/// form comes back to the page that `back` names. `need` is an amount that the page advises, which stands at the field.
pub(crate) fn edit_budget(
    id: &str,
    name: &str,
    user: Option<&ExternalRef>,
    (back, need): (&str, Option<Decimal>),
) -> String {
    let need = need.map(|need| format!("&{NEED}={}", need.normalize())).unwrap_or_default();
    let user = user.map(|user| format!("&{OF_USER}={}", path_segment(user.as_str()))).unwrap_or_default();
    let (id, name) = (path_segment(id), path_segment(name.trim()));
    format!("{CAMPAIGNS}?edit={id}&q={name}{user}&{BACK}={back}{need}#{BUDGET}")
}

/// The same list, with the amount that the page advises in the form. The name of the field is its last part.
pub(crate) fn with_amount_filled(edit: &str) -> String {
    edit.replacen('#', &format!("&{FILL}=yes#"), 1)
}

/// The parameter of the page of a campaign that puts a daily budget into its form, in place of a monthly one.
pub(crate) const DAILY: &str = "daily";

/// The page of a campaign with a daily budget in its form.
pub(crate) fn campaign_with_daily_budget(id: &str, daily: Decimal) -> String {
    format!("{}&{DAILY}={}#{BUDGET}", campaign(id), daily.normalize())
}

/// The page of a campaign that leads back to a list with filters, given by its query string.
pub(crate) fn campaign_of_list(id: &str, list: &str) -> String {
    let page = campaign(id);
    if list.is_empty() { page } else { format!("{page}&list={}", path_segment(list)) }
}

/// The page that removes a connection.
pub(crate) fn remove_connection(id: &str) -> String {
    format!("{REMOVE_CONNECTION}?id={}", path_segment(id))
}

/// The form that creates a campaign like another one.
pub(crate) fn campaign_like(id: &str) -> String {
    format!("{CAMPAIGNS}/new?like={}", path_segment(id))
}

/// The id of a campaign's row in the list, to which a form of the row comes back.
pub(crate) fn campaign_row(id: &str) -> String {
    format!("c-{}", path_segment(id))
}

/// The page on which a person decides on a change. The API names it, too.
pub(crate) fn approval(change: &str) -> String {
    format!("{APPROVAL}?id={}", path_segment(change))
}

/// The page of a webhook endpoint.
pub(crate) fn webhook(id: &str) -> String {
    format!("{WEBHOOK}?id={}", path_segment(id))
}

/// The page of an API key: what it did, what it may, and how it is stopped and reverted.
pub(crate) fn one_key(key: &str) -> String {
    format!("{KEY}?id={}", path_segment(key))
}

/// The page that changes the limit of a key.
pub(crate) fn agent_limit(key: &str) -> String {
    format!("{AGENT_LIMIT}?id={}", path_segment(key))
}

/// The parameter of an address that names a user, as in the API.
pub(crate) const OF_USER: &str = "external_ref";

/// A page that is about a user, or the list of a page with what is the user's.
pub(crate) fn of_user(page: &str, user: &ExternalRef) -> String {
    format!("{page}?{OF_USER}={}", path_segment(user.as_str()))
}

/// The sign-in that a page asks for although there is a session.
pub(crate) fn sign_in_again(page: &str) -> String {
    format!("{SIGN_IN}?again=yes&return_to={}", path_segment(page))
}

/// The page that shows how far a bulk change is, and leads back to a list with filters, given by its query string.
pub(crate) fn bulk_of_list(id: &str, list: &str) -> String {
    let page = bulk_status(id);
    if list.is_empty() { page } else { format!("{page}&list={}", path_segment(list)) }
}

/// The page that shows how far a bulk change is.
pub(crate) fn bulk_status(id: &str) -> String {
    format!("{STATUS}?id={}", path_segment(id))
}

/// The page that shows what became of changes, until it is known.
pub(crate) fn outcome(changes: &[ChangeId]) -> String {
    let ids: Vec<String> = changes.iter().map(ChangeId::to_string).collect();
    format!("{OUTCOME}?id={}", path_segment(&ids.join(",")))
}

/// The activity of a campaign.
pub(crate) fn campaign_activity(id: &str) -> String {
    format!("{ACTIVITY}?campaign_id={}", path_segment(id))
}

/// The activity of an API key.
pub(crate) fn key_activity(id: &str) -> String {
    format!("{ACTIVITY}?api_key_id={}", path_segment(id))
}

/// The activity of a person.
pub(crate) fn person_activity(id: &str) -> String {
    format!("{ACTIVITY}?person_id={}", path_segment(id))
}
