//! *Allow*: the key with its limit, then the record, then the redirect. Each step makes the same when the form comes again.

use super::earlier::{is_live, is_same};
use super::sent::Sent;
use super::{lead_back, refused_again};
use crate::client::api::{Api, Refusal};
use crate::client::connect_request::{ConnectRequest, FIELDS};
use crate::client::keys;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{TOKEN_FIELD, fields_to_show_again, secret_form};
use crate::client::session::SignedIn;
use crate::kit::addresses::CONSENT;
use crate::kit::form_fields::pick;
use crate::kit::limit::{self, CONTROLS, NewLimit};
use jiff::SignedDuration;
use secrecy::ExposeSecret;
use shared::auth::{ConsentCode, KeyForm, Mode, TokenOwner};
use shared::domain::{ApiKeyInfo, Assistant, ClientKey, Code, KeyId, Scope};
use shared::envelope::WebReply;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// Attempts to store a consent: a refresh of the assistant's tokens may write its record at the same time.
const ATTEMPTS: usize = 3;
/// A code that has less than half of its time left is renewed when its form comes again.
const FRESH: SignedDuration = SignedDuration::from_secs(30);

type Form = Vec<(String, String)>;

/// The key of an assistant, what it may do, and its record if it was connected before.
struct Given {
    key: KeyId,
    scope: Scope,
    seen: Option<Assistant>,
}

/// Connects the assistant, and leads back to its program with a code.
pub(super) async fn allow(
    request: &WebRequest,
    person: &SignedIn,
    form: Form,
    asked: &ConnectRequest,
) -> Result<WebReply, Error> {
    // Without its token the form would make another key each time it is sent.
    let Some(key_form) = secret_form(request, &form) else { return Ok(WebReply::see_other(CONSENT)) };
    let key_form = KeyForm { is_of_assistant: true, ..key_form };
    let code = key_form.seed.code_id();
    let Given { key, scope, seen } = match given(request, person, &form, asked, key_form).await {
        Ok(given) => given,
        Err(notice) => return Ok(notice.then(CONSENT)),
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

/// What the form gives, or the notice with all that is wrong with it.
async fn given(
    request: &WebRequest,
    person: &SignedIn,
    form: &Form,
    asked: &ConnectRequest,
    key_form: KeyForm,
) -> Result<Given, Notice> {
    let (api, sent, keys) = (Api::new(request, person), Sent::of(form), person.account.keys.all());
    let refused = |refusal: Refusal| {
        let shown = kept(fields_to_show_again(&refusal, form.clone()));
        Notice::refused(refusal, CONTROLS, &shown)
    };
    let known = sent.anew.and_then(|id| keys.iter().find(|key| key.id.0 == id && is_live(key, request.now)));
    let name = key_name(asked, keys, &key_form.seed.key_id());
    let errors = sent.wrong(&api, known, &name, request.now).await.map_err(refused)?;
    let Some(scope) = sent.scope.filter(|_| errors.is_empty()) else {
        return Err(Notice::wrong(errors, &kept(form.clone())));
    };
    if sent.anew.is_some() {
        return give_anew(request, person, asked, known, (scope, sent.limit(scope))).await.map_err(refused);
    }
    let made = keys::create_of_assistant(&api.of_form(Some(key_form)), &sent.key(&name, scope)).await;
    made.map(|key| Given { key, scope, seen: None }).map_err(refused)
}

/// Gives an assistant that the person has connected before what the form says.
async fn give_anew(
    request: &WebRequest,
    person: &SignedIn,
    asked: &ConnectRequest,
    known: Option<&ApiKeyInfo>,
    (scope, limit): (Scope, NewLimit<'_>),
) -> Result<Given, Refusal> {
    let seen = match known {
        Some(key) => request.app.store.assistant(person.customer(), &key.id).await,
        None => Ok(None),
    };
    let seen = seen.map_err(|error| Refusal::of(&error, request))?;
    let own = seen.filter(|seen| is_same(seen, &person.session.person, asked));
    let Some(seen) = own else {
        let message =
            "The assistant that you chose was removed or stopped meanwhile. Nothing was changed; choose again.";
        return Err(Refusal::of(&Error::new(Kind::Conflict, message), request));
    };
    keys::set_consent(&Api::new(request, person), &seen.key, scope, &limit).await?;
    Ok(Given { key: seen.key.clone(), scope, seen: Some(seen) })
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
        seen = store.assistant(customer, &consent.key).await?;
    }
    Err(Error::new(Kind::Conflict, "The assistant is being changed elsewhere. Go back, and send the form again."))
}

/// The fields that the page shows again.
fn kept(form: Form) -> Form {
    pick(&form, &[&FIELDS[..], &limit::FIELDS, &[TOKEN_FIELD]].concat())
}
