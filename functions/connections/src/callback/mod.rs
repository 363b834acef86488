//! `callback`: the platform's consent page redirects the user here. There is no API key; the single-use `state`
//! identifies the authorization. The response is a page, or a redirect to the caller's own page.

mod connect;
mod consent_response;
mod pages;

use crate::authorize::{OWN_PAGE, hash_of, is_own_page};
use connect::{connect, withdrawn};
use consent_response::{ConsentOutcome, ConsentResponse};
use shared::domain::{Platform, Reason, RedirectUri};
use shared::envelope::{AuthorizationOutcome, CallbackRedirect, Page, Reply};
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::serve::ApiRequest;
use shared::store::{Authorization, ConnectionRef};

/// Completes an authorization and shows its outcome.
pub(crate) async fn callback(request: &ApiRequest) -> Result<Reply, Error> {
    let platform = request.platform()?;
    let error_page = |error: &Error| {
        let request_id = request.request_id;
        tracing::warn!(%request_id, %platform, %error, source = error.source, "callback refused");
        if error.is_for_operator {
            let code = error.platform_code();
            tracing::error!(%request_id, %platform, code, %error, "a platform refuses this service itself");
        }
        pages::error(error)
    };
    let (authorization, consent) = match take_authorization(request, platform).await {
        Ok(taken) => taken,
        Err(error) => {
            let (page, outcome) = (error_page(&error), AuthorizationOutcome::Failed(error.kind));
            return Ok(match own_page(request) {
                Some(uri) => Reply::Redirect(CallbackRedirect { uri, outcome, external_ref: None }),
                None => Reply::Page(page),
            });
        }
    };
    let completed = complete(request, &authorization, consent).await;
    let (page, outcome) =
        completed.unwrap_or_else(|error| (error_page(&error), AuthorizationOutcome::Failed(error.kind)));
    Ok(match return_uri(request, &authorization).await {
        Some(uri) => {
            Reply::Redirect(CallbackRedirect { uri, outcome, external_ref: authorization.external_ref.clone() })
        }
        None => Reply::Page(page),
    })
}

/// Takes the authorization that belongs to the state and deletes it, so each state works once.
async fn take_authorization(
    request: &ApiRequest,
    platform: Platform,
) -> Result<(Authorization, ConsentOutcome), Error> {
    // Parsed first, so that a malformed callback does not use up the state.
    let ConsentResponse { state, outcome } = ConsentResponse::parse(&request.query, adapter(platform))?;
    let taken = request.app.store.take_authorization(&hash_of(&state), platform, request.now).await?;
    let authorization = taken.ok_or_else(|| {
        Error::new(Kind::Validation, "This authorization is unknown, has been used, or is older than 10 minutes.")
    })?;
    Ok((authorization, outcome))
}

/// The caller's redirect URI, if it is the dashboard's or still registered.
async fn return_uri(request: &ApiRequest, authorization: &Authorization) -> Option<RedirectUri> {
    let requested = authorization.return_to.as_ref()?;
    if is_own_page(request, requested.as_str()) {
        return Some(requested.clone());
    }
    let registered = request.app.store.redirect_uris(authorization.customer).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %request.request_id, %error, source = error.source, "redirect URIs not read");
        Vec::new()
    });
    registered.iter().any(|known| known.uri.matches(requested.as_str())).then(|| requested.clone())
}

/// The page of the dashboard for a person whose consent cannot be told from its state, as that of a used link.
fn own_page(request: &ApiRequest) -> Option<RedirectUri> {
    let page = request.public_url(OWN_PAGE).ok().filter(|_| request.is_of_dashboard)?;
    RedirectUri::parse(&page).ok()
}

async fn complete(
    request: &ApiRequest,
    authorization: &Authorization,
    consent: ConsentOutcome,
) -> Result<(Page, AuthorizationOutcome), Error> {
    let store = &request.app.store;
    let platform = authorization.platform;
    let customer = authorization.customer;
    match consent {
        ConsentOutcome::Denied => {
            store.delete_pending(customer, &authorization.connection).await?;
            Ok((pages::denied(platform), AuthorizationOutcome::Denied))
        }
        ConsentOutcome::Failed(code) => {
            store.delete_pending(customer, &authorization.connection).await?;
            let message = format!("{} could not show its consent page ({code}).", platform.display_name());
            Err(Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied).on(platform))
        }
        ConsentOutcome::Granted(code) => {
            // Checked before the exchange: the tokens of a withdrawn authorization would be useless.
            let name = [ConnectionRef::Id(authorization.connection.0.clone())];
            let (pending, account) = tokio::join!(
                store.named_connections(customer, &name, request.now),
                store.account(customer, request.now)
            );
            pending?.connection(&authorization.connection.0).ok_or_else(|| withdrawn(platform))?;
            let owner = account?.ok_or_else(|| Error::internal("no customer"))?.customer;
            let connected = connect(request, authorization, &code, &owner).await?;
            let page = pages::connected(platform, &connected, &owner);
            Ok((page, AuthorizationOutcome::Connected(connected.id)))
        }
    }
}
