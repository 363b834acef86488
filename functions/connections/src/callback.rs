//! `GET /v1/oauth/callback/{platform}`: the user comes back from the consent page. No API key: the single-use
//! state says whose authorization it is. Every refusal is a page, because a person reads it.

use crate::authorize::{VERIFIER_FIELD, hash_of};
use secrecy::SecretString;
use shared::domain::{ConnectionId, Grant, GrantId, Links, Platform};
use shared::envelope::{Page, PageOutcome, Reply};
use shared::error::{Error, Kind};
use shared::platforms::adapter;
use shared::platforms::oauth::CodeExchange;
use shared::serve::PublicCall;
use shared::store::{Authorization, NewConnection};
use shared::tokens::{Caller, seal_tokens};
use shared::vault::Binding;

/// Finishes an authorization and shows how it went.
pub(crate) async fn callback(call: &PublicCall) -> Result<Reply, Error> {
    let platform = call.platform()?;
    let page = match finish(call, platform).await {
        Ok(page) => page,
        Err(error) => {
            tracing::warn!(request_id = %call.request_id, %platform, %error, source = error.source, "callback refused");
            refusal(&error)
        }
    };
    Ok(Reply::Page(page))
}

async fn finish(call: &PublicCall, platform: Platform) -> Result<Page, Error> {
    // Read before the state is used up: a malformed callback does not burn it.
    let code_parameter = adapter(platform).code_parameter();
    let answer = ConsentAnswer::read(&call.query, code_parameter)?;
    let store = &call.app.store;
    let state_hash = hash_of(&answer.state);
    let authorization = store.take_authorization(&state_hash, platform, call.now).await?.ok_or_else(|| {
        Error::new(Kind::Validation, "This authorization is unknown, has been used, or is older than 10 minutes.")
    })?;
    match answer.verdict {
        Verdict::Denied => {
            store.drop_pending(authorization.customer, &authorization.connection).await?;
            Ok(denied(platform))
        }
        Verdict::Granted(code) => connect(call, &authorization, &code).await,
    }
}

/// Exchanges the code and connects every ad account that the consent covers.
async fn connect(call: &PublicCall, authorization: &Authorization, code: &SecretString) -> Result<Page, Error> {
    let Authorization { customer, platform, .. } = *authorization;
    let links = Links::default();
    let caller = Caller { app: &call.app, customer, links: &links, now: call.now, deadline: call.deadline };
    let (adapter, peer) = caller.reach(platform)?;

    let bound_to = customer.to_string();
    let binding = Binding { customer: &bound_to, record: &authorization.state_hash, field: VERIFIER_FIELD };
    let verifier = call.app.vault.open(binding, &authorization.verifier).map_err(Error::internal)?;
    let exchange = CodeExchange { code, redirect_uri: &authorization.redirect_uri, verifier: &verifier };
    let tokens = adapter.exchange(&peer, exchange).await?;
    let accounts = adapter.accounts(&peer, &tokens.access_token).await?;
    if accounts.is_empty() {
        let message = "The consent covers no ad account that can hold campaigns. Choose one and try again.";
        return Err(Error::new(Kind::Forbidden, message).on(platform));
    }

    let grant = seal_tokens(&call.app, customer, &unsealed_grant(platform, call), &tokens)?;
    // A caller who polls the PENDING connection sees it become the first new one.
    let ids = std::iter::once(authorization.connection.clone()).chain(std::iter::repeat_with(ConnectionId::generate));
    let connections: Vec<NewConnection> =
        accounts.into_iter().zip(ids).map(|(account, id)| NewConnection { id, account }).collect();
    let store = &call.app.store;
    store.connect(customer, platform, &grant, &connections, &authorization.connection, call.now).await?;
    drop_unused_grants(call, authorization).await;

    let owner = store.account(customer).await?.map_or_else(|| bound_to.clone(), |account| account.customer.email);
    Ok(connected(platform, &connections, &owner))
}

/// A record for tokens that are about to be sealed into it.
fn unsealed_grant(platform: Platform, call: &PublicCall) -> Grant {
    Grant {
        id: GrantId::generate(),
        platform,
        access_token: String::new(),
        access_expires_at: call.now,
        access_ttl_s: 0,
        refresh_token: None,
        version: 0,
    }
}

/// Accounts that were connected before have moved to the new grant; what no connection uses any more goes.
/// Tokens are not revoked at the platform: one user's revocation there may end the new grant too.
async fn drop_unused_grants(call: &PublicCall, authorization: &Authorization) {
    let store = &call.app.store;
    let outcome = async {
        let links = store.links(authorization.customer, call.now).await?;
        let is_used =
            |grant: &&Grant| links.connections.iter().any(|connection| connection.grant_id.as_ref() == Some(&grant.id));
        for grant in links.grants.iter().filter(|grant| !is_used(grant)) {
            store.delete_grant(authorization.customer, &grant.id).await?;
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = outcome.await {
        tracing::warn!(customer = %authorization.customer, %error, "unused grants were not removed");
    }
}

/// What a consent page sends back.
struct ConsentAnswer {
    state: SecretString,
    verdict: Verdict,
}

enum Verdict {
    Granted(SecretString),
    Denied,
}

impl ConsentAnswer {
    /// Platforms add parameters of their own, which are let be; the ones that count must be there once.
    fn read(query: &[(String, String)], code_parameter: &str) -> Result<ConsentAnswer, Error> {
        let state = single(query, "state")?.filter(|state| is_state(state));
        let state = state.ok_or_else(|| Error::field("state", "is missing or malformed"))?;
        let verdict = match (single(query, code_parameter)?, single(query, "error")?) {
            (Some(code), None) if !code.is_empty() => Verdict::Granted(code.into()),
            (None, Some(_)) => Verdict::Denied,
            _ => return Err(Error::field(code_parameter, "must be given, or else error")),
        };
        Ok(ConsentAnswer { state: state.into(), verdict })
    }
}

fn single<'a>(query: &'a [(String, String)], name: &str) -> Result<Option<&'a str>, Error> {
    let mut values = query.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Error::field(name, "is given twice")),
    }
}

/// States are 43 characters of base64url: anything else was not ours.
fn is_state(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn connected(platform: Platform, connections: &[NewConnection], owner: &str) -> Page {
    let mut paragraphs = vec![format!("Now connected to the Unified Ads customer {owner}:")];
    paragraphs.extend(connections.iter().map(|new| {
        let account = &new.account;
        format!("{}: {} ({}, {})", platform.display_name(), account.name, account.id, account.currency.code())
    }));
    paragraphs
        .push("If that is not you, revoke the access at the platform. Otherwise you can close this page.".to_owned());
    Page { outcome: PageOutcome::Done, title: "Connected".to_owned(), paragraphs }
}

fn denied(platform: Platform) -> Page {
    let paragraphs = vec![format!(
        "You did not give access to {}. Nothing was connected; you can close this page.",
        platform.display_name()
    )];
    Page { outcome: PageOutcome::Done, title: "Not connected".to_owned(), paragraphs }
}

fn refusal(error: &Error) -> Page {
    let outcome = match error.kind {
        Kind::Internal => PageOutcome::Failed,
        Kind::PlatformFailed | Kind::PlatformTimeout => PageOutcome::PlatformFailed,
        _ => PageOutcome::Refused,
    };
    let reason = match error.kind {
        Kind::Validation if !error.details.is_empty() => "The address is not one that a consent page leads to.",
        // The code was not taken: used already, expired, or issued for something else.
        Kind::TokenExpired => "The platform did not accept the authorization code.",
        _ => &error.message,
    };
    let again = "Nothing was connected. Ask for a new authorization link and try again.".to_owned();
    Page { outcome, title: "Not connected".to_owned(), paragraphs: vec![reason.to_owned(), again] }
}
