//! Finds secrets in bytes, in any encoding.

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::collections::{BTreeMap, BTreeSet};

/// Lengths of the two parts of a longer secret that the scanner looks for: a truncated secret is a leak, too. The head
/// is longer because an API key begins with the customer's id, which is not secret; an assistant's token begins with nothing
/// secret, and only a token has that.
const HEAD: usize = 48;
const TAIL: usize = 32;
/// A shorter value could occur by chance.
const MIN_LENGTH: usize = 16;

/// A secret of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Secret {
    pub(crate) kind: String,
    pub(crate) value: Vec<u8>,
}

/// Looks for many secrets in one pass.
pub(crate) struct Scanner {
    automaton: AhoCorasick,
    /// Kind of secret and encoding of each pattern.
    labels: Vec<String>,
}

impl Secret {
    pub(crate) fn new(kind: impl Into<String>, value: impl Into<Vec<u8>>) -> Secret {
        let (kind, value) = (kind.into(), value.into());
        assert!(value.len() >= MIN_LENGTH, "{kind} is too short to look for");
        Secret { kind, value }
    }

    fn pieces(&self) -> Vec<&[u8]> {
        let value = self.value.as_slice();
        if value.len() <= HEAD { vec![value] } else { vec![&value[..HEAD], &value[value.len() - TAIL..]] }
    }
}

impl Scanner {
    pub(crate) fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Scanner {
        let mut patterns: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        for secret in secrets {
            for (encoding, pattern) in secret.pieces().into_iter().flat_map(encodings) {
                patterns.entry(pattern).or_insert_with(|| format!("{} ({encoding})", secret.kind));
            }
        }
        let automaton = AhoCorasick::new(patterns.keys()).expect("patterns");
        Scanner { automaton, labels: patterns.into_values().collect() }
    }

    /// The secrets in `bytes`, each once and with the text before it.
    pub(crate) fn scan(&self, place: &str, bytes: &[u8]) -> BTreeSet<String> {
        let mut found = BTreeMap::new();
        for hit in self.automaton.find_iter(bytes) {
            let before = String::from_utf8_lossy(&bytes[hit.start().saturating_sub(400)..hit.start()]).into_owned();
            found.entry(hit.pattern()).or_insert(before);
        }
        let label = |(pattern, before): (aho_corasick::PatternID, String)| {
            format!("{place}: {} after …{before}", self.labels[pattern.as_usize()])
        };
        found.into_iter().map(label).collect()
    }
}

/// The encodings of a piece of a secret.
fn encodings(piece: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let each = |write: fn(&u8) -> String| piece.iter().map(write).collect::<String>().into_bytes();
    let list = |comma: &str| piece.iter().map(u8::to_string).collect::<Vec<_>>().join(comma).into_bytes();
    let mut all = vec![
        ("raw", piece.to_vec()),
        ("hex", each(|byte| format!("{byte:02x}"))),
        ("hex", each(|byte| format!("{byte:02X}"))),
        // In a URL, in a form, and with more bytes encoded than necessary.
        ("percent", each(|byte| percent(*byte, "-._~", |hex| hex))),
        ("percent", each(|byte| percent(*byte, "-._~", |hex| hex.to_ascii_lowercase()))),
        ("percent", each(|byte| percent(*byte, "-._*", |hex| hex))),
        ("percent", each(|byte| percent(*byte, "-._*", |hex| hex.to_ascii_lowercase()))),
        ("percent", each(|byte| format!("%{byte:02X}"))),
        ("percent", each(|byte| format!("%{byte:02x}"))),
        // Bytes in debug output and in JSON.
        ("list of bytes", list(", ")),
        ("list of bytes", list(",")),
    ];
    for offset in 0..3 {
        all.push(("base64", inner(&STANDARD_NO_PAD, offset, piece)));
        all.push(("base64url", inner(&URL_SAFE_NO_PAD, offset, piece)));
    }
    all
}

/// Percent-encodes a byte as in a URL (RFC 3986 2.3) or in a form (`~` encoded, `*` not).
fn percent(byte: u8, unreserved: &str, case: fn(String) -> String) -> String {
    if byte.is_ascii_alphanumeric() || unreserved.as_bytes().contains(&byte) {
        return char::from(byte).to_string();
    }
    case(format!("%{byte:02X}"))
}

/// The base64 characters that depend only on the piece, when `offset` bytes of its first group of three precede it.
/// Padding is not among them.
fn inner(engine: &impl Engine, offset: usize, piece: &[u8]) -> Vec<u8> {
    let text = engine.encode([&vec![0; offset], piece].concat());
    let whole = (offset + piece.len()) * 8 / 6;
    text.as_bytes()[(offset * 8).div_ceil(6)..whole].to_vec()
}

/// Tests of the scanner, with texts that other code encoded.
mod tests {
    use super::{Scanner, Secret};
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
    use url::form_urlencoded::byte_serialize;

    /// A code, a long token, an API key, an assistant's token, and bytes that are not UTF-8.
    fn secrets() -> [Secret; 5] {
        let bytes: Vec<u8> = (0..32_u8).map(|number| number.wrapping_mul(37).wrapping_add(200)).collect();
        let long = "AQXdSP_W41_UPs5ioT_t8HESyODB4FqbkJ8LrV_5mff4gPODzOYR".repeat(5);
        [
            Secret::new("code", "4/0AanRRrs+yPkM~c2u8FwqBQ"),
            Secret::new("token", long),
            Secret::new("key", "uac_test_0000000000000000000007aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxYz12"),
            Secret::new("sealed", format!("uat_test_{}.v1.k1.{}", "0".repeat(32), "aB3-dE5_fG7".repeat(9))),
            Secret::new("bytes", bytes),
        ]
    }

    fn encoded(value: &[u8]) -> Vec<String> {
        let mut texts = vec![format!("{value:?}"), serde_json::to_string(value).unwrap()];
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        texts.extend([hex.to_uppercase(), hex]);
        texts.push(byte_serialize(value).collect());
        texts.push(
            byte_serialize(value).collect::<String>().replace("%2F", "%2f").replace("%2B", "%2b").replace("%7E", "%7e"),
        );
        texts.push(value.iter().map(|byte| format!("%{byte:02x}")).collect());
        texts.push(value.iter().map(|byte| format!("%{byte:02X}")).collect());
        for before in 0..7 {
            for after in 0..4 {
                let whole = [&b"client:"[..before], value, &b"\xff\xfe\xfd"[..after]].concat();
                texts
                    .extend([STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD].map(|engine| engine.encode(&whole)));
            }
        }
        texts
    }

    #[test]
    fn a_secret_is_found_in_every_encoding_and_at_any_position() {
        for secret in secrets() {
            let scanner = Scanner::new([&secret]);
            let raw = [b"{\"said\":\"", secret.value.as_slice(), b"\"}\n"].concat();
            assert!(!scanner.scan("log", &raw).is_empty(), "{}", secret.kind);
            for text in encoded(&secret.value) {
                let line = format!("2026-11-20 TRACE body={text} and more");
                assert!(!scanner.scan("log", line.as_bytes()).is_empty(), "{} in {line}", secret.kind);
            }
        }
    }

    #[test]
    fn a_truncated_secret_is_found() {
        let [_, token, key, sealed, _] = secrets();
        for secret in [token, key, sealed] {
            let scanner = Scanner::new([&secret]);
            let value = &secret.value;
            for part in [&value[..value.len() - 3], &value[3..], &value[..48], &value[value.len() - 32..]] {
                assert!(!scanner.scan("log", part).is_empty(), "{}", String::from_utf8_lossy(part));
            }
        }
    }

    #[test]
    fn a_value_that_differs_in_one_bit_is_not_found() {
        let secrets = secrets();
        let scanner = Scanner::new(&secrets);
        for secret in &secrets {
            for piece in secret.pieces() {
                let mut other = piece.to_vec();
                other[piece.len() / 2] ^= 1;
                assert!(scanner.scan("log", &other).is_empty(), "{}", secret.kind);
            }
        }
        for shown in
            ["uac_test_0000000000000000000007 is the customer's part of a key", "uat_test_000000000000 is shown"]
        {
            assert!(scanner.scan("log", shown.as_bytes()).is_empty(), "{shown}");
        }
    }

    #[test]
    #[should_panic(expected = "too short")]
    fn a_secret_that_could_occur_by_chance_is_rejected() {
        Secret::new("a short one", "secret");
    }
}
