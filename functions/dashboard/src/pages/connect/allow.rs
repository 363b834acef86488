//! *Allow*: the key with its limit, then the record, then the redirect. Each step makes the same when the form comes again.

use super::earlier::{is_live, is_same};
use super::{lead_back, refused_again};
use crate::client::api::{Api, Refusal};
use crate::client::connect_request::{ANEW, ConnectRequest, FIELDS, MAY};
use crate::client::keys::{self, NewKey};
use crate::client::limit_form::require_account;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{TOKEN_FIELD, fields_to_show_again, secret_form};
use crate::client::session::SignedIn;
use crate::kit::addresses::CONSENT;
use crate::kit::form_errors::FormError;
use crate::kit::form_fields::pick;
use crate::kit::limit::{self, CONTROLS, limit_of, no_change_of};
use jiff::SignedDuration;
use secrecy::ExposeSecret;
use shared::auth::{ConsentCode, KeyForm, Mode, TokenOwner};
use shared::domain::{ApiKeyInfo, Assistant, ClientKey, Code, KeyId, Scope};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// Attempts to store a consent: a refresh of the assistant's tokens may write its record at the same time.
const ATTEMPTS: usize = 3;
/// A code that has less than half of its time left is renewed when its form comes again.
const FRESH: SignedDuration = SignedDuration::from_secs(30);

type Form = Vec<(String, String)>;

/// The key of an assistant, and its record if it was connected before.
struct Given {
    key: KeyId,
    seen: Option<Assistant>,
}

/// Connects the assistant, and leads back to its program with a code.
pub(super) async fn allow(
    request: &WebRequest,
    person: &SignedIn,
    form: Form,
    asked: &ConnectRequest,
) -> Result<WebReply, Error> {
    let Some(scope) =
        value(&form, MAY).and_then(Scope::parse).filter(|one| matches!(one, Scope::Read | Scope::Campaigns))
    else {
        let missing = FormError::new(MAY, "Choose whether it only looks.");
        return Ok(Notice::wrong(vec![missing], &kept(form)).then(CONSENT));
    };
    // Without its token the form would make another key each time it is sent.
    let Some(key_form) = secret_form(request, &form) else { return Ok(WebReply::see_other(CONSENT)) };
    let key_form = KeyForm { is_of_assistant: true, ..key_form };
    let code = key_form.seed.code_id();
    let given = match value(&form, ANEW).filter(|id| !id.is_empty()) {
        Some(id) => give_anew(request, person, &form, scope, asked, id).await,
        None => give(request, person, &form, scope, asked, key_form).await,
    };
    let Given { key, seen } = match given {
        Ok(given) => given,
        Err(refusal) => {
            let shown = kept(fields_to_show_again(&refusal, form));
            return Ok(Notice::refused(refusal, CONTROLS, &shown).then(CONSENT));
        }
    };
    let consent = consent(request, person, asked, key.clone(), scope, code.clone());
    if !store(request, person, seen, consent).await? {
        return Ok(refused_again(request, person));
    }
    let mode = if request.is_https() { Mode::Live } else { Mode::Test };
    let code = ConsentCode { owner: TokenOwner { customer: person.customer(), mode }, key, id: code };
    let code = code.seal(request.app.vault()?).await?;
    lead_back(request, asked, ("code", code.expose_secret()))
}

/// Makes the key of an assistant.
async fn give(
    request: &WebRequest,
    person: &SignedIn,
    form: &Form,
    scope: Scope,
    asked: &ConnectRequest,
    key_form: KeyForm,
) -> Result<Given, Refusal> {
    require_account(request, form)?;
    let name = key_name(asked, person.account.keys.all(), &key_form.seed.key_id());
    let key = NewKey {
        name: &name,
        scopes: vec![scope.as_str()],
        expires_at: None,
        spending_limit: Some(if scope == Scope::Read { no_change_of(form) } else { limit_of(form) }),
        external_ref: None,
    };
    let key = keys::create_of_assistant(&Api::new(request, person).of_form(Some(key_form)), &key).await?;
    Ok(Given { key, seen: None })
}

/// Gives an assistant that the person has connected before what the form says.
async fn give_anew(
    request: &WebRequest,
    person: &SignedIn,
    form: &Form,
    scope: Scope,
    asked: &ConnectRequest,
    id: &str,
) -> Result<Given, Refusal> {
    require_account(request, form)?;
    let key = KeyId(id.to_owned());
    let is_usable = |known: &ApiKeyInfo| known.id == key && is_live(known, request.now);
    let known = if person.account.keys.all().iter().any(is_usable) {
        let read = request.app.store.account_and_assistant(person.customer(), &key, request.now).await;
        read.map_err(|error| Refusal::of(&error, request))?.1
    } else {
        None
    };
    let own = known.filter(|known| is_same(known, &person.session.person, asked));
    let Some(seen) = own else {
        let message =
            "The assistant that you chose was removed or stopped meanwhile. Nothing was changed; choose again.";
        return Err(Refusal::of(&Error::new(Kind::Conflict, message), request));
    };
    let limit = if scope == Scope::Read { no_change_of(form) } else { limit_of(form) };
    keys::set_consent(&Api::new(request, person), &key, scope, limit).await?;
    Ok(Given { key, seen: Some(seen) })
}

/// The name of the key: that of the program, with a number if there is such a key. The key that this form has made before
/// does not count.
fn key_name(asked: &ConnectRequest, keys: &[ApiKeyInfo], own: &KeyId) -> String {
    let name = asked.name.as_deref().unwrap_or_default();
    let is_taken = |name: &str| keys.iter().any(|key| key.name == name && key.id != *own);
    if !is_taken(name) {
        return name.to_owned();
    }
    let numbered = (2..=keys.len() + 2).map(|number| format!("{name} {number}"));
    numbered.into_iter().find(|name| !is_taken(name)).unwrap_or_else(|| name.to_owned())
}

fn consent(
    request: &WebRequest,
    person: &SignedIn,
    asked: &ConnectRequest,
    key: KeyId,
    scope: Scope,
    code: String,
) -> Assistant {
    Assistant {
        key,
        client: ClientKey::of(&asked.client_id),
        client_name: asked.name.clone().unwrap_or_default(),
        redirect_uri: asked.redirect_uri.clone(),
        person: person.session.person.clone(),
        scope,
        consented_at: request.now,
        code: Code { id: code, challenge: asked.challenge.clone(), taken_at: None },
        generation: 0,
        refreshed_at: None,
        last_used_at: None,
        signed_out: None,
        version: 0,
    }
}

/// Stores a consent. `false` if its form was sent before, and its code was taken or has ended since.
async fn store(
    request: &WebRequest,
    person: &SignedIn,
    seen: Option<Assistant>,
    consent: Assistant,
) -> Result<bool, Error> {
    let (store, customer, is_new) = (&request.app.store, person.customer(), seen.is_none());
    let mut seen = seen;
    for _ in 0..ATTEMPTS {
        let next = match &seen {
            None => consent.clone(),
            Some(seen) if seen.code.id == consent.code.id => {
                if seen.code.taken_at.is_some() || seen.signed_out.is_some() {
                    return Ok(false);
                }
                if request.now < seen.consented_at + FRESH {
                    return Ok(true);
                }
                Assistant { consented_at: consent.consented_at, ..seen.clone() }
            }
            // The key is that of this form, and the assistant was connected anew since.
            Some(_) if is_new => return Ok(false),
            Some(seen) => seen.consent_again(consent.clone()),
        };
        if store.put_assistant(customer, seen.as_ref(), &next).await? {
            return Ok(true);
        }
        seen = store.account_and_assistant(customer, &consent.key, request.now).await?.1;
    }
    Err(Error::new(Kind::Conflict, "The assistant is being changed elsewhere. Go back, and send the form again."))
}

/// The fields that the page shows again.
fn kept(form: Form) -> Form {
    pick(&form, &[&FIELDS[..], &limit::FIELDS, &[TOKEN_FIELD]].concat())
}
