//! The page that changes the limit of a key.

use crate::client::accounts;
use crate::client::api::Api;
use crate::client::keys::{self, limited_key, no_limit, wrong_in_limit};
use crate::client::limit_form;
use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::{AGENTS, agent_limit, sign_in_again};
use crate::kit::limit::{CONTROLS, LimitForm, has_one_currency, limit_of};
use crate::kit::text::isolated;
use crate::pages::kept_form::recent_first;
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::spending::Spender;
use shared::domain::{ApiKeyInfo, Scope, SpendingLimit};
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/agents/agent_limit.html")]
struct LimitPage {
    layout: Layout,
    key: String,
    name: String,
    form: LimitForm,
    /// Whether it has none yet.
    is_new: bool,
    /// Whether the form can hold the limit.
    is_editable: bool,
    /// Whether the person signed in recently enough to change it.
    is_recent: bool,
    sign_in_again: String,
}

/// Shows the page.
pub(crate) async fn show_limit(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let key = limited_key(person, &request.query)?;
    let api = Api::new(request, person);
    let (limit, connections) = tokio::join!(limit_now(request, person, key), accounts::connections(&api));
    let limit = limit?;
    if limit.is_none() && !may_get_limit(key) {
        return Err(no_limit());
    }
    let connections = connections.map_err(layout::failed)?;
    let title = if limit.is_some() { "Change a limit" } else { "Give it a limit" };
    let layout = Layout::signed_in(request, title, AGENTS, person);
    let template = LimitPage {
        form: limit_form::of(layout.notice.as_ref(), limit.as_ref(), &connections),
        is_editable: limit.as_ref().is_none_or(has_one_currency),
        is_new: limit.is_none(),
        is_recent: person.session.is_recent(request.now),
        sign_in_again: sign_in_again(&agent_limit(&key.id.0)),
        key: key.id.0.clone(),
        name: key.name.clone(),
        layout,
    };
    Ok(layout::show(request, &template))
}

/// Sets the limit of a form. A higher one lets the key spend more, so the sign-in must be recent.
pub(crate) async fn set_limit(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key = limited_key(person, &form)?;
    let page = agent_limit(&key.id.0);
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let limit = limit_now(request, person, key).await?;
    let is_new = limit.is_none() && may_get_limit(key);
    // The form would drop all currencies but one.
    if !is_new && !limit.is_some_and(|limit| has_one_currency(&limit)) {
        return Ok(WebReply::see_other(page));
    }
    // A key with a limit may do nothing else: it could make another one without.
    let changes = is_new || key.scopes.contains(&Scope::Campaigns);
    let (api, limit, user) = (Api::new(request, person), limit_of(&form), key.external_ref.as_ref());
    let set = match limit_form::wrong(&api, &form, &wrong_in_limit(&limit), user, changes).await {
        Ok(errors) if !errors.is_empty() => return Ok(Notice::wrong(errors, &form).then(page)),
        Ok(_) if is_new => keys::set_consent(&api, &key.id, Scope::Campaigns, &limit).await,
        Ok(_) => keys::set_limit(&api, &key.id, &limit).await,
        Err(refusal) => Err(refusal),
    };
    let name = isolated(&key.name);
    Ok(match set {
        Ok(()) if is_new => {
            Notice::success(format!("{name} has a limit now, and only sees and changes campaigns.")).then(AGENTS)
        }
        Ok(()) => Notice::success(format!("The limit of {name} is changed. It applies from now on.")).then(AGENTS),
        Err(refusal) => Notice::refused(refusal, CONTROLS, &form).then(page),
    })
}

/// The limit of a key; `None` for a key without one.
async fn limit_now(request: &WebRequest, person: &SignedIn, key: &ApiKeyInfo) -> Result<Option<SpendingLimit>, Error> {
    let spending = request.app.store.spending(person.customer(), &Spender::Key(key.id.clone())).await?;
    // A limit that a person has taken away may still be stored.
    Ok(spending.and_then(|spending| spending.limit).filter(|_| key.is_limited))
}

/// Whether a key that has no limit may get one here.
pub(super) fn may_get_limit(key: &ApiKeyInfo) -> bool {
    !key.is_limited && !key.is_of_assistant
}
