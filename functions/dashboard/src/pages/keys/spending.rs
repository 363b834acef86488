//! What a key with a limit has added to campaigns, and a button that takes each out of the count.

use crate::client::api::Refusal;
use crate::client::keys::{limited_key, no_limit};
use crate::client::notice::Notice;
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use crate::kit::addresses::{KEYS, key_spending, sign_in_again};
use crate::kit::limit::{CountedRow, LimitBar, bars, counted};
use crate::pages::layout::{self, Layout};
use askama::Template;
use shared::domain::spending::Spender;
use shared::domain::{CampaignId, KeyId};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

#[derive(Template)]
#[template(path = "pages/keys/key_spending.html")]
struct SpendingPage {
    layout: Layout,
    key: String,
    name: String,
    bars: Vec<LimitBar>,
    rows: Vec<CountedRow>,
    /// Whether the person signed in recently enough to take something out of the count.
    is_recent: bool,
    sign_in_again: String,
}

/// Shows the page.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let key = limited_key(person, &request.query)?;
    let spender = Spender::Key(key.id.clone());
    let (spending, overview) = tokio::join!(
        request.app.store.spending(person.customer(), &spender),
        Overview::read(request, person, key.external_ref.as_ref())
    );
    let spending = spending?.ok_or_else(no_limit)?;
    // Without it the campaigns have no names.
    let (overview, now) = (overview.unwrap_or_default(), request.now);
    let template = SpendingPage {
        layout: Layout::signed_in(request, "What a key runs", KEYS, person),
        bars: bars(&spending, now),
        rows: counted(&spending, overview.campaigns(), now),
        is_recent: person.session.is_recent(now),
        sign_in_again: sign_in_again(&key_spending(&key.id.0)),
        key: key.id.0.clone(),
        name: key.name.clone(),
    };
    Ok(layout::show(request, &template))
}

/// Takes out of the count what a key has added to the campaign of a form.
pub(crate) async fn free(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let key: KeyId = limited_key(person, &form)?.id.clone();
    let page = key_spending(&key.0);
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(&page)));
    }
    let campaign = value(&form, "campaign").and_then(CampaignId::parse).ok_or_else(no_limit)?;
    let freed = request.app.store.free_contribution(person.customer(), &Spender::Key(key), &campaign).await;
    Ok(match freed {
        Ok(true) => Notice::success("It does not count any more: the key may add as much elsewhere."),
        Ok(false) => Notice {
            message: "A change of the campaign is under way. Try again when it has its outcome.".to_owned(),
            ..Notice::default()
        },
        Err(error) => Notice::failure(Refusal::of(&error, request), &[]),
    }
    .then(page))
}
