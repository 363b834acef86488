//! The views of the list that a person has saved: a filter, an order and columns under a name. They are the person's own, so a
//! person who only looks has them, too.

use super::filter::Filter;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::form_errors::FormError;
use crate::kit::link::Link;
use shared::domain::{MAX_VIEW_NAME, MAX_VIEWS, Person, SavedView, ViewError};
use shared::envelope::WebReply;
use shared::envelope::query::{pairs, value};
use shared::error::Error;
use shared::serve::WebRequest;

/// The fields with the name of a view to save, and with that of one to remove.
const NAME: &str = "view";
const REMOVE: &str = "remove";

/// The views above the list.
#[derive(Default)]
pub(super) struct Views {
    /// All campaigns, and each view; none without a view.
    pub(super) links: Vec<Link>,
    /// The name of the view that the list shows.
    pub(super) current: Option<String>,
    /// Whether the list can be saved as one.
    pub(super) is_new: bool,
    /// The name as the person has typed it before a refusal, and what is wrong with it.
    pub(super) typed: String,
    pub(super) problem: Option<String>,
}

impl Views {
    /// The views of a person beside a list.
    pub(super) fn of(views: &[SavedView], filter: &Filter, notice: Option<&Notice>) -> Views {
        let shown = filter.at(1).list();
        let current = views.iter().find(|view| view.query == shown);
        let link = |view: &SavedView| Link {
            text: view.name.clone(),
            path: Filter::of(&pairs(Some(&view.query))).path(),
            is_current: view.query == shown,
        };
        let all = Link { text: "All campaigns".to_owned(), path: CAMPAIGNS.to_owned(), is_current: shown.is_empty() };
        let at_name = notice.and_then(|notice| notice.errors.iter().find(|error| error.id == NAME));
        Views {
            links: if views.is_empty() {
                Vec::new()
            } else {
                [all].into_iter().chain(views.iter().map(link)).collect()
            },
            current: current.map(|view| view.name.clone()),
            is_new: current.is_none() && !shown.is_empty(),
            typed: notice
                .filter(|_| at_name.is_some())
                .and_then(|notice| notice.value(NAME))
                .unwrap_or_default()
                .to_owned(),
            problem: at_name.map(|error| error.message.clone()),
        }
    }
}

/// The person's own views.
pub(super) fn own(person: &SignedIn) -> &[SavedView] {
    record(person).map_or(&[], |own| &own.views)
}

fn record(person: &SignedIn) -> Option<&Person> {
    person.people.iter().find(|one| one.id == person.session.person)
}

/// Saves a view, or removes one.
pub(crate) async fn save(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let list = Filter::of_form(&form).at(1);
    let known = own(person);
    let (views, words) = match value(&form, REMOVE) {
        Some(name) => {
            let left: Vec<SavedView> = known.iter().filter(|view| view.name != name).cloned().collect();
            // As by the first request of a double click.
            (left, format!("The view “{name}” is removed."))
        }
        None => match added(known, value(&form, NAME).unwrap_or_default(), list.list()) {
            Ok(added) => added,
            Err(error) => {
                return Ok(Notice::wrong(vec![FormError::new(NAME, problem(error))], &form).then(list.path()));
            }
        },
    };
    let is_saved = match record(person) {
        _ if views == known => true,
        Some(own) => request.app.store.set_views(person.customer(), own, &views).await?,
        None => false,
    };
    Ok(if is_saved {
        Notice::success(words).then(list.path())
    } else {
        let message = "Your views were changed elsewhere at the same time. Nothing is saved; try again.";
        Notice { message: message.to_owned(), ..Notice::default() }.then(list.path())
    })
}

/// The views with a new one, and what the page says of it.
fn added(known: &[SavedView], name: &str, query: String) -> Result<(Vec<SavedView>, String), ViewError> {
    let view = SavedView::new(name, query)?;
    let is_renewed = known.iter().any(|other| other.name == view.name && *other != view);
    let words = if is_renewed {
        format!("The view “{}” shows this list now.", view.name)
    } else {
        format!("The view “{}” is saved. It stands above the list, for you alone.", view.name)
    };
    Ok((view.added_to(known)?, words))
}

fn problem(error: ViewError) -> String {
    match error {
        ViewError::NoName => "Write a name for the view.".to_owned(),
        ViewError::LongName => format!("The name has more than {MAX_VIEW_NAME} characters."),
        ViewError::HiddenName => "The name has a character that cannot be seen. Type it anew.".to_owned(),
        ViewError::LongQuery => "The search or a filter is too long to be saved. Shorten it.".to_owned(),
        ViewError::TooMany => format!("You have {MAX_VIEWS} views. Open one and remove it first."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    fn view(name: &str, query: &str) -> SavedView {
        SavedView::new(name, query.to_owned()).unwrap()
    }

    fn shown(views: &[SavedView], query: &str) -> Views {
        Views::of(views, &Filter::of(&pairs(Some(query))), None)
    }

    #[test]
    fn the_view_that_the_list_shows_is_marked_and_another_list_can_be_saved() {
        let views = [view("Fast", "status=TOO_FAST"), view("Short", "cols=today.week")];
        let marked = |query: &str| {
            let shown = shown(&views, query);
            let marked: Vec<String> =
                shown.links.into_iter().filter(|link| link.is_current).map(|link| link.text).collect();
            (marked.concat(), shown.current, shown.is_new)
        };
        assert_eq!(marked(""), ("All campaigns".to_owned(), None, false));
        assert_eq!(marked("status=TOO_FAST&page=2"), ("Fast".to_owned(), Some("Fast".to_owned()), false));
        assert_eq!(marked("cols=week&cols=today").1.as_deref(), Some("Short"));
        assert_eq!(marked("status=PAUSED"), (String::new(), None, true));
        assert_eq!(shown(&views, "").links[1].path, "/dashboard/campaigns?status=TOO_FAST");
        assert!(shown(&[], "status=PAUSED").links.is_empty() && shown(&[], "status=PAUSED").is_new);
    }

    #[test]
    fn a_stored_view_leads_to_no_other_page() {
        let view = SavedView { name: "a".to_owned(), query: "to=//example.com/&q=a".to_owned() };
        assert_eq!(shown(&[view], "").links[1].path, "/dashboard/campaigns?q=a");
    }

    #[test]
    fn a_name_that_is_refused_stands_in_the_form() {
        let values = form(&[(NAME, "  "), ("list", "q=a")]);
        let notice = Notice::wrong(vec![FormError::new(NAME, problem(ViewError::NoName))], &values);
        let filter = Filter::of(&pairs(Some("q=a")));
        let views = Views::of(&[], &filter, Some(&notice));
        assert_eq!((views.typed.as_str(), views.problem.as_deref()), ("  ", Some("Write a name for the view.")));
        let (saved, words) = added(&[view("a", "q=b")], "a", "q=c".to_owned()).unwrap();
        assert_eq!((saved, words.as_str()), (vec![view("a", "q=c")], "The view “a” shows this list now."));
    }
}
