//! Finding secrets in bytes, however they are written there.

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::collections::{BTreeMap, BTreeSet};

/// Of a longer secret its beginning and its end are looked for: a part that was cut out is a leak too. The beginning is
/// the longer one, because that of an API key is the customer's id, which is no secret.
const HEAD: usize = 48;
const TAIL: usize = 32;
/// What is shorter could stand somewhere by chance.
const SHORTEST: usize = 16;

/// Something that must not be found, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Secret {
    pub(crate) what: String,
    pub(crate) value: Vec<u8>,
}

/// Looks for many secrets at once.
pub(crate) struct Search {
    automaton: AhoCorasick,
    /// What each pattern is.
    meanings: Vec<String>,
}

impl Secret {
    pub(crate) fn new(what: impl Into<String>, value: impl Into<Vec<u8>>) -> Secret {
        let (what, value) = (what.into(), value.into());
        assert!(value.len() >= SHORTEST, "{what} is too short to look for");
        Secret { what, value }
    }

    fn pieces(&self) -> Vec<&[u8]> {
        let value = self.value.as_slice();
        if value.len() <= HEAD { vec![value] } else { vec![&value[..HEAD], &value[value.len() - TAIL..]] }
    }
}

impl Search {
    pub(crate) fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Search {
        let mut patterns: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        for secret in secrets {
            for (encoding, pattern) in secret.pieces().into_iter().flat_map(encodings) {
                patterns.entry(pattern).or_insert_with(|| format!("{} ({encoding})", secret.what));
            }
        }
        let automaton = AhoCorasick::new(patterns.keys()).expect("patterns");
        Search { automaton, meanings: patterns.into_values().collect() }
    }

    /// What was found, each once and with what stands before it.
    pub(crate) fn find(&self, place: &str, bytes: &[u8]) -> BTreeSet<String> {
        let mut found = BTreeMap::new();
        for hit in self.automaton.find_iter(bytes) {
            let before = String::from_utf8_lossy(&bytes[hit.start().saturating_sub(400)..hit.start()]).into_owned();
            found.entry(hit.pattern()).or_insert(before);
        }
        let shown = |(pattern, before): (aho_corasick::PatternID, String)| {
            format!("{place}: {} after …{before}", self.meanings[pattern.as_usize()])
        };
        found.into_iter().map(shown).collect()
    }
}

/// How a piece of a secret may be written.
fn encodings(piece: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let each = |write: fn(&u8) -> String| piece.iter().map(write).collect::<String>().into_bytes();
    let list = |comma: &str| piece.iter().map(u8::to_string).collect::<Vec<_>>().join(comma).into_bytes();
    let mut all = vec![
        ("raw", piece.to_vec()),
        ("hex", each(|byte| format!("{byte:02x}"))),
        ("hex", each(|byte| format!("{byte:02X}"))),
        // As in an address or a form, and in case somebody encodes more than is needed.
        ("percent", each(|byte| percent(*byte, "-._~", |hex| hex))),
        ("percent", each(|byte| percent(*byte, "-._~", |hex| hex.to_ascii_lowercase()))),
        ("percent", each(|byte| percent(*byte, "-._*", |hex| hex))),
        ("percent", each(|byte| percent(*byte, "-._*", |hex| hex.to_ascii_lowercase()))),
        ("percent", each(|byte| format!("%{byte:02X}"))),
        ("percent", each(|byte| format!("%{byte:02x}"))),
        // How `{:?}` shows bytes, and JSON.
        ("list of bytes", list(", ")),
        ("list of bytes", list(",")),
    ];
    for offset in 0..3 {
        all.push(("base64", inner(&STANDARD_NO_PAD, offset, piece)));
        all.push(("base64url", inner(&URL_SAFE_NO_PAD, offset, piece)));
    }
    all
}

/// A byte as an address has it (RFC 3986 2.3) or a form (`~` encoded, `*` not).
fn percent(byte: u8, plain: &str, case: fn(String) -> String) -> String {
    if byte.is_ascii_alphanumeric() || plain.as_bytes().contains(&byte) {
        return char::from(byte).to_string();
    }
    case(format!("%{byte:02X}"))
}

/// What of the base64 text is the same whatever stands around the piece, when `offset` bytes of the group of three
/// stand before it. So padding makes no difference either.
fn inner(engine: &impl Engine, offset: usize, piece: &[u8]) -> Vec<u8> {
    let text = engine.encode([&vec![0; offset], piece].concat());
    let whole = (offset + piece.len()) * 8 / 6;
    text.as_bytes()[(offset * 8).div_ceil(6)..whole].to_vec()
}

/// The search itself is proved with texts that are not made by it.
mod tests {
    use super::{Search, Secret};
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
    use url::form_urlencoded::byte_serialize;

    /// A code, a long token, a key, and bytes that are no text.
    fn secrets() -> [Secret; 4] {
        let bytes: Vec<u8> = (0..32_u8).map(|number| number.wrapping_mul(37).wrapping_add(200)).collect();
        let long = "AQXdSP_W41_UPs5ioT_t8HESyODB4FqbkJ8LrV_5mff4gPODzOYR".repeat(5);
        [
            Secret::new("code", "4/0AanRRrs+yPkM~c2u8FwqBQ"),
            Secret::new("token", long),
            Secret::new("key", "uac_test_0000000000000000000007aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vWxYz12"),
            Secret::new("bytes", bytes),
        ]
    }

    fn planted(value: &[u8]) -> Vec<String> {
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
    fn a_secret_is_found_in_every_encoding_and_wherever_it_stands() {
        for secret in secrets() {
            let search = Search::new([&secret]);
            let raw = [b"{\"said\":\"", secret.value.as_slice(), b"\"}\n"].concat();
            assert!(!search.find("log", &raw).is_empty(), "{}", secret.what);
            for text in planted(&secret.value) {
                let line = format!("2026-11-20 TRACE body={text} and more");
                assert!(!search.find("log", line.as_bytes()).is_empty(), "{} in {line}", secret.what);
            }
        }
    }

    #[test]
    fn a_part_that_was_cut_out_is_found() {
        let [_, token, key, _] = secrets();
        for secret in [token, key] {
            let (search, value) = (Search::new([&secret]), &secret.value);
            for part in [&value[..value.len() - 3], &value[3..], &value[..48], &value[value.len() - 32..]] {
                assert!(!search.find("log", part).is_empty(), "{}", String::from_utf8_lossy(part));
            }
        }
    }

    #[test]
    fn what_is_not_the_secret_is_not_found() {
        let secrets = secrets();
        let search = Search::new(&secrets);
        for secret in &secrets {
            for piece in secret.pieces() {
                let mut other = piece.to_vec();
                other[piece.len() / 2] ^= 1;
                assert!(search.find("log", &other).is_empty(), "{}", secret.what);
            }
        }
        assert!(search.find("log", b"uac_test_0000000000000000000007 is the customer's part of a key").is_empty());
    }

    #[test]
    #[should_panic(expected = "too short")]
    fn what_could_stand_somewhere_by_chance_is_not_looked_for() {
        Secret::new("a short one", "secret");
    }
}
