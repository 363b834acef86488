//! Creates endpoints and replaces their secrets. A new secret is shown once, on the page of its endpoint.

use super::actions;
use super::form::{CONTROLS, EndpointBody, url};
use crate::client::api::Api;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{fields_to_show_again, secret_form, with_secret};
use crate::client::session::SignedIn;
use crate::client::webhooks::{self, NewSecret};
use crate::kit::addresses::{WEBHOOKS, webhook};
use crate::pages::kept_form::recent_first;
use shared::envelope::WebReply;
use shared::error::Error;
use shared::serve::WebRequest;

/// The name that binds a new secret to the notice that shows it.
pub(super) const NEW_SECRET: &str = "webhook_secret";

/// Creates an endpoint.
pub(crate) async fn create(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let api = Api::new(request, person).of_form(secret_form(request, &form));
    match webhooks::create(&api, &EndpointBody::of(&form, Some(url(&form)))).await {
        Ok(made) => Ok(show_once("The endpoint is created and receives events from now on.", &made)),
        Err(refusal) => {
            let kept = fields_to_show_again(&refusal, form);
            Ok(Notice::refused(refusal, CONTROLS, &kept).then(WEBHOOKS))
        }
    }
}

/// Replaces the secret of an endpoint.
pub(crate) async fn rotate(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let api = Api::new(request, person).of_form(secret_form(request, &form));
    match webhooks::rotate_secret(&api, actions::id(&form)).await {
        Ok(made) => Ok(show_once("The secret is replaced. For 24 hours the old one signs, too.", &made)),
        Err(refusal) => Ok(actions::refused(refusal, &form, &[])),
    }
}

fn show_once(message: &str, made: &NewSecret) -> WebReply {
    with_secret(Notice::success(message), NEW_SECRET, made.secret.reveal()).then(webhook(made.endpoint.as_str()))
}
