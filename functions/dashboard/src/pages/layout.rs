//! The frame of every page: menu, heading, who is signed in, and what the last form did.

use crate::client::api::{OUR_FAULT, Refusal};
use crate::client::notice::Notice;
use crate::client::people::only_looks;
use crate::client::session::SignedIn;
use crate::kit::addresses::{self, APPROVALS, CONNECTIONS, HOME, MENU, MenuGroup, SIGN_IN, SIGN_OUT, UNDO};
use crate::kit::assets::{icon_path, script_path, style_path};
use crate::kit::times::{ShownZone, with_times};
use crate::kit::viewer::without_forms;
use crate::kit::words;
use askama::Template;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use shared::app::App;
use shared::domain::Reporting;
use shared::envelope::WebReply;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use std::borrow::Cow;
use uuid::Uuid;

/// How the page of a person who only looks begins, as the frame of every page writes it.
const LOOKS: &str = "<body class=\"looks\"";
/// An address as a platform may publish it.
const PUBLISHED: &str = "https://example.com";
/// What the frame says of the time zone of the account.
const ZONE: &str = " data-zone=\"";

/// The values that every page needs.
pub(crate) struct Layout {
    /// Heading, and title of the window: words of ours, or a name that people typed.
    pub(crate) title: Cow<'static, str>,
    /// The path of the page in the menu; empty for others.
    pub(crate) current: &'static str,
    /// The name of the person who is signed in; `None` shows neither menu nor sign-out.
    pub(crate) account: Option<String>,
    /// The outcome of the last form.
    pub(crate) notice: Option<Notice>,
    /// The number of changes that wait for a person.
    pub(crate) awaiting: usize,
    /// The number of connections that need a person.
    pub(crate) broken: usize,
    /// Whether the person may change anything. A viewer gets no forms; the table of routes refuses them.
    pub(crate) may_change: bool,
    /// The currency of the total of all currencies, and the rates to it.
    pub(crate) reporting: Option<Reporting>,
    /// Whether the platforms are simulated, as on a laptop.
    pub(crate) is_sandbox: bool,
    /// The time zone of the account; `None` for that of each browser.
    pub(crate) zone: Option<String>,
    /// Whether the first wrong field of a refused form has the focus, and not the list of them.
    pub(crate) focuses_field: bool,
}

impl Layout {
    /// The frame of a page for a person who is signed in.
    pub(crate) fn signed_in(
        request: &WebRequest,
        title: impl Into<Cow<'static, str>>,
        current: &'static str,
        person: &SignedIn,
    ) -> Layout {
        Layout {
            title: title.into(),
            current,
            account: Some(person.name()),
            notice: Notice::of(request, person),
            awaiting: person.awaiting.len(),
            broken: person.broken,
            may_change: person.may_change(),
            reporting: person.account.reporting.clone(),
            is_sandbox: is_sandbox(&request.app),
            zone: person.account.time_zone.clone(),
            focuses_field: false,
        }
    }

    /// The frame of a page without a session.
    pub(crate) fn signed_out(title: impl Into<Cow<'static, str>>) -> Layout {
        let title = title.into();
        Layout {
            title,
            current: "",
            account: None,
            notice: None,
            awaiting: 0,
            broken: 0,
            may_change: true,
            reporting: None,
            is_sandbox: false,
            zone: None,
            focuses_field: false,
        }
    }

    /// The text that the person filled in before a failure, for the field of a form.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.notice.as_ref()?.value(name)
    }

    /// What is wrong with a field of a refused form, by the id of its control.
    pub(crate) fn error(&self, id: &str) -> Option<&str> {
        let errors = &self.notice.as_ref()?.errors;
        errors.iter().find(|error| error.id == id).map(|error| error.message.as_str())
    }

    /// Whether the first wrong field has the focus.
    pub(crate) fn focuses_first(&self) -> bool {
        self.focuses_field && self.notice.as_ref().is_some_and(|notice| !notice.errors.is_empty())
    }

    /// Whether the control with this id has the focus, as that of the first wrong field.
    pub(crate) fn focuses(&self, id: &str) -> bool {
        let first = self.notice.as_ref().and_then(|notice| notice.errors.first());
        self.focuses_field && first.is_some_and(|error| error.id == id)
    }

    /// What stands before the title of the window, because a form came back with errors.
    pub(crate) fn title_prefix(&self) -> &'static str {
        let has_errors = self.notice.as_ref().is_some_and(|notice| !notice.errors.is_empty());
        if has_errors { "Error: " } else { "" }
    }

    /// What stands beside approvals while the last sign-in is too old for them, so that the sign-in is no surprise.
    pub(crate) fn needs_sign_in(&self) -> &'static str {
        "Approving asks you to sign in once more, because it spends money and your last sign-in is more than ten minutes ago. \
         What you choose is kept."
    }

    /// The menu.
    pub(crate) fn menu(&self) -> &'static [MenuGroup] {
        MENU
    }

    /// The page of the menu that this page is below, for the title of the window.
    pub(crate) fn section(&self) -> Option<&'static str> {
        let (name, _) = MENU.iter().flat_map(MenuGroup::pages).find(|(_, path)| *path == self.current)?;
        (*name != self.title).then_some(*name)
    }

    /// The number that stands beside a page in the menu, and what it counts.
    pub(crate) fn count(&self, path: &str) -> Option<(usize, &'static str)> {
        let (count, words) = match path {
            APPROVALS => (self.awaiting, "waiting"),
            CONNECTIONS => (self.broken, "broken"),
            _ => (0, ""),
        };
        (count > 0).then_some((count, words))
    }

    /// How many changes wait for a person, for the button that opens the menu of a phone.
    pub(crate) fn waiting(&self) -> Option<usize> {
        (self.awaiting > 0).then_some(self.awaiting)
    }

    /// What a change waits for: `your approval`, or that of others where the person only looks.
    pub(crate) fn approval(&self) -> &'static str {
        if self.may_change { "your approval" } else { "approval by an owner or a member" }
    }

    /// The address of the stylesheet.
    pub(crate) fn style(&self) -> &'static str {
        style_path()
    }

    /// The address of the script.
    pub(crate) fn script(&self) -> &'static str {
        script_path()
    }

    /// The address of the icon.
    pub(crate) fn icon(&self) -> &'static str {
        icon_path()
    }

    /// The address of the page of a campaign that a notice is about.
    pub(crate) fn campaign(&self, id: &str) -> String {
        addresses::campaign(id)
    }

    /// The address of the form that undoes what a notice reports.
    pub(crate) fn undo(&self) -> &'static str {
        UNDO
    }

    /// The address of the form that signs out.
    pub(crate) fn sign_out(&self) -> &'static str {
        SIGN_OUT
    }
}

/// Whether the platforms are simulated: their published addresses are replaced.
fn is_sandbox(app: &App) -> bool {
    app.platforms.values().any(|platform| platform.address(PUBLISHED) != PUBLISHED)
}

#[derive(Template)]
#[template(path = "pages/error.html")]
struct ErrorPage<'a> {
    layout: Layout,
    message: &'a str,
    request_id: Uuid,
    next: (&'static str, &'static str),
}

/// Renders a page for a person who is signed in. A notice is shown once.
pub(crate) fn show(request: &WebRequest, template: &impl Template) -> WebReply {
    show_with_targets(request, template, Vec::new())
}

/// Renders a page for a person who is signed in, whose forms may end at other origins.
pub(crate) fn show_with_targets(request: &WebRequest, template: &impl Template, targets: Vec<String>) -> WebReply {
    let reply = WebReply::page(rendered(template, Some(request.now)), targets);
    if Notice::is_waiting(request) { reply.with_cookie(Notice::removal_cookie()) } else { reply }
}

/// Renders a page without a session, whose form may end at other origins.
pub(crate) fn page_with_targets(template: &impl Template, form_targets: Vec<String>) -> WebReply {
    WebReply::page(rendered(template, None), form_targets)
}

/// Renders the page of a refusal that has a template of its own.
pub(crate) fn page_of_refusal(error: &Error, template: &impl Template) -> WebReply {
    WebReply::error_page(error, rendered(template, None))
}

/// The page of an error: what happened, and what to do next.
pub(crate) fn error_page(error: &Error, request_id: Uuid) -> WebReply {
    framed_error(Layout::signed_out(error_title(error)), error, request_id)
}

/// The page for a person who has stopped what they began elsewhere: nothing is wrong.
pub(crate) fn canceled_page(error: &Error, request_id: Uuid) -> WebReply {
    framed_error(Layout::signed_out("You canceled"), error, request_id)
}

/// The page of an error for a person who is signed in. The menu leads on.
pub(crate) fn error_page_signed_in(request: &WebRequest, person: &SignedIn, error: &Error) -> WebReply {
    // A notice stays for the next page.
    let layout = Layout { notice: None, ..Layout::signed_in(request, error_title(error), "", person) };
    framed_error(layout, error, request.request_id)
}

/// The page for a person who only looks and has asked for a change.
pub(crate) fn refused(request: &WebRequest, person: &SignedIn) -> WebReply {
    error_page_signed_in(request, person, &only_looks(person))
}

fn error_title(error: &Error) -> &'static str {
    match error.kind {
        Kind::NotFound => "Page not found",
        Kind::Forbidden => "Not allowed",
        Kind::Conflict => "Nothing was changed",
        Kind::PlatformFailed => "Sign-in failed",
        Kind::PlatformTimeout => "This took too long",
        Kind::Internal => "Something went wrong",
        _ => "That did not work",
    }
}

fn framed_error(layout: Layout, error: &Error, request_id: Uuid) -> WebReply {
    let next = match error.kind {
        Kind::Validation | Kind::PlatformFailed | Kind::Conflict => ("Sign in", SIGN_IN),
        _ => ("Go to the dashboard", HOME),
    };
    // Our own failures have a message for callers of the API.
    let message = if error.kind == Kind::Internal { OUR_FAULT.to_owned() } else { words::message(&error.message) };
    let template = ErrorPage { layout, message: &message, request_id, next };
    WebReply::error_page(error, rendered(&template, None))
}

/// The error of a page that cannot be shown without what the API refused.
pub(crate) fn failed(refusal: Refusal) -> Error {
    let kind = match refusal.status {
        400 => Kind::Validation,
        403 => Kind::Forbidden,
        404 => Kind::NotFound,
        429 => Kind::RateLimited,
        _ => return Error::internal(refusal.message),
    };
    Error::new(kind, refusal.in_full())
}

/// The page, with its times as of `now`.
fn rendered(template: &impl Template, now: Option<Timestamp>) -> Option<String> {
    let page = template.render().inspect_err(|error| tracing::error!(%error, "a page did not render")).ok()?;
    let page = if page.contains(LOOKS) { without_forms(&page) } else { page };
    let zone = zone_of(&page).map(|zone| ShownZone { zone, now });
    Some(with_times(&page, zone.as_ref()))
}

/// The time zone that the frame of a page names.
fn zone_of(page: &str) -> Option<TimeZone> {
    let (_, body) = page.split_once("<body")?;
    let (tag, _) = body.split_once('>')?;
    let (name, _) = tag.split_once(ZONE)?.1.split_once('"')?;
    TimeZone::get(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::FieldError;

    #[test]
    fn an_error_page_names_the_fields() {
        let refusal = Refusal {
            status: 400,
            message: "The request is not valid.".to_owned(),
            details: vec![FieldError::new("name", "is taken")],
            reason: None,
            request_id: "r".to_owned(),
        };
        assert_eq!(words::message(&failed(refusal).message), "“Name” is taken.");
    }

    #[test]
    fn people_who_run_campaigns_find_agents_beside_them() {
        let layout = Layout::signed_out("Home");
        let group = |page: &str| layout.menu().iter().find(|group| group.pages().iter().any(|(name, _)| *name == page));
        assert_eq!(group("Agents").map(|group| (group.name, group.is_folded())), Some(("Work", false)));
        assert_eq!(group("API keys").map(|group| group.name), Some("Developers"));
    }

    #[test]
    fn times_are_shown_in_the_zone_of_the_account() {
        let page = |zone: Option<&str>| {
            let layout = Layout { zone: zone.map(str::to_owned), may_change: false, ..Layout::signed_out("Oops") };
            let message = "It was at 30 Nov 2026, 23:30 UTC.";
            let page = ErrorPage { layout, message, request_id: Uuid::nil(), next: ("/", "Go on") };
            rendered(&page, None).unwrap()
        };
        let shown = " title=\"30 Nov 2026, 23:30 UTC\">1 Dec 2026, 00:30\u{a0}CET</time>";
        assert!(page(Some("Europe/Berlin")).contains(shown), "{}", page(Some("Europe/Berlin")));
        assert!(page(None).contains("\">30 Nov 2026, 23:30 UTC</time>") && page(Some("x")).contains(" UTC</time>"));
    }

    #[test]
    fn a_page_below_one_of_the_menu_names_it() {
        let section = |title: &'static str, current| Layout { current, ..Layout::signed_out(title) }.section();
        assert_eq!(section("Spring", crate::kit::addresses::CAMPAIGNS), Some("Campaigns"));
        assert_eq!(section("Campaigns", crate::kit::addresses::CAMPAIGNS), None);
        assert_eq!(section("Sign in", ""), None);
    }

    #[test]
    fn the_closed_menu_says_how_many_changes_wait() {
        let page = |awaiting| {
            let layout = Layout { account: Some("Ada".to_owned()), awaiting, ..Layout::signed_out("Oops") };
            let page = ErrorPage { layout, message: "", request_id: Uuid::nil(), next: ("/", "Go on") };
            page.render().unwrap()
        };
        let badge = "<summary>Menu <span class=\"badge warn\">3<span class=\"hidden\"> waiting for approval</span></span></summary>";
        assert!(page(3).contains(badge), "{}", page(3));
        assert!(page(0).contains("<summary>Menu</summary>"), "{}", page(0));
    }

    #[test]
    fn a_person_who_only_looks_is_not_told_that_something_waits_for_them() {
        let words = |may_change| Layout { may_change, ..Layout::signed_out("Home") }.approval();
        assert_eq!((words(true), words(false)), ("your approval", "approval by an owner or a member"));
    }
}
