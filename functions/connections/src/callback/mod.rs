//! `callback`: the platform's consent page redirects the user here. There is no API key; the single-use `state`
//! identifies the authorization. The response is a page, or a redirect to the caller's own page.

mod consent_response;
mod pages;

use crate::authorize::{DASHBOARD_PAGE, hash_of, is_dashboard_page};
use crate::confirm::hold_consent;
use crate::connect::{connect, delete_pending, withdrawn_error};
use consent_response::{ConsentOutcome, ConsentResponse};
use shared::auth::only_looks;
use shared::domain::{Platform, Reason, RedirectUri};
use shared::envelope::{AuthorizationOutcome, CallbackRedirect, Page, Reply};
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::serve::ApiRequest;
use shared::skipped_names::SkippedNames;
use shared::store::{Authorization, ConnectionRef, ReturnTarget};

/// Completes an authorization and shows its outcome.
pub(crate) async fn callback(request: &ApiRequest) -> Result<Reply, Error> {
    let platform = request.platform()?;
    let (authorization, consent) = match take_authorization(request, platform).await {
        Ok(taken) => taken,
        Err(error) => {
            let (page, outcome) = failed(request, platform, &error);
            return Ok(match dashboard_page(request) {
                Some(uri) => {
                    // As the dashboard's own authorizations have it.
                    let state = Some(platform.as_str().to_owned());
                    Reply::Redirect(CallbackRedirect { uri, outcome, external_ref: None, state, skipped_names: None })
                }
                None => Reply::Page(page),
            });
        }
    };
    let return_target = return_target(request, &authorization).await;
    let completed = complete(request, &authorization, return_target, consent).await;
    let (page, outcome) = completed.unwrap_or_else(|error| failed(request, platform, &error));
    if !outcome.has_consent() {
        delete_pending(request, &authorization).await;
    }
    Ok(match return_target.cloned() {
        Some(ReturnTarget { uri, state, .. }) => {
            let external_ref = authorization.external_ref.clone();
            let skipped_names = skipped_names(request, &authorization, &uri, &outcome).await;
            Reply::Redirect(CallbackRedirect { uri, outcome, external_ref, state, skipped_names })
        }
        None => Reply::Page(page),
    })
}

/// The names of the accounts that were left out, sealed. Only the dashboard can open them: a caller has `confirmConnection`.
async fn skipped_names(
    request: &ApiRequest,
    authorization: &Authorization,
    uri: &RedirectUri,
    outcome: &AuthorizationOutcome,
) -> Option<String> {
    let AuthorizationOutcome::Connected { skipped, .. } = outcome else { return None };
    if !is_dashboard_page(request, uri.as_str()) {
        return None;
    }
    SkippedNames::of(skipped).seal(request.app.vault().ok()?, authorization.customer).await
}

/// The page and the redirect of an authorization that failed.
fn failed(request: &ApiRequest, platform: Platform, error: &Error) -> (Page, AuthorizationOutcome) {
    let request_id = request.request_id;
    tracing::warn!(%request_id, %platform, %error, source = error.source, "callback refused");
    if error.is_for_operator {
        let code = error.platform_code();
        tracing::error!(%request_id, %platform, code, %error, "a platform refuses this service itself");
    }
    (pages::error(error), AuthorizationOutcome::failed(error, &pages::reason(error)))
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

/// The caller's return target, if it leads to the dashboard or is still registered.
async fn return_target<'a>(request: &ApiRequest, authorization: &'a Authorization) -> Option<&'a ReturnTarget> {
    let asked = authorization.return_to.as_ref()?;
    if is_dashboard_page(request, asked.uri.as_str()) {
        return Some(asked);
    }
    let registered = request.app.store.redirect_uris(authorization.customer).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %request.request_id, %error, source = error.source, "redirect URIs not read");
        Vec::new()
    });
    registered.iter().any(|known| known.uri.matches(asked.uri.as_str())).then_some(asked)
}

/// The page of the dashboard, if a person is signed in whose authorization is not known any more, such as that of a used
/// link.
fn dashboard_page(request: &ApiRequest) -> Option<RedirectUri> {
    request.session.as_ref()?;
    let page = request.public_url(DASHBOARD_PAGE).ok()?;
    RedirectUri::parse(&page).ok()
}

/// Refuses a consent that was begun in the dashboard and ends in a browser without a session of the same customer: a
/// stranger who was sent the link would give away their accounts (D89). Nor does it connect anything for a person who
/// only looks by now (D176). A caller with an API key compares its own sessions.
async fn require_same_browser(request: &ApiRequest, authorization: &Authorization) -> Result<(), Error> {
    let is_of_dashboard = |return_target: &ReturnTarget| is_dashboard_page(request, return_target.uri.as_str());
    if !authorization.return_to.as_ref().is_some_and(is_of_dashboard) {
        return Ok(());
    }
    let (customer, store) = (authorization.customer, &request.app.store);
    let signed_in = match request.session.as_ref().filter(|token| token.customer() == customer) {
        Some(token) => store.signed_in(customer, &token.hash(), request.now).await?,
        None => None,
    };
    match signed_in {
        Some(person) if person.role.may_change() => Ok(()),
        Some(_) => Err(only_looks().on(authorization.platform)),
        None => {
            let message = "This authorization was begun in another browser, or you have signed out since.";
            Err(Error::new(Kind::Validation, message).on(authorization.platform))
        }
    }
}

async fn complete(
    request: &ApiRequest,
    authorization: &Authorization,
    return_target: Option<&ReturnTarget>,
    consent: ConsentOutcome,
) -> Result<(Page, AuthorizationOutcome), Error> {
    let store = &request.app.store;
    let platform = authorization.platform;
    let customer = authorization.customer;
    match consent {
        ConsentOutcome::Denied => Ok((pages::denied(platform), AuthorizationOutcome::Denied)),
        ConsentOutcome::Failed(words) => {
            let message = format!("{} could not show its consent page ({words}).", platform.display_name());
            Err(Error::new(Kind::Forbidden, message).because(Reason::PlatformAccessDenied).on(platform))
        }
        ConsentOutcome::Granted(code) => {
            require_same_browser(request, authorization).await?;
            // Checked before the exchange: the tokens of a withdrawn authorization would be useless.
            let name = [ConnectionRef::Id(authorization.connection.0.clone())];
            let (pending, account) = tokio::join!(
                store.named_connections(customer, &name, request.now),
                store.account(customer, request.now)
            );
            pending?.connection(&authorization.connection.0).ok_or_else(|| withdrawn_error(platform))?;
            let owner = account?.ok_or_else(|| Error::internal("no customer"))?.customer;
            if authorization.return_to.as_ref().is_some_and(|asked| asked.needs_confirmation) {
                // Without a return target nobody could confirm.
                return_target.ok_or_else(|| withdrawn_error(platform))?;
                return Ok((pages::held(platform), hold_consent(request, authorization, &code).await?));
            }
            let connected = connect(request, authorization, &code, &owner).await?;
            let page = pages::connected(platform, &connected, &owner);
            let all = connected.connections.into_iter().map(|new| new.id).collect();
            Ok((page, AuthorizationOutcome::Connected { id: connected.id, all, skipped: connected.skipped }))
        }
    }
}
