//! Query strings of the lists.

use super::bodies::refused;
use shared::domain::Platform;
use shared::envelope::query::{pairs, read_list};
use shared::envelope::{Shape, read_usage_logs};
use url::form_urlencoded::Serializer;

/// Reads the input as the query of every list. Returns whether it is one.
pub(super) fn query(input: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(input) else { return false };
    let mut is_any = false;
    let given = pairs(Some(text));
    let written = Serializer::new(String::new()).extend_pairs(&given).finish();
    assert_eq!(pairs(Some(&written)), given, "written and read again");
    let _ = Shape::of_request(&given, b"");
    for shape in [Shape::Flat, Shape::Enveloped] {
        match read_list(shape, &given) {
            Ok(list) => {
                assert!((1..=100).contains(&list.limit));
                let given = given.iter().find(|(name, _)| name == "platform").map(|(_, word)| word.as_str());
                let word = if shape == Shape::Flat { Platform::as_str } else { Platform::as_upper };
                assert_eq!(given, list.filters.platform.map(word));
                is_any = true;
            }
            Err(error) => refused(&error),
        }
    }
    match read_usage_logs(&given) {
        Ok(logs) => {
            let (from, to) = (logs.filters.from, logs.filters.to);
            assert!((1..=100).contains(&logs.limit));
            assert!(from.is_none_or(|from| to.is_none_or(|to| from <= to)));
            let (first, last) = logs.filters.key_range();
            assert!(first <= last && first.len() == 13 && last.len() == 13, "{first} {last}");
            is_any = true;
        }
        Err(error) => refused(&error),
    }
    is_any
}
