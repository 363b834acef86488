//! Where a client's document comes from: kept in the process, live, or a copy.

use super::{Client, document, known};
use crate::error::{Error, Kind};
use crate::outbound::public::{
    EndpointTransport, KeptDocuments, MAX_DOCUMENT_BYTES, PublicDocument, PublicFailure, UrlPolicy,
};
use bytes::Bytes;
use http::StatusCode;
use jiff::Timestamp;
use std::fmt;

/// What finds a document.
pub(super) struct Sources<'a> {
    pub(super) policy: &'a UrlPolicy,
    pub(super) transport: &'a dyn EndpointTransport,
    pub(super) kept: &'a KeptDocuments,
    pub(super) now: Timestamp,
}

/// Why a host gives no document. The text follows the name of the host.
#[derive(Debug)]
enum Unanswered {
    Call(PublicFailure),
    Status(StatusCode),
    TooLarge,
    NotJson,
}

impl Sources<'_> {
    /// Reads the document at a client's address. A live one decides, also against our copy.
    pub(super) async fn find(&self, client_id: &str) -> Result<Client, Error> {
        let Some(host) = document::host(client_id) else {
            let message = "The client_id must be an https address with a path, without user, query and fragment, or one that this \
                           service has given. Tell the maker of the app.";
            return Err(Error::new(Kind::Validation, message));
        };
        if let Err(refusal) = self.policy.check(client_id) {
            let message = format!(
                "The app names itself by an address that is not called: it {refusal}. Tell the maker of the app."
            );
            return Err(Error::new(Kind::Validation, message));
        }
        if let Some(body) = self.kept.get(client_id, self.now) {
            return read(client_id, host, &body);
        }
        match self.fetch(client_id).await {
            Ok(document) => {
                let client = read(client_id, host, &document.body)?;
                self.kept.keep(client_id, document, self.now);
                Ok(client)
            }
            Err(unanswered) => known::copy(client_id).ok_or_else(|| unanswered.error(&host)),
        }
    }

    /// The client as it is known without a call: from a document that is kept, or from our copy.
    pub(super) fn at_hand(&self, client_id: &str) -> Option<Client> {
        let host = document::host(client_id)?;
        match self.kept.get(client_id, self.now) {
            Some(body) => read(client_id, host, &body).ok(),
            None => known::copy(client_id),
        }
    }

    async fn fetch(&self, client_id: &str) -> Result<PublicDocument, Unanswered> {
        let document = self.transport.get(client_id).await.map_err(Unanswered::Call)?;
        if document.status != StatusCode::OK {
            return Err(Unanswered::Status(document.status));
        }
        if document.body.len() > MAX_DOCUMENT_BYTES {
            return Err(Unanswered::TooLarge);
        }
        if document.is_json() { Ok(document) } else { Err(Unanswered::NotJson) }
    }
}

fn read(client_id: &str, host: String, body: &Bytes) -> Result<Client, Error> {
    document::read(client_id, host.clone(), body).map_err(|fault| {
        let message = format!("{host} does not say who this app is: its document {fault}. Tell the maker of the app.");
        Error::new(Kind::Validation, message)
    })
}

impl Unanswered {
    fn error(self, host: &str) -> Error {
        let message = format!(
            "{host}, which says who this app is, gave no document: {self}. Try again in a minute; if that does not help, tell the \
             maker of the app."
        );
        Error { retryable: true, ..Error::new(Kind::PlatformFailed, message) }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Call(failure) => failure.fmt(f),
            Unanswered::Status(status) => write!(f, "it answered with status {}", status.as_u16()),
            Unanswered::TooLarge => write!(f, "the document is larger than {MAX_DOCUMENT_BYTES} bytes"),
            Unanswered::NotJson => f.write_str("the answer is not JSON"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assistants::clients::ClientSource;
    use crate::outbound::public::{PublicResponse, Reach};
    use async_trait::async_trait;
    use http::HeaderMap;
    use jiff::SignedDuration;
    use serde_json::json;
    use std::sync::Mutex;
    use tokio::time::Instant;

    const ID: &str = "https://app.example/oauth/client.json";
    const CLAUDE: &str = "https://claude.ai/oauth/mcp-oauth-client-metadata";

    /// A host with one answer, which counts its calls.
    #[derive(Debug)]
    struct Host {
        answer: Mutex<Result<PublicDocument, PublicFailure>>,
        calls: Mutex<Vec<String>>,
    }

    impl Host {
        fn new(answer: Result<PublicDocument, PublicFailure>) -> Host {
            Host { answer: Mutex::new(answer), calls: Mutex::default() }
        }

        fn set(&self, answer: Result<PublicDocument, PublicFailure>) {
            *self.answer.lock().unwrap() = answer;
        }

        fn calls(&self) -> usize {
            self.calls.lock().unwrap().len()
        }
    }

    #[async_trait]
    impl EndpointTransport for Host {
        async fn post(&self, _: &str, _: HeaderMap, _: Bytes, _: Instant) -> Result<PublicResponse, PublicFailure> {
            Err(PublicFailure::NotConnected)
        }

        async fn get(&self, url: &str) -> Result<PublicDocument, PublicFailure> {
            self.calls.lock().unwrap().push(url.to_owned());
            self.answer.lock().unwrap().clone()
        }
    }

    fn answer(status: u16, content_type: &str, body: impl Into<Bytes>) -> Result<PublicDocument, PublicFailure> {
        let status = StatusCode::from_u16(status).unwrap();
        let content_type = Some(content_type.to_owned());
        Ok(PublicDocument { status, content_type, cache_control: None, body: body.into() })
    }

    fn document(id: &str, name: &str) -> String {
        json!({"client_id": id, "client_name": name, "redirect_uris": ["https://app.example/cb"], "token_endpoint_auth_method": "none"})
            .to_string()
    }

    fn json_of(id: &str, name: &str) -> Result<PublicDocument, PublicFailure> {
        answer(200, "application/json", document(id, name))
    }

    fn cached(control: &str) -> Result<PublicDocument, PublicFailure> {
        Ok(PublicDocument { cache_control: Some(control.to_owned()), ..json_of(ID, "App").unwrap() })
    }

    fn policy() -> UrlPolicy {
        UrlPolicy::new(Reach::Public, Some("https://ads.example.com"))
    }

    async fn find_at(host: &Host, kept: &KeptDocuments, second: i64, id: &str) -> Result<Client, Error> {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(second);
        Sources { policy: &policy(), transport: host, kept, now }.find(id).await
    }

    async fn find(host: &Host, id: &str) -> Result<Client, Error> {
        find_at(host, &KeptDocuments::default(), 0, id).await
    }

    #[tokio::test]
    async fn the_document_at_its_address_says_who_a_client_is() {
        for content_type in ["application/json", "Application/JSON; charset=utf-8", "application/oauth-client+json"] {
            let host = Host::new(answer(200, content_type, document(ID, "App")));
            let client = find(&host, ID).await.unwrap();
            assert_eq!(client.source, ClientSource::Document { host: "app.example".to_owned() });
            assert_eq!((client.name.as_str(), host.calls.lock().unwrap().join(" ").as_str()), ("App", ID));
        }
    }

    #[tokio::test]
    async fn an_answer_that_is_no_document_is_refused() {
        let mut large = document(ID, "App").into_bytes();
        large.resize(MAX_DOCUMENT_BYTES + 1, b' ');
        let ten_kilobytes = document(ID, &"a".repeat(10_000));
        for (given, expected) in [
            (answer(200, "text/html", document(ID, "App")), "is not JSON"),
            (answer(200, "application/jsonx", document(ID, "App")), "is not JSON"),
            (answer(200, "application/json", large), "larger than 5120 bytes"),
            (answer(200, "application/json", ten_kilobytes), "larger than 5120 bytes"),
            (answer(200, "application/json", "<html>"), "is not a JSON object"),
            (answer(201, "application/json", document(ID, "App")), "status 201"),
            (answer(302, "application/json", document(ID, "App")), "status 302"),
            (answer(403, "application/json", document(ID, "App")), "status 403"),
            (json_of(CLAUDE, "App"), "another client_id"),
            (Err(PublicFailure::TimedOut), "no response in time"),
            (Err(PublicFailure::NotResolved), "does not resolve"),
        ] {
            let error = find(&Host::new(given), ID).await.unwrap_err();
            let message = error.message.to_string();
            assert!(message.contains(expected) && message.contains("app.example"), "{expected}: {message}");
            assert_ne!(error.kind, Kind::Internal);
        }
    }

    #[tokio::test]
    async fn no_call_goes_to_an_address_that_must_not_be_called() {
        for id in [
            "https://169.254.169.254/latest/meta-data",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://10.0.0.1/x",
            "https://localhost/x",
            "https://metadata.internal/x",
            "https://ads.example.com/v1/mcp",
            "https://app.example:8443/x",
            "http://app.example/x",
            "https://app.example/",
            "https://app.example/x?y",
            "https://u@app.example/x",
            "https://app.example/a/../x",
            "dcr",
            "",
        ] {
            let host = Host::new(json_of(id, "App"));
            assert_eq!(find(&host, id).await.unwrap_err().kind, Kind::Validation, "{id}");
            assert_eq!(host.calls(), 0, "{id}");
        }
    }

    #[tokio::test]
    async fn a_copy_stands_in_when_a_known_host_gives_no_document() {
        for given in [
            answer(403, "text/html", "Just a moment..."),
            answer(200, "text/html", "Just a moment..."),
            answer(404, "application/json", "{}"),
            Err(PublicFailure::NotResolved),
            Err(PublicFailure::TimedOut),
        ] {
            let host = Host::new(given);
            let client = find(&host, CLAUDE).await.unwrap();
            assert_eq!(client.source, ClientSource::Known { host: "claude.ai".to_owned() });
            assert!(client.allows("https://claude.ai/api/mcp/auth_callback"));
            assert!(!client.allows("https://app.example/cb"));
        }
        let live = find(&Host::new(json_of(CLAUDE, "Claude 2")), CLAUDE).await.unwrap();
        assert_eq!((live.name.as_str(), live.allows("https://app.example/cb")), ("Claude 2", true));
        let of_other = Host::new(json_of(ID, "Claude"));
        assert_eq!(find(&of_other, CLAUDE).await.unwrap_err().kind, Kind::Validation, "a live document decides");
    }

    #[tokio::test]
    async fn what_is_at_hand_asks_nobody() {
        let (host, kept) = (Host::new(json_of(ID, "App")), KeptDocuments::default());
        let name = |kept: &KeptDocuments, id: &str| {
            let now = Timestamp::UNIX_EPOCH;
            let sources = Sources { policy: &policy(), transport: &host, kept, now };
            sources.at_hand(id).map(|client| client.name)
        };
        assert_eq!(name(&kept, ID), None);
        assert!(name(&kept, CLAUDE).is_some(), "our copy");
        assert_eq!(host.calls(), 0);
        find_at(&host, &kept, 0, ID).await.unwrap();
        assert_eq!((name(&kept, ID).as_deref(), host.calls()), (Some("App"), 1));
    }

    #[tokio::test]
    async fn a_document_is_kept_from_five_minutes_to_a_day() {
        for (control, seconds) in [
            ("no-store", 300),
            ("public, max-age=60", 300),
            ("public, max-age=0, s-maxage=86400", 300),
            ("max-age=x", 300),
            ("Public, Max-Age=600", 600),
            ("max-age=\"600\"", 600),
            ("max-age=31536000", 86_400),
            ("max-age=99999999999999999999", 86_400),
        ] {
            let (host, kept) = (Host::new(cached(control)), KeptDocuments::default());
            find_at(&host, &kept, 0, ID).await.unwrap();
            host.set(json_of(ID, "Changed"));
            let before = find_at(&host, &kept, seconds - 1, ID).await.unwrap();
            assert_eq!((before.name.as_str(), host.calls()), ("App", 1), "{control}");
            let after = find_at(&host, &kept, seconds, ID).await.unwrap();
            assert_eq!((after.name.as_str(), host.calls()), ("Changed", 2), "{control}");
        }
    }

    #[tokio::test]
    async fn a_failure_is_never_kept() {
        let timed_out = Err(PublicFailure::TimedOut);
        let (host, kept) = (Host::new(timed_out.clone()), KeptDocuments::default());
        let (unavailable, empty) = (answer(503, "application/json", ""), answer(200, "application/json", "{}"));
        for given in [timed_out, unavailable, json_of(CLAUDE, "App"), empty] {
            host.set(given);
            assert!(find_at(&host, &kept, 0, ID).await.is_err());
        }
        host.set(json_of(ID, "App"));
        assert_eq!(find_at(&host, &kept, 0, ID).await.unwrap().name, "App");
        host.set(answer(403, "text/html", ""));
        assert_eq!(find_at(&host, &kept, 0, CLAUDE).await.unwrap().name, "Claude");
        host.set(json_of(CLAUDE, "Claude 2"));
        assert_eq!(find_at(&host, &kept, 0, CLAUDE).await.unwrap().name, "Claude 2");
    }
}
