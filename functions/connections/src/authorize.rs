//! `GET /v1/connections/{platform}/authorize` (spec 4.2): where to send the user, and what the callback will need.

use jiff::SignedDuration;
use secrecy::SecretString;
use shared::auth::sha256_hex;
use shared::domain::ConnectionId;
use shared::envelope::Reply;
use shared::envelope::query::refuse_strangers;
use shared::error::Error;
use shared::platforms::oauth::AuthorizeRequest;
use shared::serve::Call;
use shared::store::Authorization;
use shared::vault::{Binding, random_token};

/// How long a state is taken.
const STATE_LIFE: SignedDuration = SignedDuration::from_mins(10);
/// How long a PENDING connection shows.
const PENDING_LIFE: SignedDuration = SignedDuration::from_mins(30);
/// The field that the PKCE verifier is sealed for.
pub(crate) const VERIFIER_FIELD: &str = "verifier";

/// Begins an authorization.
pub(crate) async fn authorize(call: &Call) -> Result<Reply, Error> {
    refuse_strangers(&call.public.query, &[])?;
    let platform = call.public.platform()?;
    let (adapter, peer) = call.caller().reach(platform)?;
    let redirect_uri = call.public.callback_url(platform)?;
    let (state, verifier) = (fresh_token()?, fresh_token()?);
    let request = AuthorizeRequest { redirect_uri: &redirect_uri, state: &state, verifier: &verifier };
    let authorize_url = adapter.authorize_url(&peer.site, &request)?;

    let state_hash = hash_of(&state);
    let customer = call.customer.id.to_string();
    let binding = Binding { customer: &customer, record: &state_hash, field: VERIFIER_FIELD };
    let sealed = call.public.app.keys.seal(binding, &verifier).await.map_err(Error::internal)?;
    let authorization = Authorization {
        customer: call.customer.id,
        platform,
        connection: ConnectionId::generate(),
        verifier: sealed,
        redirect_uri,
        expires_at: call.public.now + STATE_LIFE,
        state_hash,
    };
    call.store().begin_authorization(&authorization, call.public.now, call.public.now + PENDING_LIFE).await?;
    Ok(Reply::Authorize { platform, authorize_url: authorize_url.into() })
}

fn fresh_token() -> Result<SecretString, Error> {
    random_token().map_err(Error::internal)
}

/// What the store knows of a state.
pub(crate) fn hash_of(state: &SecretString) -> String {
    use secrecy::ExposeSecret;
    sha256_hex(state.expose_secret())
}
