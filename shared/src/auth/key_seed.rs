//! Seeds of API keys and of webhook secrets. The same seed gives the same secret, so a form that is sent twice makes
//! one, and both responses know it. The secret of a key is stored nowhere, that of a webhook encrypted (D54).

use super::CustomerToken;
use crate::domain::{EndpointId, KeyId, WebhookSecret};
use crate::error::Error;
use jiff::Timestamp;
use ring::digest::SHA256_OUTPUT_LEN;
use ring::hmac::{Context, HMAC_SHA256, Key};
use ring::rand::SystemRandom;
use url::form_urlencoded::Serializer;

/// Separates what is derived from a seed, and from a session.
const FORM: &[u8] = b"api key of a form\n";
const ID: &[u8] = b"id\n";
const SECRET: &[u8] = b"secret\n";
const ENDPOINT_ID: &[u8] = b"id of a webhook endpoint\n";
const WEBHOOK_SECRET: &[u8] = b"secret of a webhook endpoint\n";
const INVITATION: &[u8] = b"invitation\n";
const CONSENT_CODE: &[u8] = b"code of a consent\n";

/// The value from which the id and the secrets of an API key or a webhook endpoint derive. `Debug` does not print it.
#[derive(Clone, Debug)]
pub struct KeySeed(Key);

impl KeySeed {
    /// A random seed.
    pub fn random() -> Result<KeySeed, Error> {
        let key = Key::generate(HMAC_SHA256, &SystemRandom::new());
        key.map(KeySeed).map_err(|_| Error::internal("the system provided no random bytes"))
    }

    /// The seed of a form that a browser sends to a path. The token of its session has 256 random bits, of which the
    /// table has a hash only, and the form a token of its own.
    pub fn of_form(session: &CustomerToken, path: &str, form: &[(String, String)]) -> KeySeed {
        let form = Serializer::new(String::new()).extend_pairs(form).finish();
        let session = Key::new(HMAC_SHA256, session.reveal().as_bytes());
        KeySeed(Key::new(HMAC_SHA256, &tag(&session, &[FORM, path.as_bytes(), b"\n", form.as_bytes()])))
    }

    /// The id of the key.
    pub fn key_id(&self) -> KeyId {
        KeyId(format!("key_{}", &hex::encode(tag(&self.0, &[ID]))[..12]))
    }

    /// The id of the webhook endpoint.
    pub fn endpoint_id(&self) -> EndpointId {
        EndpointId::of_bits(&tag(&self.0, &[ENDPOINT_ID]))
    }

    /// The secret of a webhook endpoint that is created at a time, to the millisecond. A rotation has no time: its form
    /// names the secret that it replaces.
    pub fn webhook_secret(&self, created_at: Option<Timestamp>) -> WebhookSecret {
        let at = created_at.map_or(i64::MIN, Timestamp::as_millisecond);
        WebhookSecret::from_key(tag(&self.0, &[WEBHOOK_SECRET, &at.to_be_bytes()]))
    }

    /// The bytes for the secret in the link of an invitation.
    pub(super) fn invitation_bytes(&self) -> [u8; SHA256_OUTPUT_LEN] {
        tag(&self.0, &[INVITATION])
    }

    /// The id of the code that a consent leads to.
    pub fn code_id(&self) -> String {
        hex::encode(tag(&self.0, &[CONSENT_CODE]))[..32].to_owned()
    }

    /// A part of the bytes for the secret that is made at a time, to the millisecond, which is the precision of the
    /// table.
    pub(super) fn secret_bytes(&self, at: Timestamp, part: u32) -> [u8; SHA256_OUTPUT_LEN] {
        tag(&self.0, &[SECRET, &at.as_millisecond().to_be_bytes(), &part.to_be_bytes()])
    }
}

fn tag(key: &Key, parts: &[&[u8]]) -> [u8; SHA256_OUTPUT_LEN] {
    let mut context = Context::with_key(key);
    parts.iter().for_each(|part| context.update(part));
    let mut tag = [0; SHA256_OUTPUT_LEN];
    tag.copy_from_slice(context.sign().as_ref());
    tag
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{ApiKey, Mode};
    use crate::domain::CustomerId;
    use uuid::Uuid;

    fn secret(seed: &KeySeed, ms: i64) -> String {
        let at = Timestamp::from_millisecond(ms).unwrap();
        ApiKey::derive(CustomerId(Uuid::from_u128(7)), Mode::Live, seed, at).reveal().to_owned()
    }

    fn form(fields: &[(&str, &str)]) -> Vec<(String, String)> {
        fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_same_form_of_a_session_at_the_same_time_is_the_same_key() {
        let customer = CustomerId(Uuid::from_u128(7));
        let [one, other] = [(); 2].map(|()| CustomerToken::generate(customer).unwrap());
        let fields = form(&[("idempotency_key", "a"), ("name", "n")]);
        let seed = KeySeed::of_form(&one, "/keys", &fields);
        let again = KeySeed::of_form(&one, "/keys", &fields);
        assert_eq!((secret(&seed, 5), seed.key_id()), (secret(&again, 5), again.key_id()));
        assert_ne!(secret(&seed, 5), secret(&seed, 6), "another time");
        for different in [
            KeySeed::of_form(&other, "/keys", &fields),
            KeySeed::of_form(&one, "/keys/rotate", &fields),
            KeySeed::of_form(&one, "/keys", &form(&[("idempotency_key", "b"), ("name", "n")])),
            KeySeed::of_form(&one, "/keys", &form(&[("idempotency_key", "a&name=n")])),
            KeySeed::random().unwrap(),
        ] {
            assert!(secret(&different, 5) != secret(&seed, 5) && different.key_id() != seed.key_id());
        }
    }

    #[test]
    fn a_seed_and_a_time_give_one_endpoint_and_one_secret() {
        let seed = KeySeed::random().unwrap();
        assert_eq!(EndpointId::parse(seed.endpoint_id().as_str()), Some(seed.endpoint_id()));
        let key = |ms: Option<i64>| seed.webhook_secret(ms.map(|ms| Timestamp::from_millisecond(ms).unwrap())).key();
        assert_eq!(key(Some(5)), key(Some(5)));
        assert!(key(Some(5)) != key(Some(6)) && key(None) != key(Some(0)));
        let other = KeySeed::random().unwrap();
        assert!(other.endpoint_id() != seed.endpoint_id() && other.webhook_secret(None).key() != key(None));
    }

    #[test]
    fn an_id_is_short_and_a_secret_is_a_key() {
        let seed = KeySeed::random().unwrap();
        assert_eq!(seed.key_id().0.len(), "key_".len() + 12);
        assert!(ApiKey::parse(&secret(&seed, 1)).is_some());
    }

    #[test]
    fn debug_does_not_print_a_seed() {
        let session = CustomerToken::generate(CustomerId(Uuid::from_u128(7))).unwrap();
        let [one, other] = ["a", "b"].map(|path| format!("{:?}", KeySeed::of_form(&session, path, &[])));
        assert_eq!(one, other);
    }
}
