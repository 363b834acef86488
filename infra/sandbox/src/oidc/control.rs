//! Control addresses under `/_sandbox/oidc/`.

use super::id_token::Fault;
use super::keys::KeyError;
use super::state::Oidc;
use crate::fields::{ControlResult, Fields};
use serde_json::{Value, json};

/// The addresses and their methods.
pub(crate) const METHODS: &[(&str, &str)] = &[("oidc/id_token", "POST"), ("oidc/keys", "POST")];

/// Handles a control request; `None` for an unknown address or method.
pub(crate) fn handle(oidc: &mut Oidc, method: &str, name: &str, body: &str) -> Option<ControlResult> {
    Some(match (method, name.strip_prefix("oidc/")?) {
        ("POST", "id_token") => set_fault(oidc, body).map_err(|message| (400, message)),
        ("POST", "keys") => roll_over(oidc),
        _ => return None,
    })
}

/// `POST oidc/id_token`: gives every ID token a mistake, or with null none.
fn set_fault(oidc: &mut Oidc, body: &str) -> Result<(u16, Value), String> {
    let mut fields = Fields::parse(body)?;
    let name = fields.text("fault")?;
    fields.deny_unknown()?;
    oidc.fault = name.as_deref().map(parse_fault).transpose()?;
    Ok((200, json!({ "fault": name })))
}

fn parse_fault(name: &str) -> Result<Fault, String> {
    let found = Fault::ALL.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, fault)| fault).ok_or_else(|| {
        let names = Fault::ALL.map(|(name, _)| name).join(", ");
        format!("fault \"{name}\" is unknown; it is null or one of {names}")
    })
}

/// `POST oidc/keys`: a new key signs from now on. The one before it stays in the key set.
fn roll_over(oidc: &mut Oidc) -> ControlResult {
    match oidc.keys.roll_over() {
        Ok(kid) => Ok((200, json!({ "kid": kid }))),
        Err(KeyError) => Err((500, "the issuer could not make a key".to_owned())),
    }
}
