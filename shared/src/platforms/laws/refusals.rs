//! A refusal means what its platform says, and a response that says nothing goes by its status.

use super::sample::Reply;
use super::samples;
use crate::error::Kind::{self, PlatformFailed, RateLimited, TokenExpired};
use crate::platforms::errors::MAX_MESSAGE_CHARS;
use http::HeaderMap;
use http::header::RETRY_AFTER;
use std::collections::BTreeMap;

#[test]
fn each_refusal_has_its_meaning() {
    for sample in samples() {
        let refusals = sample.refusals();
        assert!(refusals.len() >= 14, "{} has {} refusals", sample.platform, refusals.len());
        for refusal in refusals {
            let (Reply::File(_, shown) | Reply::Text(_, shown)) = refusal.reply;
            let shown = format!("{}: {shown}", sample.platform);
            let error = sample.error(sample.scripted(&refusal.reply));
            let reported = error.platform_error.as_ref();
            assert_eq!((error.kind, error.retryable), (refusal.kind, refusal.retryable), "{shown}");
            assert_eq!(reported.and_then(|reported| reported.code.as_deref()), refusal.code, "{shown}");
            assert_eq!(reported.and_then(|reported| reported.field.as_deref()), refusal.field, "{shown}");
            assert_eq!(error.retry_after.map(|wait| wait.as_secs()), refusal.wait, "{shown}");
            assert_eq!(error.platform, Some(sample.platform), "{shown}");
            assert!(!error.message.to_string().is_empty() && error.details.is_empty(), "{shown}");
            assert!(
                error.source.unwrap().to_string().contains(sample.logged),
                "{shown}: the log gets the request's id"
            );
        }
    }
}

/// What the status of a response means whose body says nothing: the kind, and whether it is retryable.
const BY_STATUS: [(u16, Kind, bool); 13] = [
    (101, PlatformFailed, false),
    (302, PlatformFailed, false),
    (400, PlatformFailed, false),
    (401, TokenExpired, false),
    (403, PlatformFailed, false),
    (404, PlatformFailed, false),
    (408, PlatformFailed, true),
    (409, PlatformFailed, false),
    (418, PlatformFailed, false),
    (429, RateLimited, true),
    (500, PlatformFailed, true),
    (502, PlatformFailed, true),
    (504, PlatformFailed, true),
];

/// Bodies that say nothing on any platform.
const SILENT: [&[u8]; 8] =
    [b"", b" ", b"<html>Not Found</html>", b"null", b"7", b"[]", b"\xff\xfe", br#"{"error":{"code":400,"mess"#];

/// A body with arrays in arrays at its end.
fn nested(beginning: &str) -> Vec<u8> {
    let closing = beginning.chars().rev().filter_map(|open| match open {
        '{' => Some('}'),
        '[' => Some(']'),
        _ => None,
    });
    let closing: String = closing.collect();
    format!("{beginning}{}{}{closing}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes()
}

#[test]
fn a_response_that_says_nothing_goes_by_its_status() {
    for sample in samples() {
        let usual = BY_STATUS.iter().chain(sample.by_status);
        let meanings: BTreeMap<u16, (Kind, bool)> =
            usual.map(|(status, kind, again)| (*status, (*kind, *again))).collect();
        let silent =
            SILENT.into_iter().map(<[u8]>::to_vec).chain(sample.silent.iter().map(|body| body.as_bytes().to_vec()));
        for body in silent.chain(sample.deep.iter().map(|beginning| nested(beginning))) {
            for (status, meaning) in &meanings {
                let shown =
                    format!("{}: {status} {}", sample.platform, String::from_utf8_lossy(&body[..body.len().min(40)]));
                let error = sample.error_of(*status, HeaderMap::new(), body.clone());
                assert_eq!((error.kind, error.retryable), *meaning, "{shown}");
                assert_eq!(error.platform, Some(sample.platform), "{shown}");
            }
        }
    }
}

#[test]
fn a_field_of_the_platform_is_named_as_ours() {
    for sample in samples() {
        for (theirs, ours) in sample.fields {
            for blaming in sample.blaming {
                let response = blaming(theirs);
                let shown = format!("{}: {response:?}", sample.platform);
                assert_eq!(sample.error(response).platform_error.unwrap().field.as_deref(), *ours, "{shown}");
            }
        }
    }
}

#[test]
fn a_throttle_waits_until_the_later_of_its_own_time_and_a_header() {
    for sample in samples() {
        let throttle = &sample.throttle;
        let (usual, after_ten) = (throttle.usual, throttle.after_ten);
        for (header, seconds) in [("10", after_ten), ("90", 90), ("-5", usual), ("soon", usual)] {
            let (status, body) = sample.scripted(&throttle.reply);
            let headers = HeaderMap::from_iter([(RETRY_AFTER, header.parse().unwrap())]);
            let error = sample.error_of(status, headers, body.into());
            let wait = error.retry_after.map(|wait| wait.as_secs());
            assert_eq!((error.kind, wait), (RateLimited, Some(seconds)), "{}: {header}", sample.platform);
        }
        let (status, body) = (sample.saying)("no");
        let headers = HeaderMap::from_iter([(RETRY_AFTER, "5".parse().unwrap())]);
        assert_eq!(sample.error_of(status, headers, body.into()).retry_after, None, "{}", sample.platform);
    }
}

#[test]
fn the_words_of_a_platform_are_bounded_and_without_control_characters() {
    for sample in samples() {
        let error = sample.error((sample.saying)(&"ä\n".repeat(5_000)));
        assert_eq!(error.kind, Kind::PlatformRefused, "{}", sample.platform);
        assert_eq!(error.message.to_string().chars().count(), MAX_MESSAGE_CHARS, "{}", sample.platform);
        assert_eq!(error.platform_error.unwrap().message, "ä".repeat(MAX_MESSAGE_CHARS), "{}", sample.platform);
    }
}
