//! A create is sent once, and its outcome is unknown unless the platform says what it is.

use super::sample::{Reply, Sample};
use super::samples;
use crate::error::{Error, Kind};
use crate::platforms::fake::{Fake, ScriptedResponse, create, marker};

async fn create_answered(sample: &'static Sample, response: ScriptedResponse) -> Error {
    let fake = Fake::new(move |request| (sample.before_create)(request).unwrap_or_else(|| response.clone()));
    let created = create(sample.adapter(), &sample.session(&fake), &(sample.draft)(), &marker()).await;
    let sent = fake.requests().iter().filter(|request| (sample.before_create)(request).is_none()).count();
    assert_eq!(sent, 1, "{}: a create is sent once", sample.platform);
    created.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn a_create_without_a_clear_answer_is_unknown_and_not_retryable() {
    let usual = [
        Reply::Text(500, ""),
        Reply::Text(302, ""),
        Reply::Text(408, "<html>"),
        Reply::Text(409, "<html>"),
        Reply::Text(499, ""),
        Reply::Text(200, ""),
        Reply::Text(200, "{}"),
        Reply::Text(200, "[]"),
        Reply::Text(201, "<html>"),
    ];
    for sample in samples() {
        for reply in usual.iter().chain(sample.unclear_creates) {
            let response = sample.scripted(reply);
            let shown = format!("{}: {response:?}", sample.platform);
            let error = create_answered(sample, response).await;
            assert_eq!((error.kind, error.retryable), (Kind::PlatformFailed, false), "{shown}");
            assert!(error.unknown_outcome, "{shown}");
            assert!(error.message.contains("not known whether") && error.message.contains("\"Winter\""), "{error}");
        }
        let error = create_answered(sample, (0, String::new())).await;
        let meaning = (error.kind, error.retryable, error.unknown_outcome);
        assert_eq!(meaning, (Kind::PlatformTimeout, false, true), "{}", sample.platform);
    }
}

#[tokio::test]
async fn a_create_that_a_page_refuses_has_created_nothing() {
    for sample in samples() {
        for (status, body, kind) in [
            (400, "<html>", Kind::PlatformRefused),
            (403, "<html>", Kind::Forbidden),
            (403, "", Kind::Forbidden),
            (403, r#"{"error":403}"#, Kind::Forbidden),
            (404, "<html>", Kind::PlatformFailed),
            (429, "<html>", Kind::RateLimited),
        ] {
            let error = create_answered(sample, (status, body.to_owned())).await;
            assert_eq!((error.kind, error.unknown_outcome), (kind, false), "{}: {status} {body}", sample.platform);
        }
    }
}

#[tokio::test]
async fn a_create_that_was_refused_or_never_sent_is_certain() {
    for sample in samples() {
        for refusal in sample.refusals() {
            let response = sample.scripted(&refusal.reply);
            let kind = match refusal.kind {
                Kind::NotFound => sample.missing_at_create,
                Kind::PlatformFailed | Kind::Conflict => continue,
                kind => kind,
            };
            let shown = format!("{}: {response:?}", sample.platform);
            let error = create_answered(sample, response).await;
            assert_eq!((error.kind, error.retryable), (kind, refusal.retryable), "{shown}");
            assert!(!error.unknown_outcome && !error.message.contains("not known"), "{shown}");
        }
        let error = create_answered(sample, (1, String::new())).await;
        let meaning = (error.kind, error.retryable, error.unknown_outcome);
        assert_eq!(meaning, (Kind::PlatformFailed, true, false), "{}", sample.platform);
    }
}

#[tokio::test]
async fn secrets_that_a_platform_repeats_are_removed() {
    for sample in samples() {
        let error = create_answered(sample, (sample.saying)("access-secret, developer-secret and secret")).await;
        let shown = format!("{error:?}");
        assert!(!shown.contains("secret") && shown.contains("[removed]"), "{}: {shown}", sample.platform);
    }
}
