//! The code of a consent leads to tokens, once.

use crate::ATTEMPTS;
use crate::form::Form;
use crate::issue::issue;
use crate::refusal::{Failure, Refusal};
use crate::seen::Seen;
use shared::assistants::{replace_mark, sign_out};
use shared::auth::ConsentCode;
use shared::domain::{Assistant, ClientKey, CodeOutcome, SignOutReason};
use shared::envelope::OAuthReply;
use shared::serve::ApiRequest;
use shared::store::{back_off, contended};

/// Exchanges a code. A wrong verifier ends nothing, so that a reader of a log cannot end a code. A code that comes a second
/// time with its verifier signs out: two programs have both.
pub(crate) async fn exchange(request: &ApiRequest, form: &Form, client: &ClientKey) -> Result<OAuthReply, Failure> {
    let (redirect_uri, verifier) = (form.require("redirect_uri")?, form.require("code_verifier")?);
    let code = ConsentCode::open(request.app.vault()?, form.require("code")?).await?;
    let ConsentCode { owner, key, id } = code.ok_or_else(Refusal::invalid_grant)?;
    let (store, customer, now) = (&request.app.store, owner.customer, request.now);
    let mut written = None;
    for attempt in 0..ATTEMPTS {
        let seen = Seen::read(request, customer, &key).await?;
        // The response to a write may be lost, and the write be repeated: the record is then what was written.
        if written.as_ref().is_some_and(|written| seen.assistant.is_as_written(written)) {
            return Ok(issue(request, owner, &seen.assistant, &seen.key.hash).await?);
        }
        seen.check_client(client)?;
        seen.check_request(redirect_uri, verifier)?;
        match seen.assistant.take_code(&id, now) {
            CodeOutcome::Taken(next) => {
                seen.check_usable(now)?;
                if let Some(mark) = mark_of_new_tokens(request, &seen).await? {
                    if store.put_assistant(customer, Some(&seen.assistant), &next).await? {
                        return Ok(issue(request, owner, &next, &mark).await?);
                    }
                    written = Some(Assistant { version: seen.assistant.version + 1, ..*next });
                }
            }
            CodeOutcome::Reused => {
                let keys = &seen.account.keys;
                sign_out(store, customer, &seen.assistant, keys, SignOutReason::CodeReused, now).await?;
                return Err(Refusal::invalid_grant().into());
            }
            CodeOutcome::Ended => return Err(Refusal::invalid_grant().into()),
        }
        back_off(attempt).await;
    }
    Err(contended().into())
}

/// The mark for the tokens of a code. Where there are tokens already, of an earlier consent, it is a new one, which ends
/// them. It is replaced before the code is taken: a sign-out that comes between then loses the race for the record, and
/// replaces the mark once more. `None` if another request has replaced it.
async fn mark_of_new_tokens(request: &ApiRequest, seen: &Seen) -> Result<Option<String>, Failure> {
    if seen.assistant.generation == 0 {
        return Ok(Some(seen.key.hash.clone()));
    }
    let (customer, keys) = (seen.account.customer.id, &seen.account.keys);
    Ok(replace_mark(&request.app.store, customer, &seen.key.id, keys, request.now).await?)
}
