//! `GET /v1/oauth/callback/{platform}`: the user comes back from the consent page. No API key: the single-use
//! state says whose authorization it is. The end is a page, because a person reads it, or the caller's own address.

use crate::authorize::{VERIFIER_FIELD, hash_of};
use crate::room;
use secrecy::SecretString;
use shared::auth::disabled;
use shared::domain::{
    AdAccount, Connection, ConnectionId, Customer, CustomerConnections, Grant, GrantId, Plan, Platform, RedirectUri,
};
use shared::envelope::{Ending, Page, PageOutcome, Reply, SendBack};
use shared::error::{Error, Kind};
use shared::platforms::oauth::{CodeExchange, Tokens};
use shared::platforms::{AdPlatform, adapter};
use shared::serve::ApiRequest;
use shared::store::{Authorization, NewConnection};
use shared::tokens::{PlatformContext, seal_tokens};
use shared::vault::Binding;

/// Finishes an authorization and shows how it went.
pub(crate) async fn callback(request: &ApiRequest) -> Result<Reply, Error> {
    let platform = request.platform()?;
    let refused = |error: &Error| {
        tracing::warn!(request_id = %request.request_id, %platform, %error, source = error.source, "callback refused");
        refusal(error)
    };
    let (authorization, verdict) = match take(request, platform).await {
        Ok(taken) => taken,
        Err(error) => return Ok(Reply::Page(refused(&error))),
    };
    let end = finish(request, &authorization, verdict).await;
    let (page, ending) = end.unwrap_or_else(|error| (refused(&error), Ending::Failed(error.kind)));
    Ok(match way_back(request, &authorization).await {
        Some(to) => Reply::SendBack(SendBack { to, ending }),
        None => Reply::Page(page),
    })
}

/// What the state stands for, which is used up by this.
async fn take(request: &ApiRequest, platform: Platform) -> Result<(Authorization, Verdict), Error> {
    // Read before the state is used up: a malformed callback does not burn it.
    let answer = ConsentAnswer::read(&request.query, adapter(platform))?;
    let store = &request.app.store;
    let state_hash = hash_of(&answer.state);
    let authorization = store.take_authorization(&state_hash, platform, request.now).await?.ok_or_else(|| {
        Error::new(Kind::Validation, "This authorization is unknown, has been used, or is older than 10 minutes.")
    })?;
    Ok((authorization, answer.verdict))
}

/// Where the caller wants the user sent, as long as that is registered.
async fn way_back(request: &ApiRequest, authorization: &Authorization) -> Option<RedirectUri> {
    let wanted = authorization.return_to.as_ref()?;
    let registered = request.app.store.redirect_uris(authorization.customer).await.unwrap_or_else(|error| {
        tracing::warn!(request_id = %request.request_id, %error, source = error.source, "redirect URIs were not read");
        Vec::new()
    });
    registered.iter().any(|known| known.uri.matches(wanted.as_str())).then(|| wanted.clone())
}

async fn finish(
    request: &ApiRequest,
    authorization: &Authorization,
    verdict: Verdict,
) -> Result<(Page, Ending), Error> {
    let (store, platform) = (&request.app.store, authorization.platform);
    match verdict {
        Verdict::Denied => {
            store.delete_pending(authorization.customer, &authorization.connection).await?;
            Ok((denied(platform), Ending::Denied))
        }
        Verdict::Failed(code) => {
            store.delete_pending(authorization.customer, &authorization.connection).await?;
            let message = format!("{} could not ask for your consent ({code}).", platform.display_name());
            Err(Error::new(Kind::Forbidden, message).on(platform))
        }
        Verdict::Granted(code) => {
            // Asked before the code is spent: what nobody waits for is not fetched.
            let customer = authorization.customer;
            let (connected, owner) =
                tokio::join!(store.customer_connections(customer, request.now), store.account(customer, request.now));
            connected?.connection(&authorization.connection.0).ok_or_else(|| withdrawn(platform))?;
            let owner = owner?.ok_or_else(|| Error::internal("no customer"))?.customer;
            connect(request, authorization, &code, owner).await
        }
    }
}

/// Exchanges the code and connects every ad account that the consent covers.
async fn connect(
    request: &ApiRequest,
    authorization: &Authorization,
    code: &SecretString,
    owner: Customer,
) -> Result<(Page, Ending), Error> {
    let Authorization { customer, platform, .. } = *authorization;
    let store = &request.app.store;
    let connected = CustomerConnections::default();
    let context = PlatformContext {
        app: &request.app,
        outbound: &request.app.outbound,
        customer,
        connected: &connected,
        now: request.now,
        deadline: request.deadline,
    };
    let (adapter, call_context) = context.call_context(platform)?;
    if owner.disabled {
        store.delete_pending(customer, &authorization.connection).await?;
        return Err(disabled().on(platform));
    }

    let verifier = open_verifier(request, authorization).await?;
    let exchange = CodeExchange { code, redirect_uri: &authorization.redirect_uri, verifier: &verifier };
    let tokens = adapter.exchange(&call_context, exchange).await?;
    let accounts = adapter.accounts(&call_context, &tokens.access_token);
    let stored = store_connections(&context, authorization, accounts, &tokens, owner.plan).await;
    let Stored { connections, left_out, before } = match stored {
        Ok(stored) => stored,
        Err(NotStored { error, is_certain }) => {
            if is_certain {
                context.revoke_grant(platform, &tokens).await;
            }
            return Err(error);
        }
    };

    // Connected: what follows may fail without changing that.
    let after = store.customer_connections(customer, request.now).await.unwrap_or_else(|error| {
        tracing::warn!(%customer, %error, source = error.source, "connections were not read");
        before.clone()
    });
    drop_replaced_grants(request, authorization, &before, &after).await;
    let named = named_connection(&connections, &after, authorization);
    Ok((connected_page(platform, &connections, &left_out, &owner), Ending::Connected(named)))
}

/// Opens the sealed PKCE verifier.
async fn open_verifier(request: &ApiRequest, authorization: &Authorization) -> Result<SecretString, Error> {
    let customer = authorization.customer.to_string();
    let binding = Binding { customer: &customer, record: &authorization.state_hash, field: VERIFIER_FIELD };
    request.app.vault.open(binding, &authorization.verifier).await.map_err(Error::internal)
}

/// What was connected.
struct Stored {
    connections: Vec<NewConnection>,
    /// Accounts that the plan has no room for.
    left_out: Vec<AdAccount>,
    /// The customer's connections as they were before.
    before: CustomerConnections,
}

/// Why nothing was connected, and whether that is certain: else the tokens may be in use.
struct NotStored {
    error: Error,
    is_certain: bool,
}

impl From<Error> for NotStored {
    fn from(error: Error) -> NotStored {
        NotStored { error, is_certain: true }
    }
}

/// Connects every ad account that the tokens reach, as far as the plan has room.
async fn store_connections(
    context: &PlatformContext<'_>,
    authorization: &Authorization,
    accounts: impl Future<Output = Result<Vec<AdAccount>, Error>>,
    tokens: &Tokens,
    plan: Plan,
) -> Result<Stored, NotStored> {
    let Authorization { customer, platform, .. } = *authorization;
    let accounts = accounts.await?;
    if accounts.is_empty() {
        let message = "The consent covers no ad account that can hold campaigns. Choose one and try again.";
        return Err(Error::new(Kind::Forbidden, message).on(platform).into());
    }
    let (store, now) = (&context.app.store, context.now);
    let before = store.customer_connections(customer, now).await?;
    let (accounts, left_out) = room::divide(plan, &before, platform, accounts);
    if accounts.is_empty() {
        store.delete_pending(customer, &authorization.connection).await?;
        return Err(room::full(plan).on(platform).into());
    }
    let empty = Grant::without_tokens(GrantId::generate(), platform, now);
    let grant = seal_tokens(context.app, customer, &empty, tokens, now).await?;
    let connections = new_connections(accounts, &before, authorization);
    let stored = store.connect(customer, platform, &grant, &connections, &authorization.connection, now).await;
    match stored {
        Ok(true) => Ok(Stored { connections, left_out, before }),
        Ok(false) => Err(withdrawn(platform).into()),
        Err(error) => Err(NotStored { error, is_certain: false }),
    }
}

/// The refusal of a callback whose PENDING connection was removed.
fn withdrawn(platform: Platform) -> Error {
    Error::new(Kind::Validation, "This authorization was withdrawn before it was finished.").on(platform)
}

/// A connection for each account. The first one that was not connected before takes the PENDING one's id and label,
/// so that a caller who polls that id sees it become a connection.
fn new_connections(
    accounts: Vec<AdAccount>,
    before: &CustomerConnections,
    authorization: &Authorization,
) -> Vec<NewConnection> {
    let label = before.connection(&authorization.connection.0).and_then(|pending| pending.label.clone());
    let mut pending = Some((authorization.connection.clone(), label));
    let with_id = |account: AdAccount| {
        let taken = if room::is_connected(before, authorization.platform, &account.id) { None } else { pending.take() };
        let (id, label) = taken.unwrap_or_else(|| (ConnectionId::generate(), None));
        NewConnection { id, label, account }
    };
    accounts.into_iter().map(with_id).collect()
}

/// The one of several connections that the caller is told: the one that he saw PENDING, else the first by account. Read
/// from what is stored now: another callback for the same account may have been first, and then its id stands.
fn named_connection(
    connections: &[NewConnection],
    after: &CustomerConnections,
    authorization: &Authorization,
) -> ConnectionId {
    let is_meant = |known: &&Connection| {
        known.platform == authorization.platform && connections.iter().any(|new| new.account.id == known.account_id())
    };
    let mut meant = after.connections.iter().filter(is_meant).peekable();
    let first = meant.peek().map(|known| known.id.clone());
    let pending = meant.find(|known| known.id == authorization.connection).map(|known| known.id.clone());
    pending.or(first).unwrap_or_else(|| authorization.connection.clone())
}

/// Accounts that were connected before have moved to the new grant; an older grant that no connection uses any more
/// goes. Only those that were there before: another callback may just be storing its own. Tokens are not revoked at
/// the platform, where one user's revocation may end the new grant too.
async fn drop_replaced_grants(
    request: &ApiRequest,
    authorization: &Authorization,
    before: &CustomerConnections,
    after: &CustomerConnections,
) {
    let is_replaced =
        |grant: &&Grant| grant.platform == authorization.platform && after.using_grant(&grant.id).next().is_none();
    for grant in before.grants.iter().filter(is_replaced) {
        if let Err(error) = request.app.store.delete_grant(authorization.customer, &grant.id).await {
            tracing::warn!(grant = %grant.id.0, %error, source = error.source, "a replaced grant was not removed");
        }
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

fn connected_page(platform: Platform, connections: &[NewConnection], left_out: &[AdAccount], owner: &Customer) -> Page {
    let name = |account: &AdAccount| {
        format!("{}: {} ({}, {})", platform.display_name(), account.name, account.id, account.currency.code())
    };
    let mut paragraphs = vec![format!("Now connected to the Unified Ads customer {}:", owner.email)];
    paragraphs.extend(connections.iter().map(|new| name(&new.account)));
    if !left_out.is_empty() {
        let plan = owner.plan.as_str();
        paragraphs.push(format!("Not connected, because plan {plan} has no room for more connections:"));
        paragraphs.extend(left_out.iter().map(name));
    }
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
