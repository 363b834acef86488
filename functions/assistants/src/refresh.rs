//! A refresh token leads to the next tokens.

use crate::ATTEMPTS;
use crate::form::Form;
use crate::issue::issue;
use crate::refusal::{Failure, Refusal};
use crate::seen::Seen;
use shared::assistants::sign_out;
use shared::auth::RefreshToken;
use shared::domain::{ClientKey, RefreshOutcome, SignOutReason};
use shared::envelope::OAuthReply;
use shared::serve::ApiRequest;
use shared::store::{back_off, contended};

/// Refreshes tokens. Processes of a host that race with one token all get tokens of the same generation: the first one
/// writes it, the others read it.
pub(crate) async fn refresh(request: &ApiRequest, form: &Form, client: &ClientKey) -> Result<OAuthReply, Failure> {
    let token = RefreshToken::open(request.app.vault()?, form.require("refresh_token")?).await?;
    let RefreshToken { owner, key, mark, generation } = token.ok_or_else(Refusal::invalid_grant)?;
    let (store, customer, now) = (&request.app.store, owner.customer, request.now);
    for attempt in 0..ATTEMPTS {
        let seen = Seen::read(request, customer, &key).await?;
        seen.check_client(client)?;
        // The tokens of this mark have ended. That is no replay: a sign-out or a new consent has ended them.
        if !seen.has_mark(&mark) {
            return Err(Refusal::invalid_grant().into());
        }
        match seen.assistant.refresh(generation, now) {
            RefreshOutcome::Next(next) => {
                seen.check_usable(now)?;
                if store.put_assistant(customer, Some(&seen.assistant), &next).await? {
                    return Ok(issue(request, owner, &next, &mark).await?);
                }
            }
            RefreshOutcome::Again => {
                seen.check_usable(now)?;
                return Ok(issue(request, owner, &seen.assistant, &mark).await?);
            }
            // The key may be older than the record: a new consent has ended this token in between. So it is read again.
            RefreshOutcome::Reused if attempt == 0 => {}
            RefreshOutcome::Reused => {
                let keys = &seen.account.keys;
                sign_out(store, customer, &seen.assistant, keys, SignOutReason::TokenReused, now).await?;
                return Err(Refusal::invalid_grant().into());
            }
            RefreshOutcome::Ended => return Err(Refusal::invalid_grant().into()),
        }
        back_off(attempt).await;
    }
    Err(contended().into())
}
