use super::*;

const CUSTOMERS: [&str; 2] = ["c", "cg"];
const RECORDS: [&str; 3] = ["g", "gf", ""];
const FIELDS: [&str; 3] = ["f", "", "gf"];
const KEYS: [&str; 2] = ["k1", "k2"];

fn vault(active: &str, keys: &[(&str, u8)]) -> Vault {
    let keys = keys.iter().map(|(id, byte)| ((*id).to_owned(), STANDARD.encode([*byte; 32]).into())).collect();
    Vault::new(&KeyRing { active: active.into(), keys }).unwrap()
}

fn binding<'a>(customer: &'a str, record: &'a str, field: &'a str) -> Binding<'a> {
    Binding { customer, record, field }
}

/// Every combination of customer, record, field and key.
fn places() -> Vec<(Binding<'static>, &'static str)> {
    let mut places = Vec::new();
    for customer in CUSTOMERS {
        for record in RECORDS {
            for field in FIELDS {
                places.extend(KEYS.map(|key| (binding(customer, record, field), key)));
            }
        }
    }
    places
}

/// A sealed value with its key id replaced.
fn with_key_id(sealed: &str, key: &str) -> String {
    let mut parts: Vec<&str> = sealed.split('.').collect();
    parts[1] = key;
    parts.join(".")
}

/// The decoded nonce and body of a sealed value.
fn decoded(sealed: &str) -> (Vec<u8>, Vec<u8>) {
    let parts: Vec<&str> = sealed.split('.').collect();
    (URL_SAFE_NO_PAD.decode(parts[2]).unwrap(), URL_SAFE_NO_PAD.decode(parts[3]).unwrap())
}

fn encoded(nonce: &[u8], body: &[u8]) -> String {
    format!("v1.k1.{}.{}", URL_SAFE_NO_PAD.encode(nonce), URL_SAFE_NO_PAD.encode(body))
}

#[test]
fn a_value_opens_only_with_its_own_binding_and_key() {
    // In the second ring both ids have the same key: only the binding to the id separates them.
    for bytes in [[1, 2], [1, 1]] {
        let keys = [("k1", bytes[0]), ("k2", bytes[1])];
        let places = places();
        let ring = vault("k1", &keys);
        let mut opened = 0;
        for (home, key) in &places {
            let sealed = vault(key, &keys).seal(*home, &"token".into()).unwrap();
            for (place, id) in &places {
                match ring.open(*place, &with_key_id(&sealed, id)) {
                    Ok(secret) => {
                        assert_eq!(secret.expose_secret(), "token");
                        assert_eq!((format!("{place:?}"), id), (format!("{home:?}"), key));
                        opened += 1;
                    }
                    Err(error) => assert_eq!(error, VaultError::InvalidValue),
                }
            }
        }
        assert_eq!((places.len(), opened), (36, 36));
    }
}

#[test]
fn a_foreign_version_nonce_or_body_is_rejected() {
    let vault = vault("k1", &[("k1", 1)]);
    let place = binding("c", "g", "f");
    let [one, two] = ["token", "token"].map(|secret| vault.seal(place, &secret.into()).unwrap());
    let (nonce, body) = decoded(&one);
    let (other_nonce, other_body) = decoded(&two);
    assert!(vault.open(place, &encoded(&nonce, &body)).is_ok(), "the original parts open");
    let rest = one.strip_prefix("v1.").unwrap();
    let mut altered = vec![encoded(&nonce, &other_body), encoded(&other_nonce, &body), rest.to_owned()];
    altered.extend(["v0", "v2", "v10", "V1", "v", "1", "", " v1"].map(|version| format!("{version}.{rest}")));
    altered.extend([format!("{one}."), format!("{one}.x"), format!(".{one}"), format!("{one}="), format!("{one}A")]);
    for altered in altered {
        assert_eq!(vault.open(place, &altered).unwrap_err(), VaultError::InvalidValue, "{altered}");
    }
}

#[test]
fn a_truncated_value_is_rejected() {
    let vault = vault("k1", &[("k1", 1)]);
    let place = binding("c", "g", "f");
    let sealed = vault.seal(place, &"token".into()).unwrap();
    for length in 0..sealed.len() {
        assert!(vault.open(place, &sealed[..length]).is_err(), "the first {length} characters");
        assert!(vault.open(place, &sealed[length + 1..]).is_err(), "all after {length} characters");
    }
    let (nonce, body) = decoded(&sealed);
    for length in 0..nonce.len() {
        assert!(vault.open(place, &encoded(&nonce[..length], &body)).is_err(), "{length} bytes of the nonce");
    }
    for length in 0..body.len() {
        assert!(vault.open(place, &encoded(&nonce, &body[..length])).is_err(), "{length} bytes of the body");
    }
}

#[test]
fn every_flipped_bit_of_nonce_and_body_is_rejected() {
    let vault = vault("k1", &[("k1", 1)]);
    let place = binding("c", "g", "f");
    let (nonce, body) = decoded(&vault.seal(place, &"token".into()).unwrap());
    assert_eq!((nonce.len(), body.len()), (12, "token".len() + 16));
    for bit in 0..8 * (nonce.len() + body.len()) {
        let mut bytes = [nonce.as_slice(), &body].concat();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (nonce, body) = bytes.split_at(nonce.len());
        assert_eq!(vault.open(place, &encoded(nonce, body)).unwrap_err(), VaultError::InvalidValue, "bit {bit}");
    }
}

#[test]
fn every_flipped_bit_of_the_text_is_rejected() {
    let vault = vault("k1", &[("k1", 1)]);
    let sealed = vault.seal(binding("c", "g", "f"), &"token".into()).unwrap();
    for index in 0..sealed.len() {
        for bit in 0..7 {
            let mut bytes = sealed.clone().into_bytes();
            bytes[index] ^= 1 << bit;
            let altered = String::from_utf8(bytes).unwrap();
            assert!(vault.open(binding("c", "g", "f"), &altered).is_err(), "bit {bit} of byte {index}");
        }
    }
}

#[test]
fn every_value_has_its_own_nonce() {
    let vault = vault("k1", &[("k1", 1)]);
    let sealed: std::collections::HashSet<_> =
        (0..1000).map(|_| decoded(&vault.seal(binding("c", "g", "f"), &"token".into()).unwrap()).0).collect();
    assert_eq!(sealed.len(), 1000);
}

#[test]
fn an_old_key_still_opens_and_a_missing_key_is_unknown() {
    let sealed = vault("k1", &[("k1", 1)]).seal(binding("c", "g", "f"), &"token".into()).unwrap();
    let rotated = vault("k2", &[("k1", 1), ("k2", 2)]);
    assert!(rotated.open(binding("c", "g", "f"), &sealed).is_ok());
    let renewed = rotated.seal(binding("c", "g", "f"), &"token".into()).unwrap();
    assert!(rotated.is_current(&renewed) && !rotated.is_current(&sealed));
    assert_eq!(vault("k2", &[("k2", 2)]).open(binding("c", "g", "f"), &sealed).unwrap_err(), VaultError::UnknownKey);
}

#[test]
fn an_invalid_key_ring_is_rejected() {
    let good = STANDARD.encode([1; 32]);
    for text in [
        r#"{"active":"k1","keys":{}}"#.to_owned(),
        r#"{"active":"k1","keys":{"k1":"AAAA"}}"#.to_owned(),
        r#"{"active":"k1","keys":{"k1":"no base64"}}"#.to_owned(),
        format!(r#"{{"active":"k2","keys":{{"k1":"{good}"}}}}"#),
        format!(r#"{{"active":"k1","keys":{{"k1":"{good}","k2":"AAAA"}}}}"#),
        format!(r#"{{"active":"k1","keys":{{"k1":"{good}","a.b":"{good}"}}}}"#),
    ] {
        let ring: KeyRing = serde_json::from_str(&text).unwrap();
        assert_eq!(Vault::new(&ring).err(), Some(VaultError::BadKeyRing), "{text}");
    }
}
