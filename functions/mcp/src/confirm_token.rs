//! The confirm token: what `preview_change` has shown, sealed for one key, its user and one tool, so that a change is what was
//! previewed (D69).
//!
//! It proves that a change is exactly what was previewed. It is no permission: the limit of the key and the approval of a
//! person are checked when the change is made, as for any request.

use crate::tools::Tool;
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use shared::domain::{ChangeKind, sha256_hex};
use shared::envelope::SeenCampaign;
use shared::error::Error;
use shared::serve::Call;
use shared::vault::{Binding, VaultError};

/// The time in which a preview can be confirmed.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

/// What a preview has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) expires_at: Timestamp,
    /// Digest of the tool and its arguments.
    pub(crate) request: String,
    /// Digest of what decides on the change: the limit of the key, and for a create the ad account.
    pub(crate) facts: String,
    /// The campaign as it was shown; `None` for a create.
    pub(crate) seen: Option<SeenCampaign>,
}

impl Preview {
    /// A preview that was made at a time, to the second.
    pub(crate) fn new(
        now: Timestamp,
        request: String,
        facts: String,
        seen: Option<SeenCampaign>,
    ) -> Result<Preview, Error> {
        let expires_at = Timestamp::from_second((now + LIFETIME).as_second()).map_err(Error::internal)?;
        Ok(Preview { expires_at, request, facts, seen })
    }

    /// The token.
    pub(crate) async fn seal(&self, call: &Call, kind: ChangeKind) -> Result<String, Error> {
        let (customer, key) = owner(call)?;
        let sealed = call.request.app.vault()?.seal(binding(&customer, &key, kind), &self.to_text()).await;
        sealed.map_err(Error::internal)
    }

    /// The preview that a token confirms for this key and this tool.
    pub(crate) async fn open(token: &str, call: &Call, kind: ChangeKind) -> Result<Preview, Error> {
        let (customer, key) = owner(call)?;
        match call.request.app.vault()?.open(binding(&customer, &key, kind), token).await {
            Ok(text) => Preview::from_text(text.expose_secret()).ok_or_else(invalid),
            Err(VaultError::InvalidValue | VaultError::UnknownKey) => Err(invalid()),
            Err(error) => Err(Error::internal(error)),
        }
    }

    fn to_text(&self) -> SecretString {
        let Preview { expires_at, request, facts, seen } = self;
        let seen = seen.as_ref().map(|seen| {
            let SeenCampaign { status, budget_amount, budget_period, start_at, end_at, name } = seen;
            let parts = [status, budget_amount, budget_period, start_at, end_at].map(|part| part.as_deref());
            format!("|{}|{name}", parts.map(Option::unwrap_or_default).join("|"))
        });
        format!("{}|{request}|{facts}{}", expires_at.as_second(), seen.unwrap_or_default()).into()
    }

    fn from_text(text: &str) -> Option<Preview> {
        let mut parts = text.splitn(9, '|').map(str::to_owned);
        let expires_at = Timestamp::from_second(parts.next()?.parse().ok()?).ok()?;
        let (request, facts) = (parts.next()?, parts.next()?);
        let parts: Vec<String> = parts.collect();
        let seen = match parts.as_slice() {
            [] => None,
            [status, amount, period, start, end, name] => {
                let part = |part: &String| Some(part.clone()).filter(|part| !part.is_empty());
                Some(SeenCampaign {
                    status: part(status),
                    budget_amount: part(amount),
                    budget_period: part(period),
                    start_at: part(start),
                    end_at: part(end),
                    name: name.clone(),
                })
            }
            _ => return None,
        };
        Some(Preview { expires_at, request, facts, seen })
    }
}

/// The customer of a call; and its key, with the user for whom it acts.
fn owner(call: &Call) -> Result<(String, String), Error> {
    let key = call.current_key(&call.keys)?.ok_or_else(|| Error::internal("a tool is called without a key"))?;
    let owner = call.user().map_or_else(|| key.id.to_string(), |user| format!("{} {user}", key.id));
    Ok((call.customer.id.to_string(), owner))
}

fn binding<'a>(customer: &'a str, key: &'a str, kind: ChangeKind) -> Binding<'a> {
    Binding { customer, record: key, field: Tool::Change(kind).name() }
}

fn invalid() -> Error {
    let message = "is not a token of preview_change for this tool and this API key, or was altered. Copy the whole \
                   confirm_token, or call preview_change again";
    Error::field("confirm_token", message)
}

/// The digest of the request that a preview has shown: a change of one byte of its meaning has another.
pub(crate) fn request_digest(kind: ChangeKind, canonical: &str) -> String {
    sha256_hex(&format!("{}\n{canonical}", Tool::Change(kind).name()))[..32].to_owned()
}

/// The digest of what decides on a change.
pub(crate) fn facts_digest(facts: &str) -> String {
    sha256_hex(facts)[..16].to_owned()
}

/// The idempotency key of the change that a token confirms.
pub(crate) fn idempotency_key(token: &str) -> String {
    format!("confirm-{}", &sha256_hex(token)[..40])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_has_one_text() {
        let now = "2026-12-01T09:00:00.4Z".parse().unwrap();
        let seen = SeenCampaign {
            status: Some("PAUSED".to_owned()),
            end_at: Some("2026-12-01T00:00:00Z".to_owned()),
            name: "a|b".to_owned(),
            ..SeenCampaign::default()
        };
        for seen in [None, Some(seen)] {
            let preview = Preview::new(now, "r".repeat(32), "f".repeat(16), seen).unwrap();
            assert_eq!(preview.expires_at, "2026-12-01T09:10:00Z".parse().unwrap());
            assert_eq!(Preview::from_text(preview.to_text().expose_secret()), Some(preview));
        }
        for text in ["", "1", "1|r", "x|r|f", "1|r|f|PAUSED"] {
            assert_eq!(Preview::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn other_requests_have_other_digests() {
        let digest = |kind, text| request_digest(kind, text);
        let one = digest(ChangeKind::Update, r#"{"budget_amount":50}"#);
        assert_ne!(one, digest(ChangeKind::Update, r#"{"budget_amount":51}"#));
        assert_ne!(one, digest(ChangeKind::Create, r#"{"budget_amount":50}"#));
        assert_eq!(idempotency_key("a").len(), 48);
    }
}
