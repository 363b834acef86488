//! Documents over real sockets.

use super::*;

async fn get(head: &'static str, block: &'static [u8]) -> Result<PublicDocument, PublicFailure> {
    let (port, _thread) = endpoint(head, block);
    local_client().get(&format!("http://127.0.0.1:{port}/client.json")).await
}

#[tokio::test]
async fn a_document_is_asked_for_once_as_json() {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncache-control: max-age=60\r\ncontent-length: 2\r\n\r\n{}";
    let (port, thread) = endpoint(head, b"");
    let document = local_client().get(&format!("http://localhost:{port}/client.json")).await.unwrap();
    assert_eq!((document.status, &document.body[..]), (StatusCode::OK, &b"{}"[..]));
    assert_eq!(document.content_type.as_deref(), Some("application/json"));
    assert_eq!(document.cache_control.as_deref(), Some("max-age=60"));
    let (request, _) = thread.join().unwrap();
    assert!(request.starts_with("GET /client.json HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("accept: application/json\r\n"), "{request}");
}

#[tokio::test]
async fn a_redirect_of_a_document_is_not_followed() {
    let head = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(get(head, b"").await.unwrap().status, StatusCode::FOUND);
}

#[tokio::test]
async fn an_endless_document_is_cut_behind_its_limit() {
    let document = get("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", &[b' '; 100]).await.unwrap();
    assert_eq!(document.body.len(), MAX_DOCUMENT_BYTES + 1);
}

#[tokio::test]
async fn half_a_document_is_none() {
    let (port, thread) = endpoint("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{}", b"");
    let call = tokio::spawn(async move { local_client().get(&format!("http://127.0.0.1:{port}/")).await });
    let (_, stream) = tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    drop(stream);
    assert_eq!(call.await.unwrap(), Err(PublicFailure::Broken));
}

#[tokio::test]
async fn a_slow_document_is_given_up_after_three_seconds() {
    // The one says nothing, the other begins.
    for head in ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"] {
        let (port, thread) = endpoint(head, b"");
        let call = tokio::spawn(async move { local_client().get(&format!("http://127.0.0.1:{port}/")).await });
        let _endpoint = tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
        // The endpoint has the request. From here on time passes at once.
        tokio::time::pause();
        let paused = Instant::now();
        assert_eq!(call.await.unwrap(), Err(PublicFailure::TimedOut), "{head}");
        // A timer ends up to a millisecond late.
        assert!(paused.elapsed() <= DOCUMENT_TIME_LIMIT + Duration::from_millis(1), "{:?}", paused.elapsed());
        tokio::time::resume();
    }
}

#[tokio::test]
async fn no_document_is_read_where_no_call_may_go() {
    let resolver = scripted(&[&["8.8.8.8", "169.254.169.254"]]);
    let name = client(Reach::Public, &resolver).get("https://client.example/client.json").await;
    assert_eq!(name, Err(PublicFailure::Address(SpecialUse::LinkLocal)));
    for url in ["https://169.254.169.254/x", "https://[::1]/x", "https://localhost/x", "http://client.example/x"] {
        let outcome = client(Reach::Public, &resolver).get(url).await;
        assert!(matches!(outcome, Err(PublicFailure::Url(_))), "{url}: {outcome:?}");
    }
    assert_eq!(resolver.questions.load(Ordering::SeqCst), 1);
    let own = PublicClient::build(
        UrlPolicy::new(Reach::Public, Some("https://ads.example.com")),
        resolver,
        http_transport::mozilla_roots(),
    );
    assert_eq!(own.unwrap().get("https://ads.example.com/x").await, Err(PublicFailure::Url(UrlRefusal::OwnService)));
}
