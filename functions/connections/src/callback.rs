//! `GET /v1/oauth/callback/{platform}`: the user comes back from the consent page. No API key: the single-use
//! state says whose authorization it is. The end is a page, because a person reads it, or the caller's own address.

use crate::authorize::{VERIFIER_FIELD, hash_of};
use secrecy::SecretString;
use shared::domain::{AdAccount, ConnectionId, CustomerId, Grant, GrantId, Links, Platform, RedirectUri};
use shared::envelope::{Ending, Page, PageOutcome, Reply, SendBack};
use shared::error::{Error, Kind};
use shared::platforms::oauth::CodeExchange;
use shared::platforms::{AdPlatform, adapter};
use shared::serve::PublicCall;
use shared::store::{Authorization, NewConnection};
use shared::tokens::{Caller, seal_tokens};
use shared::vault::Binding;

/// Finishes an authorization and shows how it went.
pub(crate) async fn callback(call: &PublicCall) -> Result<Reply, Error> {
    let platform = call.platform()?;
    let refused = |error: &Error| {
        tracing::warn!(request_id = %call.request_id, %platform, %error, source = error.source, "callback refused");
        refusal(error)
    };
    let (authorization, verdict) = match take(call, platform).await {
        Ok(taken) => taken,
        Err(error) => return Ok(Reply::Page(refused(&error))),
    };
    let end = finish(call, &authorization, verdict).await;
    let (page, ending) = end.unwrap_or_else(|error| (refused(&error), Ending::Failed(error.kind)));
    Ok(match way_back(call, &authorization).await {
        Some(to) => Reply::SendBack(SendBack { to, ending }),
        None => Reply::Page(page),
    })
}

/// What the state stands for, which is used up by this.
async fn take(call: &PublicCall, platform: Platform) -> Result<(Authorization, Verdict), Error> {
    // Read before the state is used up: a malformed callback does not burn it.
    let answer = ConsentAnswer::read(&call.query, adapter(platform))?;
    let store = &call.app.store;
    let state_hash = hash_of(&answer.state);
    let authorization = store.take_authorization(&state_hash, platform, call.now).await?.ok_or_else(|| {
        Error::new(Kind::Validation, "This authorization is unknown, has been used, or is older than 10 minutes.")
    })?;
    Ok((authorization, answer.verdict))
}

/// Where the caller wants the user sent, as long as that is registered.
async fn way_back(call: &PublicCall, authorization: &Authorization) -> Option<RedirectUri> {
    let wanted = authorization.return_to.as_ref()?;
    let registered = call.app.store.redirect_uris(authorization.customer).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %call.request_id, %error, source = error.source, "redirect URIs were not read");
        Vec::new()
    });
    registered.iter().any(|known| known.uri.matches(wanted.as_str())).then(|| wanted.clone())
}

async fn finish(call: &PublicCall, authorization: &Authorization, verdict: Verdict) -> Result<(Page, Ending), Error> {
    let (store, platform) = (&call.app.store, authorization.platform);
    match verdict {
        Verdict::Denied => {
            store.drop_pending(authorization.customer, &authorization.connection).await?;
            Ok((denied(platform), Ending::Denied))
        }
        Verdict::Failed(code) => {
            store.drop_pending(authorization.customer, &authorization.connection).await?;
            let message = format!("{} could not ask for your consent ({code}).", platform.display_name());
            Err(Error::new(Kind::Forbidden, message).on(platform))
        }
        Verdict::Granted(code) => {
            // Asked before the code is spent: what nobody waits for is not fetched.
            let links = store.links(authorization.customer, call.now).await?;
            links.connection(&authorization.connection.0).ok_or_else(|| withdrawn(platform))?;
            connect(call, authorization, &code).await
        }
    }
}

/// Exchanges the code and connects every ad account that the consent covers.
async fn connect(
    call: &PublicCall,
    authorization: &Authorization,
    code: &SecretString,
) -> Result<(Page, Ending), Error> {
    let Authorization { customer, platform, .. } = *authorization;
    let store = &call.app.store;
    let links = Links::default();
    let (now, deadline) = (call.now, call.deadline);
    let caller = Caller { app: &call.app, outbound: &call.app.outbound, customer, links: &links, now, deadline };
    let (adapter, peer) = caller.reach(platform)?;

    let bound_to = customer.to_string();
    let binding = Binding { customer: &bound_to, record: &authorization.state_hash, field: VERIFIER_FIELD };
    let verifier = call.app.keys.open(binding, &authorization.verifier).await.map_err(Error::internal)?;
    let exchange = CodeExchange { code, redirect_uri: &authorization.redirect_uri, verifier: &verifier };
    let tokens = adapter.exchange(&peer, exchange).await?;
    let accounts = adapter.accounts(&peer, &tokens.access_token).await?;
    if accounts.is_empty() {
        let message = "The consent covers no ad account that can hold campaigns. Choose one and try again.";
        return Err(Error::new(Kind::Forbidden, message).on(platform));
    }

    let grant = seal_tokens(&call.app, customer, &unsealed_grant(platform, call), &tokens, call.now).await?;
    let before = store.links(customer, call.now).await?;
    let connections = new_connections(accounts, &before, authorization);
    if !store.connect(customer, platform, &grant, &connections, &authorization.connection, call.now).await? {
        caller.give_back(platform, &tokens).await;
        return Err(withdrawn(platform));
    }

    // Connected: what follows may fail without changing that.
    drop_replaced_grants(call, customer, &before).await;
    let account = store.account(customer).await.unwrap_or_else(|error| {
        tracing::warn!(%customer, %error, "the customer was not read");
        None
    });
    let owner = account.map_or(bound_to, |account| account.customer.email);
    let named = named_connection(&connections, &before, authorization);
    Ok((connected(platform, &connections, &owner), Ending::Connected(named)))
}

/// The refusal of a callback whose PENDING connection was removed.
fn withdrawn(platform: Platform) -> Error {
    Error::new(Kind::Validation, "This authorization was withdrawn before it was finished.").on(platform)
}

/// A connection for each account. The first one that was not connected before takes the PENDING one's id and label,
/// so that a caller who polls that id sees it become a connection.
fn new_connections(accounts: Vec<AdAccount>, before: &Links, authorization: &Authorization) -> Vec<NewConnection> {
    let label = before.connection(&authorization.connection.0).and_then(|pending| pending.label.clone());
    let mut pending = Some((authorization.connection.clone(), label));
    let is_known = |account: &AdAccount| {
        let mut same = before.connections.iter().filter(|known| known.platform == authorization.platform);
        same.any(|known| known.account_id() == account.id)
    };
    let with_id = |account: AdAccount| {
        let taken = if is_known(&account) { None } else { pending.take() };
        let (id, label) = taken.unwrap_or_else(|| (ConnectionId::generate(), None));
        NewConnection { id, label, account }
    };
    accounts.into_iter().map(with_id).collect()
}

/// The one of several connections that the caller is told: the one that he saw PENDING, else the first by account, all
/// of which were there before.
fn named_connection(connections: &[NewConnection], before: &Links, authorization: &Authorization) -> ConnectionId {
    let pending = &authorization.connection;
    let is_among = |account: &str| connections.iter().any(|new| new.account.id == account);
    let mut known = before.connections.iter().filter(|known| known.platform == authorization.platform);
    let first = known.find(|known| is_among(known.account_id())).map(|known| &known.id);
    if connections.iter().any(|new| new.id == *pending) { pending.clone() } else { first.unwrap_or(pending).clone() }
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
        ended: false,
    }
}

/// Accounts that were connected before have moved to the new grant; an older grant that no connection uses any more
/// goes. Only those that were there before: another callback may just be storing its own. Tokens are not revoked at
/// the platform, where one user's revocation may end the new grant too.
async fn drop_replaced_grants(call: &PublicCall, customer: CustomerId, before: &Links) {
    let store = &call.app.store;
    let outcome = async {
        let links = store.links(customer, call.now).await?;
        let is_used = |grant: &&Grant| links.connections.iter().any(|known| known.grant_id.as_ref() == Some(&grant.id));
        for grant in before.grants.iter().filter(|grant| !is_used(grant)) {
            store.delete_grant(customer, &grant.id).await?;
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = outcome.await {
        tracing::warn!(%customer, %error, "replaced grants were not removed");
    }
}

/// What a consent page sends back.
struct ConsentAnswer {
    state: SecretString,
    verdict: Verdict,
}

enum Verdict {
    Granted(SecretString),
    /// The user said no.
    Denied,
    /// The platform did not get as far as asking, for this reason.
    Failed(String),
}

/// What platforms call a user's no: RFC 6749 4.1.2.1, and LinkedIn's own two.
const DENIALS: [&str; 3] = ["access_denied", "user_cancelled_authorize", "user_cancelled_login"];

impl ConsentAnswer {
    /// Platforms add parameters of their own, which are let be; the ones that count must be there once. An issuer that
    /// is not the platform's is an answer of another server to our request (RFC 9207 2.4).
    fn read(query: &[(String, String)], adapter: &dyn AdPlatform) -> Result<ConsentAnswer, Error> {
        if let Some(issuer) = adapter.issuer()
            && single(query, "iss")?.is_some_and(|said| said != issuer)
        {
            return Err(Error::field("iss", "is not the issuer that was asked for consent"));
        }
        let code_parameter = adapter.code_parameter();
        let state = single(query, "state")?.filter(|state| is_state(state));
        let state = state.ok_or_else(|| Error::field("state", "is missing or malformed"))?;
        let verdict = match (single(query, code_parameter)?, single(query, "error")?) {
            (Some(code), None) if is_visible(code) => Verdict::Granted(code.into()),
            (None, Some(error)) if DENIALS.contains(&error) => Verdict::Denied,
            (None, Some(error)) if is_visible(error) => Verdict::Failed(error.chars().take(100).collect()),
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

/// Codes and errors are visible ASCII characters (RFC 6749 A.7, A.11), and none that a platform makes is this long.
fn is_visible(text: &str) -> bool {
    (1..=4096).contains(&text.len()) && text.bytes().all(|byte| (0x20..=0x7e).contains(&byte))
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
