//! The choices of the form of a consent, and what they are from the start.

use super::earlier::{self, Earlier, earlier, sum_of_assistants};
use crate::client::accounts;
use crate::client::api::Api;
use crate::client::assistants;
use crate::client::connect_request::{ConnectRequest, MAY};
use crate::client::limit_form;
use crate::client::one_time_secret::token;
use crate::client::session::SignedIn;
use crate::kit::addresses::OF_USER;
use crate::kit::limit::LimitForm;
use crate::pages::layout::{self, Layout};
use shared::domain::{MAX_ASSISTANTS, Scope};
use shared::error::Error;
use shared::serve::WebRequest;

/// The choices of the form beside the limit.
#[derive(Default)]
pub(super) struct Choices {
    /// Makes a double click or a reload make one key.
    pub(super) form_key: String,
    /// The chosen scope: `read` or `campaigns`.
    pub(super) may: &'static str,
    /// The user for whom alone it acts, as a person filled it in; empty for the whole account.
    pub(super) user: String,
    /// The assistants that may be connected anew.
    pub(super) earlier: Vec<Earlier>,
    /// Whether the program asks for more than an earlier consent gave.
    pub(super) asks_for_more: bool,
    /// Whether no further assistant may be connected, and the most that there can be.
    pub(super) is_full: bool,
    pub(super) most: usize,
    /// What all assistants together may run.
    pub(super) sum: Option<String>,
}

/// Reads the form of a limit and the choices beside it: as the person filled them in, those of an earlier consent, or none.
pub(super) async fn read(
    request: &WebRequest,
    person: &SignedIn,
    asked: &ConnectRequest,
    layout: &Layout,
) -> Result<(LimitForm, Choices), Error> {
    let (api, store, keys) = (Api::new(request, person), &request.app.store, &person.account.keys);
    let (spendings, connections, assistants) = tokio::join!(
        store.spendings(person.customer(), keys),
        accounts::connections(&api),
        assistants::all(request, person),
    );
    let (spendings, assistants) = (spendings?, assistants?);
    let connections = connections.map_err(layout::failed)?;
    let own = assistants.iter().filter(|one| earlier::is_same(one, &person.session.person, asked));
    let earlier = earlier(own, keys.all(), &spendings, layout, request.now);
    let chosen = earlier.iter().find(|one| one.is_chosen);
    let notice = layout.notice.as_ref().filter(|notice| !notice.values.is_empty());
    let form = match chosen.filter(|_| notice.is_none()) {
        Some(chosen) if chosen.scope == Scope::Read => limit_form::of(None, None, &connections).ticking(&chosen.limit),
        Some(chosen) => limit_form::of(None, Some(&chosen.limit), &connections),
        None => limit_form::of(notice, None, &connections),
    };
    // The page chooses the least from the start, also for a program that asks for more.
    let only_looks = chosen.is_none_or(|chosen| chosen.scope == Scope::Read);
    let may = match layout.value(MAY).and_then(Scope::parse) {
        Some(Scope::Read) => Scope::Read,
        None if only_looks => Scope::Read,
        _ => Scope::Campaigns,
    };
    let of_chosen = chosen.filter(|_| notice.is_none()).map(|chosen| chosen.user.as_str());
    let user = of_chosen.or_else(|| layout.value(OF_USER)).unwrap_or_default().to_owned();
    let choices = Choices {
        user,
        form_key: token(layout.notice.as_ref()),
        may: may.as_str(),
        asks_for_more: !asked.only_looks && chosen.is_some_and(|chosen| chosen.scope == Scope::Read),
        is_full: keys.are_all_assistants_taken(),
        most: MAX_ASSISTANTS,
        sum: sum_of_assistants(keys.all(), &spendings, request.now),
        earlier,
    };
    Ok((form.optional(), choices))
}
